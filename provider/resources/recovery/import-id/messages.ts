import { readableInstant } from "../../../../kit/instant";
import { message } from "../../../../kit/message";

const ORDERS = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const OTHER = "5d1f7c2e-9a44-4f0b-b6c8-2e3a4b5c6d7e";
const DEFAULT_GROUP = "0e8c5f0a-3b1d-4c55-8f3e-6d1b2a7c9e10";
const [DELETED_AT, UNTIL] = ["2026-11-22T07:17:00Z", "2026-11-27T07:17:00Z"];

interface RestorableObject {
  readonly id: string;
  readonly deletedAt: string;
  readonly restorableUntil: string;
}

interface ImportedByName {
  readonly kind: "database" | "group";
  /** Name of the id property, for example `DbId`. */
  readonly idName: string;
  readonly name: string;
  /** Id of the live object with this name, if there is one. */
  readonly live?: string | undefined;
  /** The deleted objects with this name. `undefined` if they cannot be listed. */
  readonly deleted?: readonly RestorableObject[] | undefined;
  /** UUID of the only group that the API token can see, if the token is pinned to a group. */
  readonly pinnedTo?: string | undefined;
}

const importedByName: ImportedByName = { kind: "database", idName: "DbId", name: "orders" };
const restorableObject: RestorableObject = { id: OTHER, deletedAt: DELETED_AT, restorableUntil: UNTIL };

/** Explains that objects are imported by id, and shows an `import` line for each object with the given name. */
export const nameInsteadOfId = message(
  ({ kind, idName, name, live, deleted, pinnedTo }: ImportedByName) => {
    const advice = `import a ${kind} by its ${idName}, not by its name`;
    const lines = deleted?.map(
      ({ id, deletedAt, restorableUntil }) =>
        `\n  \`import: "${id}"\` restores the ${kind} deleted on ${readableInstant(deletedAt)}, until ${readableInstant(restorableUntil)}`,
    );
    const restorable = lines?.length ? `. These deleted ${kind}s had that name:${lines.join("")}` : "";
    if (live !== undefined) return `${advice}: \`import: "${live}"\`${restorable}`;
    const sought = `live ${lines?.length === 0 ? "or restorable " : ""}${kind}`;
    return pinnedTo === undefined
      ? `${advice}. No ${sought} is named "${name}"${restorable}`
      : `${advice}. This API token is pinned to group ${pinnedTo} and sees no ${sought} named "${name}"${restorable}`;
  },
  [{ ...importedByName, live: ORDERS }],
  [{ ...importedByName, live: ORDERS, deleted: [restorableObject] }],
  [{ ...importedByName, deleted: [restorableObject] }],
  [{ ...importedByName, deleted: [] }],
  [{ ...importedByName, deleted: [], pinnedTo: DEFAULT_GROUP }],
  [importedByName],
);

/**
 * Explains how to write an id in the `import` option.
 *
 * @param id The id in the platform's spelling.
 */
export const idSpelling = message(
  (idName: string, id: string) => `write the ${idName} in lowercase with hyphens: \`import: "${id}"\``,
  ["DbId", ORDERS],
);
