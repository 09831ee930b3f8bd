const SHOWN = 3;

/** @param place Path or address of the data, without credentials. */
export const cannotOpen = (place: string, reason: string): string =>
  `the data at ${place} could not be opened and brought to this version: ${reason}`;

/** Why the store did not process a request. */
export const NOT_DONE = {
  unavailable: "the data cannot be reached at the moment; nothing was done",
  full: "the disk that holds the data is full, so nothing was done: free space, then repeat the request",
} as const;

/** Reason of a failed start: the disk has no room. */
export const DISK_FULL = "the disk is full; free space, then start again";

/** Reason of a failed start: the file is read-only. */
export const READ_ONLY = "the file is read-only; make it and its folder writable, or give --data another place";

/** Reason of a failed start: the file cannot be opened. */
export const CANNOT_OPEN =
  "it is no file that can be opened; check that its folder exists and that it is a readable file, or give --data another place";

/** SQLite would take an empty path for a temporary file that it deletes at the end. */
export const NO_PLACE =
  "the place of the data is empty: give --data a file, postgres://user:password@host:5432/name, or :memory:";

/** @param place Path or address of the data, without credentials. */
export const nothingThere = (place: string): string => `there is no data at ${place}: start a server with it first`;

/** @param migrations The migrations that this version does not know. */
export const madeByNewer = (place: string, version: string, migrations: readonly string[]): string =>
  `The data at ${place} was made by a newer dbplatform-api: it has the migration ${listed(migrations)}, which version ${version} does not know. Nothing was changed. Install the newer version (npm install pulumi-dbplatform@latest), or give --data another place.`;

/**
 * @param tables The tables found there.
 * @param instead A place that can be used.
 */
export const ofAnotherProgram = (place: string, tables: readonly string[], instead: string): string =>
  `The data at ${place} belongs to another program: there are tables (${listed(tables)}), and none of dbplatform-api. Nothing was changed. Give --data ${instead}.`;

const listed = (names: readonly string[]): string =>
  names.length > SHOWN ? `${names.slice(0, SHOWN).join(", ")} and ${names.length - SHOWN} more` : names.join(", ");
