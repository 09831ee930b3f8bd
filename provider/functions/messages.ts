import type { Facts } from "../facts";

export const argumentsConflict = ({ other }: Facts<"other">) => `conflicts with \`${other}\`; set only one of them`;

export const argumentMissing = ({ other }: Facts<"other">) => `is required unless \`${other}\` is set`;

/** Reports that a function cannot find a database, which the program gave by name or by DbId. */
export const databaseNotFound = ({
  name,
  id,
  organization,
  advice = "If the database was deleted within the last five days, `getDeletedDatabases` lists it",
}: Facts<"organization"> & Partial<Facts<"name" | "id" | "advice">>) => ({
  answer: `this API token sees no live database ${name === undefined ? id : `"${name}"`} in organization "${organization}"`,
  advice,
});

export const uuidInvalid = ({ text }: Facts<"text">) => `"${text}" is not a UUID`;

export const INSTANT_INVALID = 'must be an RFC 3339 timestamp, such as "2026-11-20T08:00:00Z"';

export const untilNotAfter = ({ since }: Facts<"since">) => `must be later than \`since\`, ${since}`;

export const LIMIT_NOT_WHOLE = "must be a whole number";
export const LIMIT_TOO_LOW = "must be at least 1";
