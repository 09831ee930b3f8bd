import type { Facts } from "../facts";

export const seedOrigin = ({ organization, readAt }: Facts<"organization" | "readAt">) =>
  `Organization "${organization}" as it was at ${readAt}, without rows and without the values of tokens.`;
export const ORGANIZATION_SETTINGS = "the settings of the organization";
export const listMissing = ({ objects, cause }: Facts<"objects" | "cause">) => `Without ${objects}: ${cause}.`;

/** Work that requires an admin or owner, and what the file lacks without that role. */
export const LISTING_ALL_TOKENS = "listing all API tokens";
export const TOKENS_OF_OTHERS = "the API tokens of other users";
export const PLACEHOLDER_OWNER = "placeholder-owner";
export const ownerAssumed = ({ username }: Facts<"username">) =>
  `The members are not known, so the file has one owner, "${username}".`;
export const groupLocationAssumed = ({ name, id, location }: Facts<"name" | "id" | "location">) =>
  `The platform does not show where the deleted group "${name}" (${id}) was, so the file says ${location}.`;
export const locationReplaced = ({ kind, name, location, wanted }: Facts<"kind" | "name" | "location" | "wanted">) =>
  `The reference API does not know the location "${location}" of ${kind} "${name}", so the file says ${wanted}.`;
export const billingPlanReplaced = ({ billingPlan, wanted }: Facts<"wanted", "billingPlan">) =>
  `${billingPlan === undefined ? "The plan of the organization is not known" : `The reference API does not know the plan "${billingPlan}"`}, so the file says ${wanted}.`;
export const groupOfDatabaseMissing = ({ name, id, groupName }: Facts<"name" | "id" | "groupName">) =>
  `Without the deleted database "${name}" (${id}): its group "${groupName}" is neither live nor listed as deleted.`;
export const LOG_ENTRIES = "entries of the audit log";
export const inviteTo = ({ email }: Facts<"email">) => `the invite to ${email}`;
export const apiToken = ({ name }: Facts<"name">) => `the API token "${name}"`;
export const entryLeftOut = ({ objects, cause }: Facts<"objects" | "cause">) =>
  `Without ${objects}, which the reference API cannot hold: ${cause}.`;
export const notAsSeed = ({ organization, cause }: Facts<"organization" | "cause">) =>
  `The reference API cannot hold organization "${organization}":\n${cause}`;
export const changedWhileRead = ({ organization }: Facts<"organization">) =>
  `Organization "${organization}" was changed while it was read. Run the command again.`;
