import type { PlatformContext } from "../platform";

/** Returns whether the program declares the configuration of the database, with its deletion protection. */
export const isConfigurationDeclared = (databaseId: string, { run }: PlatformContext): boolean =>
  run.inStack("DatabaseConfiguration", databaseId) && !run.leavesStack("DatabaseConfiguration", databaseId);
