import { message } from "../../message";
/** The author of a change, as named in messages about drift. */
export interface Authorship {
  /** For example `ada with the CLI`. */
  readonly author: string;
  /** How long ago the author made the change, for example `3 hours ago`. */
  readonly ago: string;
}

const MAX: Authorship = { author: "max (web)", ago: "20 minutes ago" };

/**
 * Reports who changed properties that differ from the program.
 *
 * @param thing The object as it appears in the sentence, for example `database "orders"` or `this database
 * configuration`.
 */
export const changedOutside = message(
  (properties: readonly string[], thing: string, by: Authorship) => {
    const names = properties.map((property) => `\`${property}\``).join(" and ");
    const were = properties.length === 1 ? "was" : "were";
    return `${names} of ${thing} ${were} changed outside Pulumi, most likely by ${by.author}, ${by.ago}.`;
  },
  [["blockWrites"], "this database configuration", MAX],
  [["deleteProtection", "name"], 'group "production"', MAX],
);
