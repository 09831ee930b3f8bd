/** What lists show. `databases`: live and deleted ones, without their configurations, which are retrieved one by one. */
export type Listed = "databases" | "groups" | "apiTokens";

/**
 * Fields of a request that name the entry it changes, by id or by name. A request that changes a list and has none of
 * these fields may change every entry of it.
 */
export const ENTRY_NAMED_BY: Readonly<Record<Listed, readonly string[]>> = {
  databases: ["databaseId"],
  groups: ["groupId", "groupName", "body.name"],
  apiTokens: ["tokenId"],
};
