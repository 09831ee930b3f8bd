import { readableInstant } from "../../../platform/values/instant";
import type { Restorable } from "../../resource/results";

interface Named {
  /** Noun with its article: `a database`. */
  readonly kind: string;
  /** Name of the id property: `DbId`. */
  readonly idName: string;
  readonly name: string;
  /** Id of the live object with this name. */
  readonly live: string | undefined;
  /** Deleted objects with this name; `undefined` if the credential or the plan does not show deleted objects. */
  readonly deleted: readonly Restorable[] | undefined;
}

/** Explains that imports need an id, with the import line of every object that has or had the name. */
export function importByName({ kind, idName, name, live, deleted }: Named): string {
  const problem = `${kind} is imported by its ${idName}, not by its name`;
  const latestFirst = (deleted ?? []).toSorted((one, other) => Date.parse(other.deletedAt) - Date.parse(one.deletedAt));
  const lines = latestFirst.map(
    ({ id, deletedAt, restorableUntil }) =>
      `\n  ${importLine(id)} restores the one deleted on ${readableInstant(deletedAt)}, until ${readableInstant(restorableUntil)}`,
  );
  if (live !== undefined)
    return `${problem}: ${importLine(live)}${lines.length > 0 ? `. Deleted ones had that name too:${lines.join("")}` : ""}`;
  if (lines.length > 0)
    return `${problem}. None of the live ones is named "${name}", but these deleted ones were:${lines.join("")}`;
  return `${problem}, and ${deleted ? "none that is live or can be restored" : "no live one"} is named "${name}"`;
}

const importLine = (id: string): string => `\`import: "${id}"\``;
