import { isUuid } from "../../../platform/values/uuid";
import type { ResourceContext } from "../../resource/context";

/**
 * Returns advice about a missing object that this run creates or restores; `undefined` if this run does neither.
 *
 * @param wanted Name or UUID of the object.
 * @param id The expression from which a program gets the UUID.
 */
export function broughtByThisRun(wanted: string, { names }: ResourceContext, id: string): string | undefined {
  const brought = [...names].find(([key, name]) => key === wanted || name === wanted);
  if (!brought) return undefined;
  return isUuid(brought[0])
    ? `This update creates or restores it, but not before this: wait for it with its UUID (${id}) or \`dependsOn\`. A preview does not find what an update restores: \`pulumi up --skip-preview\``
    : `This update creates it, but not before this: write its UUID (${id}), which is known only then`;
}
