/**
 * The lists that the client caches. `databases` holds live and deleted databases without their configurations, which
 * are retrieved one by one.
 */
export type Listed = "databases" | "groups" | "deletedGroups" | "apiTokens" | "members" | "invites";

/**
 * For each list, the request fields that identify the changed entry by id or name. A write request without any of these
 * fields may change any entry.
 */
export const ENTRY_NAMED_BY: Readonly<Record<Listed, readonly string[]>> = {
  databases: ["databaseId"],
  groups: ["groupId", "groupName", "body.name"],
  deletedGroups: ["groupId"],
  apiTokens: ["tokenId"],
  members: ["username", "body.username"],
  invites: ["email", "body.email"],
};
