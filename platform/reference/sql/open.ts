import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { orClosed } from "../or-closed";
import { ApiError } from "../refusal";
import { isPostgres, MEMORY } from "../store/open";
import type { Store } from "../store/store";
import { claim, idOfData } from "./claim";
import { Folder } from "./folder";
import { alreadyServed, FOLDER_MISSING, FOLDER_NEEDLESS, NODE_TOO_OLD } from "./messages";
import { SqlServer } from "./server";

export { isDatabaseHost } from "./access";

/** The options of the reference API that affect the SQL server. */
interface Options {
  readonly data?: string;
  readonly sql?: boolean;
  readonly sqlFolder?: string;
}

/** @throws Error if the options cannot be combined, or if this version of Node.js cannot restrict statements. */
export function assertSupported({ data = MEMORY, sql, sqlFolder }: Options): void {
  const isNeeded = sql && isPostgres(data);
  if (isNeeded && !sqlFolder) throw new Error(FOLDER_MISSING);
  if (!isNeeded && sqlFolder !== undefined) throw new Error(FOLDER_NEEDLESS);
  if (!("setAuthorizer" in DatabaseSync.prototype)) throw new Error(NODE_TOO_OLD);
}

/**
 * Opens the SQL server for the databases of a store.
 *
 * @throws Error if another server already serves the databases, or if the folder belongs to other data.
 */
export const openSqlServer = async (store: Store, { data = MEMORY, sqlFolder = "" }: Options): Promise<SqlServer> =>
  new SqlServer(store, isPostgres(data) ? await folderOf(store, data, resolve(sqlFolder)) : folderBeside(data));

// Resolves symbolic links, so that the folder is the same whether `data` is the file or a link to it.
const folderBeside = (data: string): Folder => new Folder(data === MEMORY ? undefined : `${realpathSync(data)}-sql`);

async function folderOf(store: Store, data: string, root: string): Promise<Folder> {
  const [{ shown }, { lockPostgres }] = await Promise.all([
    import("../store/postgres.js"),
    import("../store/postgres-lock.js"),
  ]);
  const place = shown(data) ?? "";
  const lock = await lockPostgres(data, () => new ApiError(503, alreadyServed(place)));
  return orClosed(lock, async () => {
    claim(root, { id: await idOfData(store), place });
    return new Folder(root, lock);
  });
}
