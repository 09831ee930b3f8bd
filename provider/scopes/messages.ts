import { inputName } from "../command/messages";
import type { Facts } from "../facts";

// Errors

export const invalidPreview = ({ file }: Facts<"file">) =>
  `${inputName({ file })} is not a preview; write one with \`pulumi preview --json > preview.json\``;

export const failedPreview = ({ file }: Facts<"file">) =>
  `the preview in ${inputName({ file })} failed, so its steps are incomplete. Correct the error that it shows, and run the preview again`;

export const NO_OBJECTS =
  "the preview contains no objects of the platform. If the stack has some and they are unchanged, run `pulumi preview --json --show-sames`";

// The result

/** Heading above the result for one provider, used if the preview contains several providers. */
export const ofProvider = ({ providerName }: Facts<"providerName">) => `Provider "${providerName}":`;

/** Says which token is enough. `group` is absent if the group is known only during the update. */
export const groupToken = ({ group, scopes }: Facts<"scopes"> & Partial<Facts<"group">>) =>
  `This run needs an API token for ${group === undefined ? "one group" : `group "${group}"`} with ${scopes.length === 1 ? "the scope" : "the scopes"} ${scopes.map((scope) => `\`${scope}\``).join(", ")}.`;

export const organizationToken = ({ role, reasons }: Facts<"role" | "reasons">) =>
  `This run needs an organization-level API token of ${/^[aeiou]/.test(role) ? "an" : "a"} ${role}, because ${reasons.join(", and ")}.`;

export const impossibleForGroupToken = ({ operations }: Facts<"operations">) =>
  `a group-scoped token cannot ${operations.join(" or ")}`;

export const severalGroups = ({ groups }: Facts<"groups">) =>
  `the run works in ${groups.length} groups (${groups.join(", ")}) and a group-scoped token works in one`;

// Notes

export const groupUnseen = ({ objects }: Facts<"objects">) =>
  `The preview does not show the group of ${objects}, because its name or UUID is known only during the update. The token must be for the group of all objects.`;

/** Names the databases that are used as a `seed` and are not in the preview. */
export const seedInGroup = ({ databases }: Facts<"databases">) =>
  `The token must also see ${databases.join(", ")}, from which this run copies: they must be in the same group.`;

/** Says how to set the organization's UUID. It stands there if the preview shows it. */
export const organizationIdNeeded = ({
  providerName,
  organizationId = "<uuid>",
}: Facts<"providerName"> & Partial<Facts<"organizationId">>) =>
  `Such a token cannot look up its organization: ${
    providerName === "default"
      ? `\`pulumi config set dbplatform:organizationId ${organizationId}\``
      : `set \`organizationId: "${organizationId}"\` of the provider "${providerName}"`
  }.`;

export const someGroupsAlike = ({ name, id }: Facts<"name" | "id">) =>
  `If "${name}" and ${id} are one group, refer to it in one way; then a group-scoped token may be enough.`;

/** Names the lowest role that can see other users' tokens. */
export const onlyOwnTokens = ({ role }: Facts<"role">) =>
  `With a lower role than ${role}, a user sees only API tokens that the same user created.`;

/** Names the functions that no group-scoped token can call. */
export const functionsUnseen = ({ functions }: Facts<"functions">) =>
  `A preview does not show which functions a program calls. Most need the scope \`read\`; ${functions.join(", ")} need an organization-level token.`;

/** Ends a list of objects that is too long to print. */
export const andMore = ({ count }: Facts<"count">) => `and ${count} more`;
