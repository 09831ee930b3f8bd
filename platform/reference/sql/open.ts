import { DatabaseSync } from "node:sqlite";
import { isPostgres } from "../store/open";
import type { Store } from "../store/store";
import { NODE_TOO_OLD, NOT_ON_POSTGRES } from "./messages";
import { SqlServer } from "./server";

/**
 * Opens the SQL server for the databases of a store.
 *
 * @throws Error if the data or this version of Node.js does not support it, or if another server serves the databases.
 */
export function openSqlServer(store: Store, data: string): SqlServer {
  if (isPostgres(data)) throw new Error(NOT_ON_POSTGRES);
  if (!("setAuthorizer" in DatabaseSync.prototype)) throw new Error(NODE_TOO_OLD);
  return new SqlServer(store, data);
}
