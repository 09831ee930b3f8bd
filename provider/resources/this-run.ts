import { isUuid } from "../../platform/values/uuid";
import type { PlatformContext } from "../platform";
import { createdLater, restoredLater } from "./messages";

/** Outputs that contain the UUID of an object. */
const ID_OUTPUTS = { Database: "`dbId`", Group: "`group.id`" };

/**
 * Returns advice about a missing object that this update creates or restores, or `undefined` if the update does
 * neither.
 *
 * @param wanted Name or UUID of the object.
 */
export function adviceForThisRun(
  type: keyof typeof ID_OUTPUTS,
  wanted: string,
  { run }: PlatformContext,
): string | undefined {
  const [id] = run.names.of(type, wanted) === undefined ? run.names.idsOf(type, wanted) : [wanted];
  if (id === undefined) return undefined;
  return isUuid(id) ? restoredLater(ID_OUTPUTS[type]) : createdLater(ID_OUTPUTS[type]);
}
