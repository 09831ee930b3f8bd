import type { PlatformContext } from "../platform";

/**
 * Returns whether a resource of the program manages the configuration of a database, and with it the deletion
 * protection. A configuration is deleted before its database, but declared after it: it is missing only if the program
 * also removes the object that is to be deleted.
 *
 * @param isRemoved Whether the program removes the database, or the group that contains it.
 */
export const isConfigurationDeclared = (
  databaseId: string,
  isRemoved: boolean,
  { run }: Pick<PlatformContext, "run">,
): boolean =>
  run.inStack("DatabaseConfiguration", databaseId) &&
  !(isRemoved && run.leavesStack("DatabaseConfiguration", databaseId));
