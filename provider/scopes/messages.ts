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
export const ofProvider = ({ providerName }: Facts<"providerName">) => `Provider "${providerName}":`;
const listedScopes = ({ scopes }: { readonly scopes: readonly string[] }) =>
  `${scopes.length === 1 ? "the scope" : "the scopes"} ${scopes.map((scope) => `\`${scope}\``).join(", ")}`;
export const groupToken = ({ group, scopes }: Facts<never, "group"> & { readonly scopes: readonly string[] }) =>
  `This run needs an API token for ${group === undefined ? "one group" : `group "${group}"`} with ${listedScopes({ scopes })}.`;
export const organizationToken = ({ role, reasons }: Facts<"role"> & { readonly reasons: readonly string[] }) =>
  `This run needs an organization-level API token of ${/^[aeiou]/.test(role) ? "an" : "a"} ${role}, because ${reasons.join(", and ")}.`;
export const impossibleForGroupToken = ({ operations }: { readonly operations: readonly string[] }) =>
  `a group-scoped token cannot ${operations.join(" or ")}`;
export const severalGroups = ({ groups }: { readonly groups: readonly string[] }) =>
  `the run works in ${groups.length} groups (${groups.join(", ")}) and a group-scoped token works in one`;

// The result of --allow
export const enoughScopes = ({ scopes, isEnough }: Facts<"isEnough"> & { readonly scopes: readonly string[] }) =>
  `A group-scoped API token with ${listedScopes({ scopes })} is ${isEnough ? "" : "not "}enough for this run.`;
export const NOTHING_NEEDED = "This run needs no API token, because its preview contains no objects of the platform.";

// Notes
export const groupUnseen = ({ objects }: Facts<"objects">) =>
  `The preview does not show the group of ${objects}, because its name or UUID is known only during the update. The token must be for the group of all objects.`;
export const seedInGroup = ({ databases }: { readonly databases: readonly string[] }) =>
  `The token must also see ${databases.join(", ")}, from which this run copies: they must be in the same group.`;

export const organizationIdNeeded = (facts: Facts<"providerName", "organizationId">) => {
  const { providerName, organizationId = "<uuid>" } = facts;
  const advice =
    providerName === "default"
      ? `\`pulumi config set dbplatform:organizationId ${organizationId}\``
      : `set \`organizationId: "${organizationId}"\` of the provider "${providerName}"`;
  return `Such a token cannot look up its organization: ${advice}.`;
};

export const someGroupsAlike = ({ name, id }: Facts<"name" | "id">) =>
  `If "${name}" and ${id} are one group, refer to it in one way; then a group-scoped token may be enough.`;
export const onlyOwnTokens = ({ role }: Facts<"role">) =>
  `With a lower role than ${role}, a user sees only API tokens that the same user created.`;
export const functionsUnseen = ({ functions }: { readonly functions: readonly string[] }) =>
  `A preview does not show which functions a program calls. Most need the scope \`read\`; ${functions.join(", ")} need an organization-level token.`;
export const andMore = ({ count }: { readonly count: number }) => `and ${count} more`;
