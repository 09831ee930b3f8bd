import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";

/** The name of the SQLite file in a database's folder. */
export const FILE = "data";
export const LOG = `${FILE}-wal`;

/** The name of the file that identifies the process that opened a database most recently. */
const OWNER = "owner";

/**
 * Makes this process responsible for the history of the database. A process that still runs a slow statement cannot
 * close the database that has left it, and must not put the log aside with its outdated list of commits.
 */
export const takeOwnership = (folder: string): void => writeFileSync(join(folder, OWNER), String(process.pid));

/** Returns whether this process opened the database most recently. */
export function isOwnedHere(folder: string): boolean {
  const path = join(folder, OWNER);
  return existsSync(path) && readFileSync(path, "utf8") === String(process.pid);
}

/** Returns whether another process has opened the database since this process did, and is still running. */
export function isOwnedElsewhere(folder: string): boolean {
  const path = join(folder, OWNER);
  const owner = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
  return owner > 0 && owner !== process.pid && isRunning(owner);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns whether the folder of a database is somewhere in another folder. */
export const isBelow = (other: string, folder: string): boolean => folder.startsWith(`${other}${sep}`);

/** Returns the path of a database's file as SQLite reports it, without symbolic links. */
export const realDatabaseFile = (folder: string): string => join(realpathSync(folder), FILE);
