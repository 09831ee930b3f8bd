import { message } from "../../../platform/values/message";
import type { Authorship } from "../../client/messages";
import { ADA, deletedWhen, restorableWhen } from "../messages";

const TENANTS = "0e8c5f0a-3b1d-4c55-8f3e-6d1b2a7c9e10";
const OTHER = "5d1f7c2e-9a44-4f0b-b6c8-2e3a4b5c6d7e";
const ORDERS = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";

export const RESTORED_WITH = "with its databases and their data";

export const EXTENSIONS_CHANGE_ADVICE = "To use other extensions, create another group.";

export const extensionBesideAll = message(
  (all: string) => `is already part of "${all}"; write only one of them`,
  ["all"],
);

interface Contained {
  readonly name: string;
  readonly id: string;
}

const listed = (databases: readonly Contained[]): string =>
  databases
    .map(({ name, id }) => `"${name}" (${id})`)
    .sort()
    .join(", ");

export const locationUnknown = message(
  (location: string, known: readonly string[]) =>
    `location "${location}" does not exist. Available locations: ${known.join(", ")}`,
  ["aws-nowhere-1", ["aws-us-east-1", "fly-fra"]],
);

export const groupNameTaken = message(
  (name: string, id: string) =>
    `group name "${name}" is already in use by ${id}. Choose another \`name\`, or rename that group first`,
  ["tenants", OTHER],
);

export const restoredNameTaken = message(
  (name: string, id: string) =>
    `group name "${name}" is already in use by ${id}. Give that group another \`name\` (with that group in \`dependsOn\` of this resource if this program manages both), then run \`pulumi up\` again`,
  ["tenants", OTHER],
);

/**
 * Explains why a group cannot be restored under its name.
 *
 * @param urn URN of the resource that creates another group with this name.
 */
export const restoredNamePlanned = message(
  (name: string, urn: string) =>
    `this program creates another group named "${name}" (${urn}). Choose another \`name\` for that group`,
  ["tenants", "urn:pulumi:dev::shop::dbplatform:index:Group::tenants"],
);

export const groupProtected = message(
  (name: string, id: string) =>
    `group "${name}" (${id}) is delete-protected. Set \`deleteProtection: false\`, run \`pulumi up\`, then try again`,
  ["tenants", TENANTS],
);

export const databaseInGroupProtected = message(
  (group: Contained, database: Contained) =>
    `group "${group.name}" (${group.id}) contains database "${database.name}" (${database.id}), which is delete-protected. Set \`deleteProtection: false\` in its \`DatabaseConfiguration\`, run \`pulumi up\`, then try again`,
  [
    { name: "tenants", id: TENANTS },
    { name: "orders", id: ORDERS },
  ],
);

/**
 * Reports that a group still contains databases, and lists possible reasons why they were not deleted.
 *
 * @param obstacle Why nothing can be restored in the organization at present, if that is known.
 */
export const groupNotEmpty = message(
  (group: string, databases: readonly Contained[], obstacle?: string) => {
    const [count, noun, them, their] =
      databases.length === 1
        ? ["a database", "database", "it", "its"]
        : [`${databases.length} databases`, "databases", "them", "their"];
    const [how, warning] =
      obstacle === undefined
        ? [" (restorable for five days)", []]
        : ["", [`Nothing can be restored at present: ${obstacle}`]];
    return [
      `group "${group}" still contains ${count}: ${listed(databases)}`,
      `Possible reasons: the program does not declare ${them}, retains ${them} (\`retainOnDelete\`), names ${their} group by a literal instead of \`group.id\`, or sets \`deletedWith\` without an applied \`forceDestroy: true\``,
      `To keep the ${noun}, keep the group. To delete ${them} with the group${how}, first set \`forceDestroy: true\` and run \`pulumi up\``,
      ...warning,
    ].join(". ");
  },
  ["tenants", [{ name: "orders", id: ORDERS }]],
  ["tenants", [{ name: "orders", id: ORDERS }], 'recovery is disabled for organization "acme"'],
  [
    "tenants",
    [
      { name: "orders", id: ORDERS },
      { name: "invoices", id: OTHER },
    ],
  ],
);

export const groupNotLive = message((id: string) => `group ${id} does not exist or is already deleted`, [TENANTS]);

export const groupUnarchived = message(
  (name: string, id: string) =>
    `Group "${name}" (${id}) is archived, so its databases cannot be used. This update unarchives it.`,
  ["tenants", TENANTS],
);

/**
 * Reports that a group does not exist.
 *
 * @param wanted The name or UUID of the group in the program.
 */
export const groupNotFound = message(
  (wanted: string, organization: string) => `organization "${organization}" has no group "${wanted}"`,
  ["defualt", "acme"],
);

export const availableGroups = message(
  (names: readonly string[]) =>
    names.length === 0
      ? "This API token sees no groups"
      : `Available groups: ${names.map((name) => `"${name}"`).join(", ")}`,
  [["default", "other"]],
  [[]],
);

export const groupOutOfSight = message(
  (wanted: string, pinnedTo: string) => `this API token is pinned to group ${pinnedTo} and sees no group "${wanted}"`,
  ["other", TENANTS],
);

export const objectInOtherGroup = message(
  (groupId: string, pinnedTo: string) => ({
    answer: `this API token is pinned to group ${pinnedTo} and cannot see group ${groupId}`,
    advice: "Use an API token of that group, or an organization-level token",
  }),
  [OTHER, TENANTS],
);

export const databaseInUnknownGroup = message(
  (dbId: string, pinnedTo: string) => ({
    answer: `this API token is pinned to group ${pinnedTo}, and database ${dbId} may be in another group`,
    advice: "Use an organization-level token",
  }),
  [ORDERS, TENANTS],
);

interface DeletedGroup {
  readonly name: string;
  readonly deletedAt: string;
  readonly restorableUntil: string;
  readonly by?: Authorship | undefined;
  readonly isRecoveryDisabled?: boolean;
}

const deletedGroup: DeletedGroup = {
  name: "tenants",
  deletedAt: "2026-11-22T07:17:00Z",
  restorableUntil: "2026-11-27T07:17:00Z",
};

/**
 * Reports that a group was deleted and what a restore brings back.
 *
 * @param databases The databases that were deleted with the group.
 */
export const groupDeleted = message(
  ({ name, deletedAt, restorableUntil, by, isRecoveryDisabled }: DeletedGroup, databases: readonly Contained[]) => {
    const what = `Group "${name}" ${deletedWhen(deletedAt, by, "")} ${restorableWhen("", restorableUntil, isRecoveryDisabled)}`;
    // The engine repeats the first line in each later row of the group, so the list has a line of its own.
    return databases.length === 0 ? `${what}.` : `${what}, with these databases and their data:\n${listed(databases)}.`;
  },
  [deletedGroup, [{ name: "orders", id: ORDERS }]],
  [deletedGroup, []],
  [{ ...deletedGroup, by: ADA }, []],
);

/**
 * Reports that a group was restored without one of its databases.
 *
 * @param reason The platform's error message.
 */
export const databaseNotRestored = message(
  (dbId: string, reason: string) => `Database ${dbId} was not restored with its group: ${reason}`,
  [ORDERS, 'database name "orders" already exists'],
);

/** Warns that databases were deleted with a group, but not restored with it. */
export const databasesStillDeleted = message(
  (group: string, databases: readonly Contained[]) =>
    `Group "${group}" is live again, but these databases, which were deleted with it, are still deleted: ${listed(databases)}. To restore one, declare it with the option \`import: "<DbId>"\`.`,
  ["tenants", [{ name: "orders", id: ORDERS }]],
);
