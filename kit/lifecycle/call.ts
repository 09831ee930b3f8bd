import { Refusal, type RefusalDetails } from "../refusal";

/** Describes one call from the Pulumi engine. */
export interface Call {
  /** URN of the resource or provider that the call is about. */
  readonly urn: string;
  /** Aborted when the user cancels the update: every wait ends, and no further request is sent. */
  readonly signal: AbortSignal;
  /** Aborted when the operation exceeds the time limit that the user set with `customTimeouts`. */
  readonly deadline?: AbortSignal;
  /**
   * Shows the user a message in the row of the resource and, unless it is a status, at the end of the run. Absent if the
   * protocol supports no messages.
   */
  readonly log?: (severity: "status" | "info" | "warning", message: string) => void;
}

/** The signals that end the work of a call. */
export type Ends = readonly AbortSignal[];

/**
 * Waits for work of the resource's author, which may never end by itself, until the call is cancelled or its time limit
 * has passed. Only for work that changes nothing.
 */
export async function untilCallEnds<T>(work: Promise<T>, ends: Ends, details: RefusalDetails): Promise<T> {
  const watching = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(new Refusal("cancelled", details));
    if (ends.some(({ aborted }) => aborted)) end();
    for (const signal of ends) signal.addEventListener("abort", end, { signal: watching.signal });
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    watching.abort();
    // Nobody waits for either of them any longer.
    for (const left of [work, ended]) left.catch(() => {});
  }
}

/** Yields the items of an author's list, which may never end by itself, until the call ends. */
export async function* eachUntilCallEnds<T>(
  items: AsyncIterable<T>,
  ends: Ends,
  details: RefusalDetails,
): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let isLooking = true;
  try {
    for (;;) {
      const { done, value } = await untilCallEnds(iterator.next(), ends, details);
      if (done) return;
      isLooking = false;
      yield value;
      isLooking = true;
    }
  } finally {
    const closed = iterator.return?.();
    // A list that still looks for its next item may never close.
    if (isLooking) closed?.catch(() => {});
    else await closed;
  }
}
