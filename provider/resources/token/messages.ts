import { readableInstant } from "../../../kit/instant";
import type { ContainedDatabase, Facts } from "../../facts";

// API tokens
export const apiTokenNotFound = ({ id, organization, reason }: Facts<"id" | "organization", "reason">) =>
  `organization "${organization}" has no API token with the id ${id}${reason === undefined ? "" : `: ${reason}`}`;
const INVALIDATES = "which permanently invalidates a group's API tokens";
export const revokedOrGroupLost = ({ groupName }: Facts<"groupName">) =>
  `it was revoked, or its group "${groupName}" was deleted or transferred in the meantime, ${INVALIDATES}`;
export const groupLost = ({ groupName, groupId, successor }: Facts<"groupName" | "groupId", "successor">) =>
  `its group "${groupName}" (${groupId}) was deleted or transferred, ${INVALIDATES}${successor === undefined ? "" : `. Another group (${successor}) now has that name`}`;
export const apiTokenOutOfSight = ({ id }: Facts<"id">) => ({
  answer: `the configured API token does not see API token ${id}, which may still be valid`,
  advice: "Use an API token of an admin or owner of the organization, or of the user who minted the token",
});
export const TOKEN_IN_OTHER_STACK = "declare the API token in a stack of its own";
export const ownApiToken = ({ name }: Facts<"name">) =>
  `the provider authenticates with API token "${name}" and would lose its access; run the command with another API token, or declare a second \`ApiToken\`, configure its token, and then remove this one`;
export const apiTokenNotRevoked = ({ name, id, reason }: Facts<"name" | "id" | "reason">) => ({
  tried: `could not revoke API token "${name}" (${id})`,
  answer: reason,
});
/** Pulumi asks no provider in the preview of `destroy`, but reads the stack before it. */
export const ownApiTokenManaged = ({ name }: Facts<"name">) =>
  `The provider authenticates with API token "${name}", which this stack manages, and never revokes it. To destroy this stack, use another API token.`;
export const SCOPES_MISSING = 'a group-scoped token needs scopes, for example `scopes: ["read-only"]`';
export const GROUP_MISSING = "`scopes` require a `group`; set `group` or remove `scopes`";
export const tokenNameInsteadOfId = ({ id }: Facts<"id">) =>
  `import an API token by its id, not by its name: \`import: "${id}"\``;

// Signing keys
export const ROTATION_OWNER = "set exactly one of `database` and `group`";
export const rotationIdInvalid = ({ reason }: Facts<"reason">) =>
  `the id is the DbId of the database or the UUID of the group whose key is rotated: ${reason}`;

export const firstTriggersRecorded = ({ hasValue }: { readonly hasValue: boolean }) =>
  hasValue
    ? "This update rotates no key: the first triggers are only recorded. To rotate the key, change a trigger in a later update."
    : "This update rotates no key, and no `triggers` are set. Set them in one update and change one in the next.";

/** `contained` is absent if the key is that of a database. */
export const keyRotation = (
  facts: Facts<"kind" | "name" | "id"> & {
    readonly contained?: readonly ContainedDatabase[] | undefined;
    readonly more?: number | undefined;
  },
) => {
  const { kind, name, id, contained, more = 0 } = facts;
  const shown = contained?.map((database) => `"${database.name}" (${database.id})`) ?? [];
  const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const live = list && ` Live databases of the group: ${list}.`;
  const [tokens, others] = contained
    ? ["the group and its databases", "deleted databases and "]
    : ["that database", ""];
  return `Rotating the signing key of ${kind} "${name}" (${id}) invalidates every SQL-engine token issued for ${tokens} so far, including ${others}tokens that this program does not declare.${live} Tokens whose \`keepers\` contain the \`generation\` of this resource are reissued in the same update.`;
};

// SQL-engine tokens
export const durationInvalid = ({ text }: Facts<"text">) =>
  `"${text}" is not a duration; use numbers with the units w, d, h, m, s, such as "2w1d30m"`;
export const RENEWAL_WITHOUT_EXPIRATION = "requires `expiration`; a token that never expires is never replaced";
export const renewalTooEarly = ({ renewBefore, expiration }: Facts<"renewBefore" | "expiration">) =>
  `"${renewBefore}" must be shorter than \`expiration\` ("${expiration}"); otherwise every update would issue a new token`;
export const tokenIssueUncertain = ({ cause, thing }: Facts<"cause" | "thing">) => ({
  tried: cause,
  answer: "it is unknown whether a token was issued, because the platform keeps no record of issued tokens",
  advice: `Run the command again to issue another token. If a first token was issued, nobody has received it; to invalidate it with all other tokens of ${thing}, rotate the signing key with a \`SigningKeyRotation\``,
});
export const SQL_TOKEN_UNIMPORTABLE =
  "A SQL-engine token cannot be imported, because the platform keeps no record of issued tokens. Declare the resource without `import` to issue another token; the old token stays valid until it expires or its signing key is rotated.";

export const tokenStaysValid = ({ thing, end }: Facts<"thing", "end">) => {
  const validity = end === undefined ? "indefinitely" : `until ${readableInstant(end)}`;
  return `A SQL-engine token cannot be revoked individually. This token is valid ${validity} as long as ${thing} exists, and again after a restoration, unless its signing key has been rotated since. To invalidate it and all other tokens of ${thing}, rotate the key: change a trigger of a \`SigningKeyRotation\`.`;
};
