import { message } from "../../platform/values/message";

export const argumentsConflict = message(
  (other: string) => `conflicts with \`${other}\`; set only one of them`,
  ["name"],
);

export const argumentMissing = message((other: string) => `is required unless \`${other}\` is set`, ["dbId"]);

/**
 * Reports that a function cannot find a database.
 *
 * @param database The DbId of the database, or its name in quotation marks.
 */
export const databaseNotFound = message(
  (database: string, organization: string, advice: string | undefined) => ({
    answer: `this API token sees no live database ${database} in organization "${organization}"`,
    advice: advice ?? "If the database was deleted within the last five days, `getDeletedDatabases` lists it",
  }),
  ['"orders"', "acme", undefined],
);

export const uuidInvalid = message((text: unknown) => `"${text}" is not a UUID`, ["orders"]);

export const INSTANT_INVALID = 'must be an RFC 3339 timestamp, such as "2026-11-20T08:00:00Z"';

export const untilNotAfter = message(
  (since: string) => `must be later than \`since\`, ${since}`,
  ["2026-11-20T08:00:00Z"],
);

export const LIMIT_NOT_WHOLE = "must be a whole number";
export const LIMIT_TOO_LOW = "must be at least 1";
