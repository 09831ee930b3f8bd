import type { Restorable } from "../../../../kit/resource/results";
import { nameInsteadOfId } from "./messages";

interface Named {
  readonly kind: "database" | "group";
  readonly idName: string;
  readonly name: string;
  readonly live: string | undefined;
  /** The deleted objects with this name. `undefined` if the credential or the plan hides deleted objects. */
  readonly deleted: readonly Restorable[] | undefined;
  /** UUID of the only group that the credential can access. */
  readonly pinnedTo: string | undefined;
}

/** Explains that objects are imported by id, and shows the import line for every object that has or had the name. */
export const importByName = (named: Named): string =>
  nameInsteadOfId({
    ...named,
    deleted: named.deleted?.toSorted((one, other) => Date.parse(other.deletedAt) - Date.parse(one.deletedAt)),
  });
