import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { FILE, LOG } from "./database-files";

export const UNFINISHED = "unfinished";

/** Returns the names of the folders with completed parts of the history, oldest first. */
export const partsIn = (past: string): string[] =>
  existsSync(past)
    ? readdirSync(past)
        .filter((name) => name !== UNFINISHED)
        .sort((one, other) => Number(one) - Number(other))
    : [];

/**
 * The maximum number of parts in the history of a database, and their maximum total size in bytes. The number is
 * limited too, because many parts may be small: closing an idle database also begins a new part.
 */
const MOST_PARTS = 100;
const MOST_BYTES = 256 * 1024 * 1024;

const bytesOf = (part: string): number => [FILE, LOG].reduce((sum, name) => sum + statSync(join(part, name)).size, 0);

/** Returns whether the history can keep a copy of the database in this folder. */
export const fitsHistory = (folder: string): boolean => bytesOf(folder) <= MOST_BYTES;

/** Removes the oldest parts of the history until neither their number nor their total size exceeds the maximum. */
export function pruneParts(past: string): void {
  const parts = partsIn(past).map((name) => join(past, name));
  const sizes = parts.map(bytesOf);
  let total = sizes.reduce((sum, size) => sum + size, 0);
  for (const [index, part] of parts.entries()) {
    if (parts.length - index <= MOST_PARTS && total <= MOST_BYTES) return;
    total -= sizes[index] ?? 0;
    removeHistoryFolder(part);
  }
}

/**
 * Removes a folder of the history. Renames the folder first, so that the history never contains a half-removed folder,
 * even if the process is killed.
 */
export function removeHistoryFolder(folder: string): void {
  const place = join(dirname(folder), UNFINISHED);
  rmSync(place, { recursive: true, force: true });
  if (!existsSync(folder)) return;
  renameSync(folder, place);
  rmSync(place, { recursive: true });
}
