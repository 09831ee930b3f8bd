import { isUuid } from "../../../platform/values/uuid";
import type { ResourceContext } from "../../resource/context";
import { createdLater, restoredLater } from "./messages";

/**
 * Returns advice about a missing object that this update creates or restores, or `undefined` if the update does
 * neither.
 *
 * @param wanted Name or UUID of the object.
 * @param id Output with the object's UUID, for example `group.id`.
 */
export function adviceForThisRun(wanted: string, { names }: ResourceContext, id: string): string | undefined {
  const brought = [...names].find(([key, name]) => key === wanted || name === wanted);
  if (!brought) return undefined;
  return isUuid(brought[0]) ? restoredLater(id) : createdLater(id);
}
