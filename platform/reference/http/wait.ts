import { setTimeout } from "node:timers/promises";

/** Resolves after the given time, or as soon as the signal is aborted. */
export async function waitUnless(signal: AbortSignal, milliseconds: number): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}
