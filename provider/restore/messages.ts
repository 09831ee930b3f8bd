import { readableInstant } from "../../kit/instant";
import { nameInUseBy } from "../../kit/messages";
import type { Facts } from "../facts";

// Options
export const INVALID_MOMENT = "Write a duration (10m, 2h, 1d12h) or an instant (2026-11-22T07:17:00Z).";
export const INVALID_RENAME = "The new name must contain {name}, for example '{name}-restored'.";
export const EMPTY_WINDOW = "--until is earlier than --since";

// Reasons why an object does not come back
const inWindow = (deletedAt: string) => `\`npx pulumi-dbplatform restore --since ${deletedAt}`;
export const authorUnproven = ({ author }: Facts<"author">) =>
  `the audit log does not prove whether ${author} deleted it. To restore it as well, leave out \`--by\``;
export const databaseNameTaken = ({ name, id, deletedAt }: Facts<"name" | "id" | "deletedAt">) =>
  `${nameInUseBy({ kind: "database", name, id })}. To restore it under another name: ${inWindow(deletedAt)} --name ${name} --rename '{name}-restored'\``;
export const groupNameTaken = ({ name, id, organization }: Facts<"name" | "id" | "organization">) =>
  `${nameInUseBy({ kind: "group", name, id })}. Rename that group in its program, or if it has none: \`curl "$DBPLATFORM_BASE_URL/v1/organizations/${organization}/groups/${name}/rename" -H "Authorization: Bearer $DBPLATFORM_API_TOKEN" -d '{ "name": "${name}-2" }'\``;

export const newerHasName = ({ kind, name, id, deletedAt }: Facts<"kind" | "name" | "id" | "deletedAt">) => {
  const advice =
    kind === "group"
      ? "To restore both, rename that group afterwards"
      : `To restore both: ${inWindow(deletedAt)} --name ${name} --rename '{name}-restored'\``;
  return `${kind} ${id}, which was deleted later, gets the name "${name}". ${advice}`;
};

export const newNameTaken = ({ newName, id }: Facts<"newName" | "id">) =>
  `${nameInUseBy({ kind: "database", name: newName, id })}. Choose another \`--rename\``;
export const newNameInvalid = ({ newName, reason }: Facts<"newName" | "reason">) =>
  `"${newName}" is not a valid name: ${reason}. Choose another \`--rename\``;
export const groupDeletedAfter = ({ groupName, groupId, deletedAt }: Facts<"groupName" | "groupId" | "deletedAt">) =>
  `its group "${groupName}" (${groupId}) was deleted after it and stays deleted. To restore both: ${inWindow(deletedAt)} --group ${groupId}\``;
export const withoutGroup = ({ groupName, groupId, successor }: Facts<"groupName" | "groupId" | "successor">) =>
  `its group "${groupName}" (${groupId}) was deleted with it, and group ${successor} now has that name. Rename group ${successor} first`;
export const objectStillDeleted = ({ kind, name, id }: Facts<"kind" | "name" | "id">) =>
  `${kind} "${name}" (${id}) was not restored`;

// Report
export const restorationPlan = (facts: Facts<"organization" | "since" | "until"> & { readonly count: number }) =>
  `Restores ${objects(facts.count)} of organization "${facts.organization}", deleted from ${facts.since} to ${facts.until}:`;
export const nothingToRestore = ({ organization, since, until }: Facts<"organization" | "since" | "until">) =>
  `Nothing to restore in organization "${organization}": no matching database or group deleted from ${since} to ${until} is still deleted.`;
export const notRestored = ({ count }: { readonly count: number }) => `Does not restore ${objects(count)}:`;
export const refusedObject = ({ type, name, id, reason }: Facts<"type" | "name" | "id" | "reason">) =>
  `${type} "${name}" (${id}): ${reason}.`;
export const tokensLost = ({ groups }: { readonly groups: readonly string[] }) =>
  `API tokens that were scoped to ${groups.map((name) => `group "${name}"`).join(", ")} stay revoked. Create new ones.`;
export const restorableOnly = ({ since }: Facts<"since">) =>
  `Deletions before ${readableInstant(since)} are older than five days and cannot be undone.`;
export const groupsUnlisted = ({ pinnedTo }: Facts<"pinnedTo">) =>
  `This API token is pinned to group ${pinnedTo}, so nothing in other groups is shown or restored.`;
export const COMES_WITH_GROUP = "with its group";
export const COMES_WITH_DATABASE = "with its database";
export const DECLARED_UNKNOWN =
  "Which stacks declare these objects is unknown. Pass the state of every stack (`pulumi stack export`) to see it. The next `pulumi preview` of each shows no change of these objects, except for new names and API tokens.";
export const declaredIn = ({
  stacks,
  isStillDeleted,
}: Facts<"isStillDeleted"> & { readonly stacks: readonly string[] }) =>
  `Run \`pulumi preview\` in ${stacks.join(", ")}: it ${isStillDeleted ? "shows what is still deleted" : "is empty, except for new names and API tokens"}.`;
export const OTHER_STACKS = "Stacks whose states were not given may declare these objects, too.";
const commandWith = (options: string) => `npx pulumi-dbplatform restore ${options} --yes`;
export const runToRestore = ({ options }: Facts<"options">) =>
  `Nothing was changed. To restore, run: ${commandWith(options)}`;
export const ifInterrupted = ({ options }: Facts<"options">) =>
  `If this is interrupted, continue with: ${commandWith(options)}`;
export const runAgain = ({ options }: Facts<"options">) => `To continue, run: ${commandWith(options)}`;
export const progress = ({
  done,
  count,
  failed,
  secondsLeft,
}: {
  readonly done: number;
  readonly count: number;
  readonly failed: number;
  readonly secondsLeft: number;
}) => `${done} of ${count} restored${failed === 0 ? "" : `, ${failed} failed`}, ${secondsLeft} s left`;
export const restoredObjects = ({ count, failed }: { readonly count: number; readonly failed: number }) =>
  `Restored ${objects(count)}${failed === 0 ? "" : `; ${objects(failed)} could not be restored`}.`;
const objects = (count: number) => `${count} ${count === 1 ? "object" : "objects"}`;
