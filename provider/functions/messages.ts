import type { Facts } from "../facts";

export const argumentMissing = ({ other }: Facts<"other">) => `is required unless \`${other}\` is set`;
export const databaseNotFound = (
  facts: Facts<"organization", "advice"> &
    ({ readonly name: string } | { readonly name?: undefined; readonly id: string }),
) => ({
  answer: `this API token sees no live database ${facts.name === undefined ? facts.id : `"${facts.name}"`} in organization "${facts.organization}"`,
  advice: facts.advice ?? "If the database was deleted within the last five days, `getDeletedDatabases` lists it",
});
export const uuidInvalid = ({ text }: Facts<"text">) => `"${text}" is not a UUID`;
export const untilNotAfter = ({ since }: Facts<"since">) => `must be later than \`since\`, ${since}`;
export const LIMIT_NOT_WHOLE = "must be a whole number";
export const LIMIT_TOO_LOW = "must be at least 1";
