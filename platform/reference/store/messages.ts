import type { Facts } from "../../values/facts";

/** Error messages for requests that the store did not process, by reason. */
export const NOT_DONE = {
  unavailable: "the data is currently unavailable; nothing was changed",
  full: "the disk that holds the data is full; nothing was changed. Free space, then repeat the request",
} as const;

/** The kinds of columns, as messages name their values. */
export const CONTAINED = {
  id: "an id",
  uuid: "a UUID",
  instant: "a time in UTC with milliseconds (RFC 3339)",
  count: "a count",
  flag: "0 or 1",
  object: "a JSON object",
  texts: "a JSON list of texts",
} as const;

const rowWith = ({ row }: Facts<"row">): string => (row === "" ? "a row" : `the row with ${row}`);
export const notStorable = ({ row, field, accepted }: Facts<"row" | "field" | "accepted">) =>
  `\`${field}\` of ${rowWith({ row })} would not be ${accepted}; nothing was changed. This is a defect of the reference API; please report it`;
export const valueChanged = ({ row, field, accepted }: Facts<"row" | "field" | "accepted">) =>
  `the data was changed by another program: \`${field}\` of ${rowWith({ row })} is not ${accepted}. Correct the value, or restore a backup of the data`;
export const referencesBroken = ({ tables }: { readonly tables: readonly string[] }) =>
  `another program has changed the file: rows of ${listed(tables)} refer to rows that do not exist. Restore a backup of the file`;
export const INVALID_CURSOR = "invalid cursor";
export const cannotOpen = ({ place, reason }: Facts<"place" | "reason">) =>
  `The data at ${place} could not be opened or migrated: ${reason}`;

// Reasons that `cannotOpen` can give
export const DISK_FULL = "the disk is full; free space, then start again";
export const READ_ONLY = "the file is read-only; make the file and its folder writable, or choose another --data";
export const CANNOT_OPEN =
  "the file cannot be opened; check that its folder exists and that the path is a readable file, or choose another --data";

/** With an empty path, SQLite would use a temporary file and delete it on close. */
export const NO_PLACE = "--data is empty. Use a file, postgres://user:password@host:5432/name or :memory:.";
export const INVALID_ADDRESS =
  "The address of the data is not valid. Use the form postgres://user:password@host:5432/name.";
export const dataMissing = ({ place }: Facts<"place">) =>
  `There is no data at ${place}. Run \`serve\` with this --data first.`;
export const createdByNewer = ({
  place,
  release,
  migrations,
}: Facts<"place" | "release"> & { readonly migrations: readonly string[] }) =>
  `The data at ${place} was created by a newer version: version ${release} does not know the migration ${listed(migrations)}. Nothing was changed. Install a newer version of the package from which this server is started, or choose another --data.`;
export const NEW_FILE = "a file that does not exist yet";
export const EMPTY_DATABASE = "an empty database";
export const ofAnotherProgram = ({
  place,
  tables,
  instead,
}: Facts<"place" | "instead"> & { readonly tables: readonly string[] }) =>
  `The data at ${place} belongs to another program: it has tables (${listed(tables)}), but none of the reference API. Nothing was changed. Use --data with ${instead}.`;
const SHOWN = 3;
const listed = (names: readonly string[]): string =>
  names.length > SHOWN ? `${names.slice(0, SHOWN).join(", ")} and ${names.length - SHOWN} more` : names.join(", ");
