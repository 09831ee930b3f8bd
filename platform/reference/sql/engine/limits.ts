/** How long one statement may run, in milliseconds. */
export const LIMIT_MS = 5_000;

/** How much memory a process may use while it runs a statement, in bytes. */
export const LIMIT_BYTES = 1024 ** 3;

/** The size of SQLite's pages in bytes. Database sizes are limited in pages. */
export const PAGE = 4096;

/** The maximum number of streams of one database that are running or waiting at the same time. */
export const MOST_AT_ONCE = 200;
