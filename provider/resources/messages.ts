import { readableInstant } from "../../kit/instant";
import { message } from "../../platform/values/message";
import { type Authorship, authorName } from "../client/messages";

const ORDERS = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const OTHER = "5d1f7c2e-9a44-4f0b-b6c8-2e3a4b5c6d7e";
const DEFAULT_GROUP = "0e8c5f0a-3b1d-4c55-8f3e-6d1b2a7c9e10";
const [DELETED_AT, UNTIL] = ["2026-11-22T07:17:00Z", "2026-11-27T07:17:00Z"];

export const ADA: Authorship = { author: "ada", origin: "cli", ago: "3 hours ago" };

/**
 * Says when an object was deleted and, if known, by whom.
 *
 * @param together Text to append, for example `, together with its group,`.
 */
export const deletedWhen = message(
  (deletedAt: string, by: Authorship | undefined, together: string) =>
    by
      ? `was deleted by ${authorName(by)} on ${readableInstant(deletedAt)}${together}`
      : `was deleted on ${readableInstant(deletedAt)}${together}`,
  [DELETED_AT, undefined, ""],
  [DELETED_AT, ADA, ", together with its group,"],
);

/**
 * Completes a sentence that `deletedWhen` begins. Says how long the deleted object can be restored.
 *
 * @param brings Text that says what is restored with the object, or an empty string.
 */
export const restorableWhen = message(
  (brings: string, restorableUntil: string, isRecoveryDisabled = false) =>
    `and${isRecoveryDisabled ? ", once recovery is enabled," : ""} can be restored${brings} until ${readableInstant(restorableUntil)}`,
  [" with its data", UNTIL],
  ["", UNTIL, true],
);

type Kind = "database" | "group";

interface NotFound {
  readonly kind: Kind;
  readonly id: string;
  readonly organization: string;
  /** Whether the state contains the object, which proves that the object once existed. */
  readonly isKnown?: boolean | undefined;
  /** Why deleted objects are hidden, or `undefined` if they are visible. */
  readonly hiddenBecause?: string | undefined;
  /** UUID of the only group that the API token can see, if the token is pinned to a group. */
  readonly pinnedTo?: string | undefined;
}

const notFound: NotFound = { kind: "database", id: ORDERS, organization: "acme" };

export const objectNotFound = message(
  ({ kind, id, organization, isKnown, hiddenBecause, pinnedTo }: NotFound) => {
    const seer =
      pinnedTo === undefined
        ? `organization "${organization}" has`
        : `this API token is pinned to group ${pinnedTo} and sees`;
    const elsewhere = pinnedTo === undefined ? "" : "is in another group, ";
    const was = isKnown
      ? "was deleted more than five days ago and can no longer be restored, or was transferred"
      : "never existed, was deleted more than five days ago, or was transferred";
    return hiddenBecause === undefined
      ? `${seer} no ${kind} ${id}: the ${kind} ${elsewhere}${was} to another organization`
      : `${seer} no live ${kind} ${id}, and deleted ${kind}s cannot be searched: ${hiddenBecause}`;
  },
  [notFound],
  [{ ...notFound, isKnown: true }],
  [{ ...notFound, hiddenBecause: "this API token may not list deleted databases and groups" }],
  [{ ...notFound, pinnedTo: DEFAULT_GROUP }],
);

export const planHidesDeleted = message(
  (organization: string) =>
    `the plan of organization "${organization}" does not allow listing or restoring deleted databases and groups`,
  ["acme"],
);

export const CREDENTIAL_HIDES_DELETED = "this API token may not list deleted databases and groups";

export const UPGRADE_TO_RESTORE = "Within five days of the deletion, upgrade the plan and run `pulumi up` again";

export const ADMIN_TO_RESTORE =
  "Within five days of the deletion, run `pulumi up` again with the organization-level API token of an admin or owner";

export const restorableUnseen = message(
  (kind: Kind, name: string, id: string, hiddenBecause: string) =>
    `${kind === "database" ? "Database" : "Group"} "${name}" (${id}) no longer exists. It may be restorable for five days after its deletion, but ${hiddenBecause}.`,
  ["database", "orders", ORDERS, CREDENTIAL_HIDES_DELETED],
);

/**
 * Explains why the provider cannot tell whether an object can be restored.
 *
 * @param advice How to restore the object.
 */
export const restoreUnseen = message(
  (kind: Kind, hiddenBecause: string, advice: string) =>
    `${hiddenBecause}. ${advice}. To create an empty ${kind} instead, set the resource option \`replaceOnChanges: ["deletedAt"]\` or, with the dynamic providers, run \`pulumi up --replace <urn>\``,
  ["database", CREDENTIAL_HIDES_DELETED, ADMIN_TO_RESTORE],
);

export const restorePeriodOver = message(
  (kind: Kind, id: string) =>
    `${kind} ${id} was deleted more than five days ago and can no longer be restored. To create an empty ${kind}, remove \`import\` (if set) and run \`pulumi up --refresh\``,
  ["database", ORDERS],
);

export const recoveryDisabledIn = message(
  (organization: string) =>
    `recovery is disabled for organization "${organization}". An admin or owner can enable it, for example with \`restoreEnabled: true\` of \`OrganizationSettings\``,
  ["acme"],
);

export const planHasNoRecovery = message(
  (organization: string) => `organization "${organization}" is on the free plan, which has no recovery`,
  ["acme"],
);

export const restorerRoleTooLow = message(
  (organization: string, username: string, role: string) =>
    `restoring requires an admin or owner of organization "${organization}", but "${username}" is a ${role}`,
  ["acme", "max", "member"],
);

/**
 * Reports that the name of this resource's owner now belongs to another object.
 *
 * @param successor Id of the live object with that name.
 */
export const nameReused = message(
  ({ kind, name, successor, owner }: { kind: string; name: string; successor: string; owner: string }) =>
    `The name "${name}" now belongs to another ${kind} (${successor}). This resource belongs to ${kind} ${owner}, which is no longer live`,
  [{ kind: "database", name: "orders", successor: OTHER, owner: ORDERS }],
);

/**
 * Reports that a missing object will be created or restored later in this update.
 *
 * @param output Output with the object's id, for example `group.id`.
 */
export const restoredLater = message(
  (output: string) =>
    `This update creates or restores it, but has not done so yet. To wait for it, use ${output} or \`dependsOn\`. A preview cannot find what the update will restore, so run \`pulumi up --skip-preview\``,
  ["`group.id`"],
);

export const createdLater = message(
  (output: string) => `This update creates it, but has not done so yet. To wait for it, use its UUID (${output})`,
  ["`group.id`"],
);

interface RestorableObject {
  readonly id: string;
  readonly deletedAt: string;
  readonly restorableUntil: string;
}

interface ImportedByName {
  readonly kind: "database" | "group";
  /** Name of the id property, for example `DbId`. */
  readonly idName: string;
  readonly name: string;
  /** Id of the live object with this name, if there is one. */
  readonly live?: string | undefined;
  /** The deleted objects with this name. `undefined` if they cannot be listed. */
  readonly deleted?: readonly RestorableObject[] | undefined;
  /** UUID of the only group that the API token can see, if the token is pinned to a group. */
  readonly pinnedTo?: string | undefined;
}

const importedByName: ImportedByName = { kind: "database", idName: "DbId", name: "orders" };
const restorableObject: RestorableObject = { id: OTHER, deletedAt: DELETED_AT, restorableUntil: UNTIL };

/** Explains that objects are imported by id, and shows an `import` line for each object with the given name. */
export const nameInsteadOfId = message(
  ({ kind, idName, name, live, deleted, pinnedTo }: ImportedByName) => {
    const advice = `import a ${kind} by its ${idName}, not by its name`;
    const newestFirst = deleted?.toSorted((one, other) => Date.parse(other.deletedAt) - Date.parse(one.deletedAt));
    const lines = newestFirst?.map(
      ({ id, deletedAt, restorableUntil }) =>
        `\n  \`import: "${id}"\` restores the ${kind} deleted on ${readableInstant(deletedAt)}, until ${readableInstant(restorableUntil)}`,
    );
    const restorable = lines?.length ? `. These deleted ${kind}s had that name:${lines.join("")}` : "";
    if (live !== undefined) return `${advice}: \`import: "${live}"\`${restorable}`;
    const sought = `live ${lines?.length === 0 ? "or restorable " : ""}${kind}`;
    return pinnedTo === undefined
      ? `${advice}. No ${sought} is named "${name}"${restorable}`
      : `${advice}. This API token is pinned to group ${pinnedTo} and sees no ${sought} named "${name}"${restorable}`;
  },
  [{ ...importedByName, live: ORDERS }],
  [{ ...importedByName, live: ORDERS, deleted: [restorableObject] }],
  [{ ...importedByName, deleted: [restorableObject] }],
  [{ ...importedByName, deleted: [] }],
  [{ ...importedByName, deleted: [], pinnedTo: DEFAULT_GROUP }],
  [importedByName],
);

/**
 * Explains how to write an id in the `import` option.
 *
 * @param id The id in the platform's spelling.
 */
export const idSpelling = message(
  (idName: string, id: string) => `write the ${idName} in lowercase with hyphens: \`import: "${id}"\``,
  ["DbId", ORDERS],
);
