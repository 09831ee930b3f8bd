import type { Scope } from "../../platform/values/scope";
import { jsonOutput, tableOutput } from "../command/output";
import { functions } from "../functions/list";
import { ORGANIZATION_LEVEL } from "../permissions/messages";
import { isImpossibleForGroupToken } from "../permissions/permissions";
import type { Excess } from "./excess";
import type { PreviewedGroup } from "./groups";
import * as messages from "./messages";
import { type NeededCredential, roleForOthers, type Use } from "./needed-credential";

const SHOWN_USES = 3;

/** Formats each credential as text: the required permissions, a table of operations, and notes. */
export const neededCredentialsAsText = (credentials: readonly NeededCredential[]): string =>
  credentials.map((credential) => credentialText(credential, credentials.length > 1)).join("\n");

function credentialText(credential: NeededCredential, isHeaded: boolean): string {
  const head = isHeaded ? [messages.ofProvider({ providerName: credential.provider })] : [];
  const text = [...head, credentialSentence(credential), "", operationTable(credential)].join("\n");
  const notes = noteTexts(credential).map((note) => `${note}\n`);
  return notes.length === 0 ? text : `${text}\n${notes.join("")}`;
}

export const neededCredentialsAsJson = (credentials: readonly NeededCredential[]): string =>
  jsonOutput({ credentials: credentials.map(credentialJson) });

function credentialJson(credential: NeededCredential) {
  const { provider, level, groups, scopes, role, operations } = credential;
  return {
    provider,
    level,
    role,
    ...(level === "group" ? { group: groups[0], scopes } : { reasons: reasonTexts(credential) }),
    operations: operations.map(({ operation, scope, role: least, uses }) => ({ operation, scope, role: least, uses })),
    notes: noteTexts(credential),
  };
}

/**
 * Formats the result of `--allow` as text: whether the scopes are enough and, if not, which permissions each resource
 * needs beyond them, and the least credential.
 */
export function checkAsText(
  credentials: readonly NeededCredential[],
  allowed: readonly Scope[],
  excess: readonly Excess[],
): string {
  if (credentials.length === 0) return `${messages.NOTHING_NEEDED}\n`;
  if (excess.length === 0) return `${messages.enoughScopes({ scopes: allowed, isEnough: true })}\n`;
  const texts = excess.map((each) => excessText(each, credentials.length > 1));
  return [messages.enoughScopes({ scopes: allowed, isEnough: false }), "", texts.join("\n")].join("\n");
}

function excessText({ credential, resources }: Excess, isHeaded: boolean): string {
  const head = isHeaded ? [messages.ofProvider({ providerName: credential.provider })] : [];
  const rows = resources.map(({ type, name, scope, steps }) => [
    `${type} ${name}`,
    scope ?? "organization-level",
    steps.join(", "),
  ]);
  const table = rows.length > 0 ? [tableOutput([["RESOURCE", "ALSO NEEDS", "TO"], ...rows])] : [];
  return [...head, ...table, `${credentialSentence(credential)}\n`].join("\n");
}

export const checkAsJson = (
  credentials: readonly NeededCredential[],
  allowed: readonly Scope[],
  excess: readonly Excess[],
): string =>
  jsonOutput({
    allowed,
    isEnough: excess.length === 0,
    excess: excess.map(({ credential, resources, isInSeveralGroups }) => ({
      provider: credential.provider,
      resources,
      isInSeveralGroups,
    })),
    credentials: credentials.map(credentialJson),
  });

function credentialSentence(credential: NeededCredential): string {
  const { level, groups, scopes, role } = credential;
  return level === "group"
    ? messages.groupToken({ group: groups[0] && groupText(groups[0]), scopes })
    : messages.organizationToken({ role, reasons: reasonTexts(credential) });
}

/** Returns the reasons why no group-scoped token has enough permissions. */
function reasonTexts({ operations, groups }: NeededCredential): string[] {
  const impossible = operations
    .filter(({ scope }) => scope === undefined)
    .map(({ operation }) => ORGANIZATION_LEVEL[operation] ?? operation);
  return [
    ...(impossible.length > 0 ? [messages.impossibleForGroupToken({ operations: impossible })] : []),
    ...(groups.length > 1 ? [messages.severalGroups({ groups: groups.map(groupText) })] : []),
  ];
}

const groupText = ({ name, id }: PreviewedGroup): string => name ?? id ?? "";

function noteTexts(credential: NeededCredential): string[] {
  const { provider, level, groups, unknown, objects, organizationId } = credential;
  const others = roleForOthers(credential);
  const [name, id] = [groups.find((each) => each.id === undefined)?.name, groups.find((each) => !each.name)?.id];
  if (level === "organization")
    return [
      ...(groups.length === 2 && name && id ? [messages.someGroupsAlike({ name, id })] : []),
      ...(others ? [messages.onlyOwnTokens({ role: others })] : []),
    ];
  const copied = copiedDatabases(credential);
  const shownId = objects.map(({ outputs }) => outputs.organizationId).find((each) => typeof each === "string");
  return [
    ...(unknown.length > 0
      ? [messages.groupUnseen({ objects: shortList(unknown.map(({ resource, name }) => `${resource.type} ${name}`)) })]
      : []),
    ...(copied.length > 0 ? [messages.seedInGroup({ databases: copied })] : []),
    ...(provider === "default" && organizationId !== undefined
      ? []
      : [messages.organizationIdNeeded({ providerName: provider, organizationId: shownId })]),
    messages.functionsUnseen({
      functions: functions.filter(({ reads }) => reads.some(isImpossibleForGroupToken)).map((each) => each.name),
    }),
  ];
}

/** Returns the databases that the run copies, except the databases in the preview, whose groups are known. */
function copiedDatabases({ objects }: NeededCredential): string[] {
  const shown = new Set(objects.flatMap(({ id, inputs }) => [id, inputs.name]));
  const seeds = objects
    .filter(({ needs }) => needs.some(({ step }) => step === "create"))
    .map(({ inputs }) => (inputs.seed as { database?: unknown } | undefined)?.database);
  return [...new Set(seeds.filter((each) => typeof each === "string" && !shown.has(each)))] as string[];
}

function operationTable({ operations }: NeededCredential): string {
  const rows = operations.map(({ operation, scope, role, uses }) => [
    operation,
    scope ?? "organization-level",
    role,
    shownUses(uses),
  ]);
  return tableOutput([["OPERATION", "SCOPE", "ROLE", "FOR"], ...rows]);
}

/** Lists the objects by kind of step: `read Database a, Database b; create Database b`. */
function shownUses(uses: readonly Use[]): string {
  const steps = [...new Set(uses.map(({ step }) => step))];
  return steps
    .map(
      (step) =>
        `${step} ${shortList(uses.filter((use) => use.step === step).map(({ type, name }) => `${type} ${name}`))}`,
    )
    .join("; ");
}

function shortList(texts: readonly string[]): string {
  const rest = texts.length - SHOWN_USES;
  return [...texts.slice(0, SHOWN_USES), ...(rest > 0 ? [messages.andMore({ count: rest })] : [])].join(", ");
}
