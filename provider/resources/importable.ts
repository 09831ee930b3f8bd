import type { Restorable } from "../../kit/results";
import { canonicalUuid, isCanonicalUuid } from "../../platform/values/uuid";
import type { PlatformContext } from "../platform";
import { createdLater, idSpelling, nameInsteadOfId, restoredLater } from "./messages";

/** A kind of objects that users import by a UUID. */
export interface ImportableKind {
  readonly kind: "database" | "group";
  /** The users' word for the UUID, for example `DbId`. */
  readonly idName: string;
  /** Returns the UUID of the live object with this name. */
  live(name: string, context: PlatformContext): Promise<string | undefined>;
  /** Returns the deleted objects with this name, or `undefined` if this credential cannot list them. */
  deleted(name: string, context: PlatformContext): Promise<readonly Restorable[] | undefined>;
}

/** Returns what is wrong with the id of an import: another spelling of a UUID, or the name of an object. */
export async function importIdProblem(
  id: string,
  { kind, idName, ...find }: ImportableKind,
  context: PlatformContext,
): Promise<string | undefined> {
  if (isCanonicalUuid(id)) return undefined;
  const uuid = canonicalUuid(id);
  if (uuid) return idSpelling({ kind, idName, id: uuid });
  const live = await find.live(id, context);
  const namesakes = await find.deleted(id, context);
  const { groupId: pinnedTo } = context.platform.credential;
  return nameInsteadOfId({ kind, idName, name: id, live, namesakes, pinnedTo });
}

/** Outputs that contain the UUID of an object. */
const ID_OUTPUTS = { Database: "`dbId`", Group: "`group.id`" };

/**
 * Returns advice about a missing object that this update creates or restores, or `undefined` if the update does
 * neither.
 *
 * @param wanted Name or UUID of the object.
 */
export function adviceOnPlannedObject(
  type: keyof typeof ID_OUTPUTS,
  wanted: string,
  { run }: PlatformContext,
): string | undefined {
  const [id] = run.names.of(type, wanted) === undefined ? run.names.idsOf(type, wanted) : [wanted];
  if (id === undefined) return undefined;
  return isCanonicalUuid(id) ? restoredLater({ output: ID_OUTPUTS[type] }) : createdLater({ output: ID_OUTPUTS[type] });
}
