import { message } from "../../../platform/values/message";
import { type Authorship, authorName } from "../../resource/messages";

const MAX: Authorship = { author: "max", origin: "web", ago: "20 minutes ago" };

/**
 * Reports who changed properties that differ from the program.
 *
 * @param title The type and name of the object, or only its type if the object has no name.
 */
export const changedOutside = message(
  (properties: readonly string[], title: string, by: Authorship) => {
    const names = properties.map((property) => `\`${property}\``).join(" and ");
    const were = properties.length === 1 ? "was" : "were";
    return `${names} of ${title} ${were} changed outside Pulumi, most likely by ${authorName(by)}, ${by.ago}.`;
  },
  [["blockWrites"], "database configuration", MAX],
  [["deleteProtection", "name"], 'group "production"', MAX],
);
