/** Refusals that status and code do not tell apart, only the platform's words. */
const BY_WORDS = [
  // Wire-facts 3.4: documented as 409; the public service answers 400, as a restoration under a taken name does (4.2).
  { status: 400, words: /already exists/i, kind: "taken" },
  // Wire-facts 3.4: the group of a database that is created.
  { status: 400, words: /group (\S+ )?not found/i, kind: "absent" },
  // Wire-facts 1.2: the organization itself, not what is looked for in it.
  { status: 404, words: /organization (\S+ )?not found/i, kind: "unseen" },
] as const;

/** What the words of a refusal say beyond its status; `undefined`: nothing. */
export const kindByWords = (status: number, error: string) =>
  BY_WORDS.find((entry) => entry.status === status && entry.words.test(error))?.kind;

/** Undici's words for a proxy that makes no connection; its code, `UND_ERR_ABORTED`, also stands for other ends. */
const PROXY_REFUSAL = /^Proxy response \(/;

export const isProxyRefusal = (message: string): boolean => PROXY_REFUSAL.test(message);
