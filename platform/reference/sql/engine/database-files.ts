import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The name of the SQLite file in a database's folder. */
export const FILE = "data";
export const LOG = `${FILE}-wal`;

/**
 * The file that lists the commits in a write-ahead log. Each line has the time of a commit and the number of frames in
 * the log after the commit.
 */
export const COMMITS = "commits";
/** The folder of the completed parts of the history. Each part is a numbered subfolder. */
export const PAST = "past";
export const UNFINISHED = "unfinished";

export interface Commit {
  readonly at: string;
  readonly frames: number;
}

/** Used when the creation time of a database is unknown. This instant is earlier than any real one. */
export const EVER = "0001-01-01T00:00:00.000Z";

/** Starts the list of commits for a new part of the history. */
export function beginCommitList(folder: string, commit: Commit): void {
  writeFileSync(join(folder, COMMITS), commitListLine(commit));
}

export const commitListLine = ({ at, frames }: Commit): string => `${at} ${frames}\n`;

export function commitListIn(folder: string): Commit[] {
  return readFileSync(join(folder, COMMITS), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [at = EVER, frames = "0"] = line.split(" ");
      return { at, frames: Number(frames) };
    });
}

export const lastInCommitList = (folder: string): Commit => commitListIn(folder).at(-1) ?? { at: EVER, frames: 0 };

/** Returns the names of the folders with completed parts of the history, oldest first. */
export const historyPartsIn = (past: string): string[] =>
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

const historyPartBytes = (part: string): number =>
  [FILE, LOG].reduce((sum, name) => sum + statSync(join(part, name)).size, 0);

/** Returns whether the history can keep a copy of the database in this folder. */
export const fitsHistoryPart = (folder: string): boolean => historyPartBytes(folder) <= MOST_BYTES;

/** Removes the oldest parts of the history until neither their number nor their total size exceeds the maximum. */
export function pruneHistoryParts(past: string): void {
  const parts = historyPartsIn(past).map((name) => join(past, name));
  const sizes = parts.map(historyPartBytes);
  let total = sizes.reduce((sum, size) => sum + size, 0);
  for (const [index, part] of parts.entries()) {
    if (parts.length - index <= MOST_PARTS && total <= MOST_BYTES) return;
    total -= sizes[index] ?? 0;
    removeDatabaseFiles(part);
  }
}

/**
 * Removes a folder of the history. Renames the folder first, so that the history never contains a half-removed folder,
 * even if the process is killed.
 */
export function removeDatabaseFiles(folder: string): void {
  const place = join(dirname(folder), UNFINISHED);
  rmSync(place, { recursive: true, force: true });
  if (!existsSync(folder)) return;
  renameSync(folder, place);
  rmSync(place, { recursive: true });
}

/** The name of the file that identifies the process that opened a database most recently. */
const OWNER = "owner";

/** Makes this process responsible for the history of the database (decision 172). */
export const ownDatabaseFiles = (folder: string): void => writeFileSync(join(folder, OWNER), String(process.pid));

/** Returns whether this process opened the database most recently. */
export function areOwnDatabaseFiles(folder: string): boolean {
  const path = join(folder, OWNER);
  return existsSync(path) && readFileSync(path, "utf8") === String(process.pid);
}

/** Returns whether another process has opened the database since this process did, and is still running. */
export function areDatabaseFilesOwnedElsewhere(folder: string): boolean {
  const path = join(folder, OWNER);
  const owner = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
  return owner > 0 && owner !== process.pid && isDatabaseFileOwnerRunning(owner);
}

function isDatabaseFileOwnerRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
