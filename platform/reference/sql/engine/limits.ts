/** How long one statement may run, in milliseconds. */
export const LIMIT_MS = 5_000;

/** How much memory a process may use while it runs a statement, in bytes. */
export const LIMIT_BYTES = 1024 ** 3;

/** The size of SQLite's pages, in which the size of a database is limited. */
export const PAGE = 4096;

/** The largest number of streams of one database that work or wait at once. */
export const MOST_AT_ONCE = 200;
