import { readableInstant } from "../../../kit/instant";
import { message } from "../../../platform/values/message";

const ORDERS = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const DEFAULT_GROUP = "0e8c5f0a-3b1d-4c55-8f3e-6d1b2a7c9e10";
const OTHER = "5d1f7c2e-9a44-4f0b-b6c8-2e3a4b5c6d7e";
const TOKEN = "tok-42";

/**
 * Reports that an API token does not exist.
 *
 * @param reason The reason why the token no longer exists, if it is known.
 */
export const apiTokenNotFound = message(
  (id: string, organization: string, reason: string | undefined) =>
    `organization "${organization}" has no API token with the id ${id}${reason === undefined ? "" : `: ${reason}`}`,
  [TOKEN, "acme", undefined],
  [TOKEN, "acme", "it was revoked"],
);

export const revokedOrGroupLost = message(
  (groupName: string) =>
    `it was revoked, or its group "${groupName}" was deleted or transferred in the meantime, which permanently invalidates a group's API tokens`,
  ["default"],
);

/**
 * Explains that an API token is no longer valid because its group was deleted or transferred.
 *
 * @param successor UUID of the live group that now has the group's name, if there is one.
 */
export const groupLost = message(
  (groupName: string, groupId: string, successor: string | undefined) =>
    `its group "${groupName}" (${groupId}) was deleted or transferred, which permanently invalidates a group's API tokens${successor === undefined ? "" : `. Another group (${successor}) now has that name`}`,
  ["default", DEFAULT_GROUP, undefined],
  ["default", DEFAULT_GROUP, OTHER],
);

export const apiTokenOutOfSight = message(
  (id: string) => ({
    answer: `the configured API token does not see API token ${id}, which may still be valid`,
    advice: "Use an API token of an admin or owner of the organization, or of the user who minted the token",
  }),
  [TOKEN],
);

export const SCOPES_EMPTY = "a group-scoped token needs at least one scope";
export const SCOPES_MISSING = 'a group-scoped token needs scopes, for example `scopes: ["read-only"]`';
export const GROUP_MISSING = "`scopes` require a `group`; set `group` or remove `scopes`";

export const nameInsteadOfId = message(
  (id: string) => `import an API token by its id, not by its name: \`import: "${id}"\``,
  [TOKEN],
);

export const ROTATION_OWNER = "set exactly one of `database` and `group`";

/**
 * Explains that the id of a key rotation is the id of its database or group.
 *
 * @param databaseProblem The reason why the given id is not a DbId.
 */
export const rotationIdInvalid = message(
  (databaseProblem: string) =>
    `the id is the DbId of the database or the UUID of the group whose key is rotated: ${databaseProblem}`,
  ["import a database by its DbId, not by its name"],
);

const REISSUED = "Tokens whose `keepers` contain the `generation` of this resource are reissued in the same update.";

export const databaseKeyRotation = message(
  (name: string, id: string) =>
    `Rotating the signing key of database "${name}" (${id}) invalidates every SQL-engine token issued for that database so far, including tokens that this program does not declare. ${REISSUED}`,
  ["orders", ORDERS],
);

/**
 * Warns that rotating a group's key invalidates the tokens of all its databases.
 *
 * @param databases The first live databases of the group.
 * @param more Number of live databases that are not in `databases`.
 */
export const groupKeyRotation = message(
  (group: Named, databases: readonly Named[], more: number) => {
    const shown = databases.map(({ name, id }) => `"${name}" (${id})`);
    const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
    const live = list && ` Live databases of the group: ${list}.`;
    return `Rotating the signing key of group "${group.name}" (${group.id}) invalidates every SQL-engine token issued for the group and its databases so far, including deleted databases and tokens that this program does not declare.${live} ${REISSUED}`;
  },
  [{ name: "default", id: DEFAULT_GROUP }, [], 0],
  [{ name: "default", id: DEFAULT_GROUP }, [{ name: "orders", id: ORDERS }], 3],
);

interface Named {
  readonly name: string;
  readonly id: string;
}

export const durationInvalid = message(
  (text: string) => `"${text}" is not a duration; use numbers with the units w, d, h, m, s, such as "2w1d30m"`,
  ["soon"],
);

export const RENEWAL_WITHOUT_EXPIRATION = "requires `expiration`; a token that never expires is never replaced";

export const renewalTooEarly = message(
  (renewBefore: string, expiration: string) =>
    `"${renewBefore}" must be shorter than \`expiration\` ("${expiration}"); otherwise every update would issue a new token`,
  ["1w", "7d"],
);

/**
 * Reports that no response arrived, so the token may or may not have been issued.
 *
 * @param failure The reason why there is no response.
 * @param owner What the token is for, for example `database <DbId>`.
 */
export const tokenIssueUncertain = message(
  (failure: string, owner: string) => ({
    tried: failure,
    answer: "it is unknown whether a token was issued, because the platform keeps no record of issued tokens",
    advice: `Run the command again to issue another token. If a first token was issued, nobody has received it; to invalidate it with all other tokens of ${owner}, rotate the signing key with a \`SigningKeyRotation\``,
  }),
  ["no response from the platform", `database ${ORDERS}`],
);

export const SQL_TOKEN_UNIMPORTABLE =
  "A SQL-engine token cannot be imported, because the platform keeps no record of issued tokens. Declare the resource without `import` to issue another token; the old token stays valid until it expires or its signing key is rotated.";

/**
 * Warns that a token stays valid after its resource is deleted.
 *
 * @param owner What the token is for, for example `database <DbId>`.
 */
export const tokenStaysValid = message(
  (owner: string, expiresAt: string | undefined) => {
    const end = expiresAt === undefined ? "indefinitely" : `until ${readableInstant(expiresAt)}`;
    return `A SQL-engine token cannot be revoked individually. This token is valid ${end} as long as ${owner} exists, and again after a restoration, unless its signing key has been rotated since. To invalidate it and all other tokens of ${owner}, rotate the key: change a trigger of a \`SigningKeyRotation\`.`;
  },
  ['group "default"', undefined],
  [`database ${ORDERS}`, "2026-12-22T07:17:00Z"],
);
