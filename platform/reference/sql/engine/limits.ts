/** How long one statement may run, in milliseconds. */
export const LIMIT_MS = 5_000;
