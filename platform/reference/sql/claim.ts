import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "../store/reason";
import { changeSetting, setting } from "../store/settings";
import type { Store } from "../store/store";
import { folderOfOthers, folderUnusable } from "./messages";

/** Name of the file that contains the id of the data that the folder belongs to. */
const OWNER = "data";

/** Files that may already be in the folder if a server was killed while it was setting up the folder. */
const OF_START = [OWNER, "lock", "lock-journal"];

class OfOthers extends Error {}

/** Returns the id that identifies the data in this store. The id is created on first use. */
export const idOfData = (store: Store): Promise<string> =>
  store.transaction([], async (state) => {
    const known = await setting(state, "data-id");
    if (known !== undefined) return known;
    const fresh = randomUUID();
    await changeSetting(state, "data-id", fresh);
    return fresh;
  });

/**
 * Creates the folder for the database files, or checks that an existing folder belongs to the data with this id.
 * Without this check, a server with other data would treat the files in the folder as leftovers, and delete them.
 *
 * @param place Path or address of the data, which must not contain credentials.
 * @throws Error if the folder belongs to other data, contains files of another program, or cannot be used.
 */
export function claim(folder: string, { id, place }: { readonly id: string; readonly place: string }): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, OWNER);
    const owner = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (owner === id) return;
    const isNew = owner === "" && readdirSync(folder).every((name) => OF_START.includes(name));
    if (!isNew) throw new OfOthers(folderOfOthers(folder, place));
    writeFileSync(file, id);
  } catch (cause) {
    throw cause instanceof OfOthers ? cause : new Error(folderUnusable(folder, reasonOf(cause)), { cause });
  }
}
