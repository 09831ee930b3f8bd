import { message } from "../../values/message";

export const SCOPES_WITHOUT_GROUP = "scopes require a group";
export const GROUP_WITHOUT_ORGANIZATION = "a group-scoped token cannot be unrestricted; leave out organization: null";
export const USER_AND_ROLE = "specify a user or a role, not both";

/**
 * Reports that a token cannot be minted, because its organization, user or group does not exist.
 *
 * @param name Name of the missing organization, user or group. Omitted if there is no organization at all.
 */
export const objectMissing = message(
  (kind: "organization" | "user" | "group", name: string | null | undefined) =>
    `the reference API has no ${kind}${name == null ? "" : ` "${name}"`}`,
  ["user", "zoe"],
  ["organization", undefined],
);
export const roleMissing = message(
  (roles: readonly string[], slug: string) => `organization "${slug}" has no ${roles.join(" or ")}`,
  [["owner", "admin"], "acme"],
);
export const usernameTaken = message(
  (username: string) => `"${username}" cannot be a username, because it is the slug of an organization`,
  ["acme"],
);
