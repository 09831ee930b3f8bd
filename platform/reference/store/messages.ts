const SHOWN = 3;

/** @param place Path or address of the data, without credentials. */
export const cannotOpen = (place: string, reason: string): string =>
  `the data at ${place} could not be opened and brought to this version: ${reason}`;

/** The reason of a start that has found no room to write. */
export const DISK_FULL = "the disk is full; free space, then start again";

/** @param migrations Those that this version does not know. */
export const madeByNewer = (place: string, version: string, migrations: readonly string[]): string =>
  `The data at ${place} was made by a newer dbplatform-api: it has the migration ${listed(migrations)}, which version ${version} does not know. Nothing was changed. Install the newer version (npm install pulumi-dbplatform@latest), or give --data another place.`;

/** @param tables Those that are there. @param instead A place that can be used. */
export const ofAnotherProgram = (place: string, tables: readonly string[], instead: string): string =>
  `The data at ${place} belongs to another program: there are tables (${listed(tables)}), and none of dbplatform-api. Nothing was changed. Give --data ${instead}.`;

const listed = (names: readonly string[]): string =>
  names.length > SHOWN ? `${names.slice(0, SHOWN).join(", ")} and ${names.length - SHOWN} more` : names.join(", ");
