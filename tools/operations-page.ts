import { api, type Operation } from "../platform/contract/api";
import { functions } from "../provider/functions/list";
import { STEPS, writesOf } from "../provider/resource/permissions";
import { resources } from "../provider/resources/list";
import { UNUSED_OPERATIONS } from "../provider/unused-operations";
import { UsedOperations } from "./used-operations";

const RESOURCES = "provider/resources/list.ts";
const FUNCTIONS = "provider/functions/list.ts";
/** The commands that send requests, each with the file in which the command starts. */
const COMMANDS = { "dbplatform-adopt": "provider/adopt/main.ts" };

const OPERATIONS = Object.keys(api) as Operation[];

/** The names of the resources, functions and commands that use each operation. */
type Users = ReadonlyMap<Operation, readonly string[]>;

let found: Users | undefined;

/**
 * Returns who uses each operation. A resource writes what its definition declares, which a test compares with its
 * requests. All other operations only read, and are found in the code.
 */
export function usersOfOperations(): Users {
  if (found) return found;
  const used = new UsedOperations(OPERATIONS, [RESOURCES, FUNCTIONS, ...Object.values(COMMANDS)]);
  const [ofResources, ofFunctions] = [used.ofEach(RESOURCES), used.ofEach(FUNCTIONS)];
  const all: (readonly [string, ReadonlySet<Operation>])[] = [
    ...resources.map(
      (resource, index) =>
        [
          resource.type,
          new Set([...reads(ofResources[index]), ...STEPS.flatMap((step) => writesOf(resource, step))]),
        ] as const,
    ),
    ...functions.map(({ name }, index) => [name, reads(ofFunctions[index])] as const),
    ...Object.entries(COMMANDS).map(([name, file]) => [name, reads(used.of(file))] as const),
  ];
  found = new Map(
    OPERATIONS.map((each) => [each, all.filter(([, operations]) => operations.has(each)).map(([name]) => name)]),
  );
  return found;
}

const reads = (operations: ReadonlySet<Operation> = new Set()): ReadonlySet<Operation> =>
  new Set([...operations].filter((operation) => api[operation].method === "GET"));

const reasonFor = (operation: Operation): string | undefined =>
  UNUSED_OPERATIONS.find(({ operations }) => operations.includes(operation))?.whyUnused;

/** Returns the operations that are neither used nor listed as unused, and those that are both. */
export function operationProblems(): string[] {
  return [...usersOfOperations()].flatMap(([operation, by]) => {
    const reason = reasonFor(operation);
    if (by.length === 0 && reason === undefined)
      return [`${operation} is not used: use it, or say why not in provider/unused-operations.ts`];
    if (by.length > 0 && reason !== undefined)
      return [`${operation} is used by ${by.join(", ")}: remove it from provider/unused-operations.ts`];
    return [];
  });
}

/** Returns the sections of the page that lists all operations of the platform. */
export function operationSections(): string[] {
  const rows = [...usersOfOperations()].map(([operation, by]) => {
    const { method, paths } = api[operation];
    const isEverywhere = resources.every(({ type }) => by.includes(type));
    const others = isEverywhere ? by.slice(resources.length) : by;
    const links = [...(isEverywhere ? ["all resources"] : []), ...others.map((name) => `[${name}](${name}.md)`)];
    return `| \`${operation}\` | \`${method} ${paths[0]}\` | ${links.join(", ") || reasonFor(operation)} |`;
  });
  return [
    "Every operation of the platform, and the resources, functions and commands that use it, or the reason why none does.",
    ["| Operation | Request | Used by |", "|---|---|---|", ...rows].join("\n"),
  ];
}
