import { platformFunction } from "../platform";
import { findDatabase, oneDatabase, whichDatabase } from "./find-database";
import { LiveDatabase, liveDatabase } from "./live-database";

export const getDatabase = platformFunction({
  name: "getDatabase",
  reads: ["retrieveDatabase", "retrieveDatabaseById"],
  description: "One database, by name or DbId. Deleted databases are not found: see `getDeletedDatabases`.",
  args: oneDatabase,
  result: LiveDatabase,
  validate: whichDatabase,

  async read(wanted, context) {
    return liveDatabase(await findDatabase(wanted, context), context);
  },
});
