const SHOWN = 3;

/** @param place Path or address of the data, without credentials. */
export const cannotOpen = (place: string, reason: string): string =>
  `the data at ${place} could not be opened and brought to this version: ${reason}`;

/** Why the store did not do what it was asked to do. */
export const NOT_DONE = {
  unavailable: "the data cannot be reached at the moment; nothing was done",
  full: "the disk that holds the data is full, so nothing was done: free space, then repeat the request",
} as const;

/** The reason of a start that has found no room to write. */
export const DISK_FULL = "the disk is full; free space, then start again";

/** The reason of a start that could not write. */
export const READ_ONLY = "the file is read-only; make it and its folder writable, or give --data another place";

/** The reason of a start that could not even open the file. */
export const CANNOT_OPEN =
  "it is no file that can be opened; check that its folder exists and that it is a readable file, or give --data another place";

/** The place is an empty text, which SQLite would take for a file that is deleted at the end. */
export const NO_PLACE =
  "the place of the data is empty: give --data a file, postgres://user:password@host:5432/name, or :memory:";

/** @param place Path or address of the data, without credentials. */
export const nothingThere = (place: string): string => `there is no data at ${place}: start a server with it first`;

/** @param migrations Those that this version does not know. */
export const madeByNewer = (place: string, version: string, migrations: readonly string[]): string =>
  `The data at ${place} was made by a newer dbplatform-api: it has the migration ${listed(migrations)}, which version ${version} does not know. Nothing was changed. Install the newer version (npm install pulumi-dbplatform@latest), or give --data another place.`;

/** @param tables Those that are there. @param instead A place that can be used. */
export const ofAnotherProgram = (place: string, tables: readonly string[], instead: string): string =>
  `The data at ${place} belongs to another program: there are tables (${listed(tables)}), and none of dbplatform-api. Nothing was changed. Give --data ${instead}.`;

const listed = (names: readonly string[]): string =>
  names.length > SHOWN ? `${names.slice(0, SHOWN).join(", ")} and ${names.length - SHOWN} more` : names.join(", ");
