import { api, type Operation } from "../platform/contract/api";
import { functions } from "../provider/functions/list";
import { COMMANDS, purposeOfLookUp } from "../provider/lookups";
import { operationsOf, STEPS } from "../provider/permissions/permissions";
import { resources } from "../provider/resources/list";
import { UNUSED_OPERATIONS } from "../provider/unused-operations";

export const OPERATIONS = Object.keys(api) as Operation[];

/** The declared operations of each resource, function and command, by name. */
const DECLARED: Readonly<Record<string, readonly Operation[]>> = {
  ...Object.fromEntries(resources.map((resource) => [resource.type, operationsOf(resource, STEPS)])),
  ...Object.fromEntries(functions.map(({ name, reads }) => [name, reads])),
  ...COMMANDS,
};

/** Returns the names of the resources, functions and commands that declare an operation. */
const declarersOf = (operation: Operation): string[] =>
  Object.entries(DECLARED).flatMap(([name, operations]) => (operations.includes(operation) ? [name] : []));

const reasonFor = (operation: Operation): string | undefined =>
  UNUSED_OPERATIONS.find(({ operations }) => operations.includes(operation))?.whyUnused;

export const isUsed = (operation: Operation): boolean =>
  declarersOf(operation).length > 0 || purposeOfLookUp(operation) !== undefined;

/**
 * Returns one problem for each operation that is neither used nor listed as unused, and for each operation that is
 * both.
 */
export function operationProblems(): string[] {
  return OPERATIONS.flatMap((operation) => {
    const isListedUnused = reasonFor(operation) !== undefined;
    if (isUsed(operation) !== isListedUnused) return [];
    return isListedUnused
      ? [`${operation} is used: remove it from provider/unused-operations.ts`]
      : [`${operation} is not used: use it, or say why not in provider/unused-operations.ts`];
  });
}

/** Returns the sections of the page that lists all platform operations. */
export function operationSections(): string[] {
  const rows = OPERATIONS.map((operation) => {
    const { method, paths } = api[operation];
    return `| \`${operation}\` | \`${method} ${paths[0]}\` | ${usesOf(operation) ?? reasonFor(operation)} |`;
  });
  return [
    "Every operation of the platform, and the resources, functions and commands that use it, or the reason why none does. “The provider itself” sends a request for any resource or function that needs it, for the purpose that follows.",
    ["| Operation | Request | Used by |", "|---|---|---|", ...rows].join("\n"),
  ];
}

/** Returns the file name of the reference page of a resource, a function or a command, such as `dbplatform adopt`. */
export const pageOf = (name: string): string => `${name.replaceAll(" ", "-")}.md`;

function usesOf(operation: Operation): string | undefined {
  const links = declarersOf(operation).map((name) => `[${name}](${pageOf(name)})`);
  const purpose = purposeOfLookUp(operation);
  const uses = [
    ...(links.length > 0 ? [links.join(", ")] : []),
    ...(purpose ? [`the provider itself, ${purpose}`] : []),
  ];
  return uses.length > 0 ? uses.join("; ") : undefined;
}
