import { readableInstant } from "../../kit/instant";
import type { Restorable } from "../../kit/results";
import type { ContainedDatabase, Facts } from "../facts";

export const RECOVERY_ENABLED = "recovery is enabled";
export const RECOVERY_PERIOD = "five days";

/** Begins a sentence about a missing object. A group-scoped API token does not see the other groups. */
export const seer = ({ organization, pinnedTo }: Facts<"organization", "pinnedTo">) =>
  pinnedTo === undefined
    ? `organization "${organization}" has`
    : `this API token is pinned to group ${pinnedTo} and sees`;

export const objectNotFound = (
  facts: Facts<"kind" | "id" | "organization", "isKnown" | "hiddenBecause" | "pinnedTo">,
) => {
  const { kind, id, isKnown, hiddenBecause, pinnedTo } = facts;
  if (hiddenBecause !== undefined)
    return `${seer(facts)} no live ${kind} ${id}, and deleted ${kind}s cannot be searched: ${hiddenBecause}`;
  const elsewhere = pinnedTo === undefined ? "" : "is in another group, ";
  const was = isKnown
    ? "was deleted more than five days ago and can no longer be restored, or was transferred"
    : "never existed, was deleted more than five days ago, or was transferred";
  return `${seer(facts)} no ${kind} ${id}: the ${kind} ${elsewhere}${was} to another organization`;
};

export const planHidesDeleted = ({ organization }: Facts<"organization">) =>
  `the plan of organization "${organization}" does not allow listing or restoring deleted databases and groups`;
export const CREDENTIAL_HIDES_DELETED = "this API token may not list deleted databases and groups";
export const UPGRADE_TO_RESTORE = "Within five days of the deletion, upgrade the plan and run `pulumi up` again";
export const ADMIN_TO_RESTORE =
  "Within five days of the deletion, run `pulumi up` again with the organization-level API token of an admin or owner";
export const restoreUnseen = ({ kind, hiddenBecause, advice }: Facts<"kind" | "hiddenBecause" | "advice">) =>
  `${hiddenBecause}. ${advice}. To create an empty ${kind} instead, set the resource option \`replaceOnChanges: ["deletedAt"]\` or, with the dynamic providers, run \`pulumi up --replace <urn>\``;
export const restorePeriodOver = ({ kind, id }: Facts<"kind" | "id">) =>
  `${kind} ${id} was deleted more than five days ago and can no longer be restored. To create an empty ${kind}, remove \`import\` (if set) and run \`pulumi up --refresh\``;
export const recoveryDisabledIn = ({ organization }: Facts<"organization">) =>
  `recovery is disabled for organization "${organization}". An admin or owner can enable it, for example with \`restoreEnabled: true\` of \`OrganizationSettings\``;
export const recoveryDisabledByUpdate = ({ organization }: Facts<"organization">) =>
  `this update disables recovery for organization "${organization}"`;

// Deletion protection. Each reason completes a sentence about the object; each toAllow is an imperative clause.
export const OBJECT_PROTECTED = "it is delete-protected";
export const databaseInGroupProtected = ({
  protectedDatabase: { name, id },
}: {
  readonly protectedDatabase: ContainedDatabase;
}) => `it contains database "${name}" (${id}), which is delete-protected`;
export const UNPROTECT_GROUP = "set `deleteProtection: false`";

/** A configuration that is not declared may have left the program together with its database. */
export const unprotectDatabase = ({ isConfigurationDeclared }: Facts<"isConfigurationDeclared">) =>
  `${isConfigurationDeclared ? "" : "declare the database and its `DatabaseConfiguration` again if the program no longer contains them, "}set \`deleteProtection: false\` in the \`DatabaseConfiguration\` of the database`;
export const planHasNoRecovery = ({ organization }: Facts<"organization">) =>
  `organization "${organization}" is on the free plan, which has no recovery`;
export const nameReused = ({ kind, name, successor, own }: Facts<"kind" | "name" | "successor" | "own">) =>
  `The name "${name}" now belongs to another ${kind} (${successor}). This resource belongs to ${kind} ${own}, which is no longer live`;
export const restoredLater = ({ output }: Facts<"output">) =>
  `This update creates or restores it, but has not done so yet. To wait for it, use ${output} or \`dependsOn\`. A preview cannot find what the update will restore, so run \`pulumi up --skip-preview\``;
export const createdLater = ({ output }: Facts<"output">) =>
  `This update creates it, but has not done so yet. To wait for it, use its UUID (${output})`;

export const nameInsteadOfId = (
  facts: Facts<"kind" | "idName" | "name", "live" | "pinnedTo"> & {
    readonly namesakes?: readonly Restorable[] | undefined;
  },
) => {
  const { kind, name, live, pinnedTo } = facts;
  const advice = `import a ${kind} by its ${facts.idName}, not by its name`;
  const lines = facts.namesakes
    ?.toSorted((one, other) => Date.parse(other.deletedAt) - Date.parse(one.deletedAt))
    .map(
      ({ id, deletedAt, restorableUntil }) =>
        `\n  \`import: "${id}"\` restores the ${kind} deleted on ${readableInstant(deletedAt)}, until ${readableInstant(restorableUntil)}`,
    );
  const restorable = lines?.length ? `. These deleted ${kind}s had that name:${lines.join("")}` : "";
  if (live !== undefined) return `${advice}: \`import: "${live}"\`${restorable}`;
  const sought = `live ${lines?.length === 0 ? "or restorable " : ""}${kind}`;
  return pinnedTo === undefined
    ? `${advice}. No ${sought} is named "${name}"${restorable}`
    : `${advice}. This API token is pinned to group ${pinnedTo} and sees no ${sought} named "${name}"${restorable}`;
};

export const idSpelling = ({ kind, idName, id }: Facts<"kind" | "idName" | "id">) =>
  `write the ${idName} of the ${kind} in lowercase with hyphens: \`import: "${id}"\``;
