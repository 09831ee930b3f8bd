/**
 * The lists that the client caches. `databases` holds live and deleted databases without their configurations, which
 * are retrieved one by one.
 */
export type Listed = "databases" | "groups" | "apiTokens" | "members" | "invites";

/**
 * Fields of a request that identify the changed entry of a list, by id or name. A request that changes the list and has
 * none of these fields may change every entry.
 */
export const ENTRY_NAMED_BY: Readonly<Record<Listed, readonly string[]>> = {
  databases: ["databaseId"],
  groups: ["groupId", "groupName", "body.name"],
  apiTokens: ["tokenId"],
  members: ["username", "body.username"],
  invites: ["email", "body.email"],
};
