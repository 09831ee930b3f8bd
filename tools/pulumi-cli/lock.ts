import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

const busy = 5;
const askEvery = 200;

/**
 * Runs `work` while no other process holds the lock on the file. The lock is an SQLite lock, because the operating
 * system releases it when the process ends, even after a crash.
 */
export async function withLock<T>(
  file: string,
  { signal, waiting }: { signal?: AbortSignal | undefined; waiting: () => void },
  work: () => Promise<T>,
): Promise<T> {
  const database = new DatabaseSync(file);
  try {
    if (!locks(database)) {
      waiting();
      do await setTimeout(askEvery, undefined, { signal });
      while (!locks(database));
    }
    return await work();
  } finally {
    database.close();
  }
}

function locks(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (failure) {
    if ((failure as { errcode?: number }).errcode === busy) return false;
    throw failure;
  }
}
