import { nameLengthLimit, nameProblem } from "../../values/name";
import type { Organization } from "../credentials/membership";
import { refuse } from "../messages";

/** Validates a name (wire-facts 10). The error for a wrong length has the public service's message. */
export function checkName(kind: "database" | "group", name: string, { slug }: Pick<Organization, "slug">): void {
  const longest = nameLengthLimit(slug);
  if (name.length < 1 || name.length > longest) throw refuse.invalidNameLength({ kind, longest });
  const reason = nameProblem(name);
  if (reason) throw refuse.invalidName({ kind, reason });
}

/** The group of a new or transferred database if the request names no group (wire-facts 13.4). */
export const DEFAULT_GROUP = "default";
