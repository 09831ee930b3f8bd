import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The file that names the process that has opened a database last. */
const OWNER = "owner";

/** Makes this process the one that keeps the history of a database (decision 172). */
export const own = (folder: string): void => writeFileSync(join(folder, OWNER), String(process.pid));

/** Returns whether another process, which still runs, has opened the database after this one. */
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
