import { type Authorship, authorName } from "../../../provider/permissions/messages";
import { message } from "../../message";

const MAX: Authorship = { author: "max", origin: "web", ago: "20 minutes ago" };

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
    return `${names} of ${thing} ${were} changed outside Pulumi, most likely by ${authorName(by)}, ${by.ago}.`;
  },
  [["blockWrites"], "this database configuration", MAX],
  [["deleteProtection", "name"], 'group "production"', MAX],
);
