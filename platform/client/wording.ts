/** Refusals that only the platform's text distinguishes, because status and code are the same. */
const BY_WORDS = [
  // Wire-facts 3.4: documented as 409; the public service answers 400, also for a restoration under a taken name (4.2).
  { status: 400, words: /already exists/i, kind: "taken" },
  // Wire-facts 3.4: the group of a database to create does not exist.
  { status: 400, words: /group (\S+ )?not found/i, kind: "absent" },
  // Wire-facts 1.2: the organization itself is not found, as opposed to an object in it.
  { status: 404, words: /organization (\S+ )?not found/i, kind: "unseen" },
] as const;

/** Returns the kind that the text of a refusal adds to its status, or `undefined`. */
export const kindByWords = (status: number, error: string) =>
  BY_WORDS.find((entry) => entry.status === status && entry.words.test(error))?.kind;

/**
 * Undici's message when a proxy refuses the connection; the code, `UND_ERR_ABORTED`, also stands for other failures.
 */
const PROXY_REFUSAL = /^Proxy response \(/;

export const isProxyRefusal = (message: string): boolean => PROXY_REFUSAL.test(message);
