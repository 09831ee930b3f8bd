import { existsSync, realpathSync } from "node:fs";
import { isPostgres, MEMORY } from "../store/open";
import { findSetting } from "../store/settings";
import type { Store } from "../store/store";

/**
 * Returns the path of the folder with the rows of the databases, which is beside the data file. Resolves symbolic links,
 * so that the folder is the same whether `data` is the file or a link to it.
 */
export const rowsBeside = (data: string): string => `${realpathSync(data)}-sql`;

/** Returns whether a server with SQL has ever served this data. */
export async function hasRowsFolder(store: Store, data: string): Promise<boolean> {
  if (data === MEMORY) return false;
  if (!isPostgres(data)) return existsSync(rowsBeside(data));
  return (await store.read((state) => findSetting(state, "data-id"))) !== undefined;
}
