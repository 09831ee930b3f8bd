/**
 * Kinds of list entries. `databases`: live and deleted databases without their configurations, which are retrieved one
 * by one.
 */
export type Listed = "databases" | "groups" | "apiTokens";

/**
 * Fields of a request that identify the changed entry, by id or name. A request that changes a list and has none of
 * these fields may change every entry of the list.
 */
export const ENTRY_NAMED_BY: Readonly<Record<Listed, readonly string[]>> = {
  databases: ["databaseId"],
  groups: ["groupId", "groupName", "body.name"],
  apiTokens: ["tokenId"],
};
