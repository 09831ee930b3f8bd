import { DatabaseSync } from "node:sqlite";
import { isPostgres } from "../store/open";
import type { Store } from "../store/store";
import { NODE_TOO_OLD, NOT_ON_POSTGRES } from "./messages";
import { SqlServer } from "./server";

export { isDatabaseHost } from "./access";

/** @throws Error if the data is in PostgreSQL, or if this version of Node.js cannot restrict statements. */
export function assertSupported(data: string): void {
  if (isPostgres(data)) throw new Error(NOT_ON_POSTGRES);
  if (!("setAuthorizer" in DatabaseSync.prototype)) throw new Error(NODE_TOO_OLD);
}

/**
 * Opens the SQL server for the databases of a store.
 *
 * @param data The path of the store's data file, or `:memory:`.
 * @throws Error if another server already serves the databases.
 */
export const openSqlServer = (store: Store, data: string): SqlServer => new SqlServer(store, data);
