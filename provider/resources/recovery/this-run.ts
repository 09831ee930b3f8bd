import { isUuid } from "../../../platform/values/uuid";
import type { ResourceContext } from "../../resource/context";
import { createdLater, restoredLater } from "./messages";

/**
 * Returns advice about a missing object that this run creates or restores; `undefined` if this run does neither.
 *
 * @param wanted Name or UUID of the object.
 * @param id The expression from which a program gets the UUID.
 */
export function broughtByThisRun(wanted: string, { names }: ResourceContext, id: string): string | undefined {
  const brought = [...names].find(([key, name]) => key === wanted || name === wanted);
  if (!brought) return undefined;
  return isUuid(brought[0]) ? restoredLater(id) : createdLater(id);
}
