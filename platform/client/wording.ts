/**
 * Error messages that must be read to recognize the kind of error, because the status and the code are the same for
 * several kinds.
 */
const BY_WORDS = [
  // Wire-facts 3.4, 4.2: a name is taken. The documented status is 409, but the public service returns 400.
  { status: 400, words: /already exists/i, kind: "taken" },
  // Wire-facts 3.4: a database cannot be created because its group does not exist.
  { status: 400, words: /group (\S+ )?not found/i, kind: "absent" },
  // Wire-facts 1.2: the organization itself does not exist, as opposed to an object in the organization.
  { status: 404, words: /organization (\S+ )?not found/i, kind: "unseen" },
] as const;

/** Returns the kind of an error if the platform's message is needed to recognize it, or `undefined`. */
export const kindByWords = (status: number, error: string) =>
  BY_WORDS.find((entry) => entry.status === status && entry.words.test(error))?.kind;

/**
 * Matches undici's message about a proxy that refused the connection. The error code `UND_ERR_ABORTED` is not enough,
 * because other errors have the same code.
 */
const PROXY_REFUSAL = /^Proxy response \(/;

export const isProxyRefusal = (message: string): boolean => PROXY_REFUSAL.test(message);
