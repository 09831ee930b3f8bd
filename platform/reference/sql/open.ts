import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { orClosed } from "../or-closed";
import { ApiError } from "../refusal";
import { isPostgres, MEMORY } from "../store/open";
import { changeSetting, findSetting } from "../store/settings";
import type { Store } from "../store/store";
import { claimFolder, Folder } from "./folder";
import { alreadyServed, FOLDER_MISSING, FOLDER_NEEDLESS, NODE_TOO_OLD } from "./messages";
import { rowsBeside } from "./place";
import { SqlServer } from "./server";

export { isDatabaseHost } from "../operations/hostnames";

/** The options of the reference API that affect the SQL server. */
interface Options {
  readonly data?: string;
  readonly sql?: boolean;
  readonly sqlFolder?: string;
}

/** @throws Error if the options cannot be combined, or if this version of Node.js cannot restrict statements. */
export function assertCanOpen({ data = MEMORY, sql, sqlFolder }: Options): void {
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
export async function openSqlServer(store: Store, { data = MEMORY, sqlFolder = "" }: Options): Promise<SqlServer> {
  const folder = isPostgres(data)
    ? await openFolderForPostgres(store, data, resolve(sqlFolder))
    : openFolderBeside(data);
  return orClosed(folder, async () => {
    // Waits for a load or reset that an earlier server has begun to commit, because the other rows are removed.
    await folder.open(await store.transaction("all", (state) => findSetting(state, "rows")));
    return new SqlServer(store, folder);
  });
}

const openFolderBeside = (data: string): Folder => new Folder(data === MEMORY ? undefined : rowsBeside(data));

async function openFolderForPostgres(store: Store, data: string, root: string): Promise<Folder> {
  const [{ shownPostgresAddress }, { takeDataLock }] = await Promise.all([
    import("../store/postgres.js"),
    import("../store/data-lock.js"),
  ]);
  const place = shownPostgresAddress(data) ?? "";
  const lock = await takeDataLock(data, () => new ApiError(503, alreadyServed({ place })));
  return orClosed(lock, async () => {
    claimFolder(root, { id: await idOfData(store), place });
    return new Folder(root, lock);
  });
}

/** Returns the id that identifies the data in this store. The id is created on first use. */
const idOfData = (store: Store): Promise<string> =>
  store.transaction([], async (state) => {
    const known = await findSetting(state, "data-id");
    if (known !== undefined) return known;
    const fresh = randomUUID();
    await changeSetting(state, "data-id", fresh);
    return fresh;
  });
