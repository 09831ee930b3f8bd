/** How long one statement may run, in milliseconds. */
export const LIMIT_MS = 5_000;

/** How long a statement runs before other jobs leave its process, in milliseconds. */
export const SLOW_MS = 100;

/** How much memory a process may use while it runs a statement, in bytes. */
export const LIMIT_BYTES = 1024 ** 3;

/** The size of SQLite's pages in bytes. Database sizes are limited in pages. */
export const PAGE = 4096;

/** The maximum number of streams of one database that are running or waiting at the same time. */
export const MOST_AT_ONCE = 200;

/** The maximum number of jobs that may be changing something in one process, or whose replies are still being sent. */
export const MOST_CHANGING = 16_384;

/** The maximum size of a stream's temporary tables, in pages (256 MiB). */
export const TEMPORARY_PAGES = 65_536;

/** The maximum size of a text or blob value, in bytes. */
export const MOST_BYTES = 64 * 1024 * 1024;

/** The maximum size of the rows that a job returns, in characters of JSON. */
export const MOST_RESULT = 32 * 1024 * 1024;

/**
 * The size of a job's results, in characters of JSON, above which the job runs no further statements. It includes
 * column names and errors, which can be long even if the request is short.
 */
export const MOST_RESPONSE = 2 * MOST_RESULT;

/** The maximum number of pages that SQLite allows in a database. */
export const MOST_PAGES = 2 ** 32 - 2;
