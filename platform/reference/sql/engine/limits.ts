/** How long one statement may run, in milliseconds. */
export const LIMIT_MS = 5_000;

/** How much memory a process may use while it runs a statement, in bytes. */
export const LIMIT_BYTES = 1024 ** 3;
