import { setTimeout as wait } from "node:timers/promises";
import { isBusy } from "./sqlite-errors";

const PATIENCE_MS = 10_000;
const PAUSE_MS = 2;

/**
 * Retries work that fails because another connection is writing to the same file. Waiting inside SQLite would block the
 * whole process, so a writer in this process could never finish.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let end: number | undefined; ; ) {
    try {
      return await work();
    } catch (thrown) {
      if (!isBusy(thrown)) throw thrown;
      end ??= performance.now() + PATIENCE_MS;
      if (performance.now() > end) throw thrown;
      await wait(PAUSE_MS);
    }
  }
}
