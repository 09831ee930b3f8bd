import { isUuid } from "../../../platform/values/uuid";
import type { ResourceContext } from "../../resource/context";

/**
 * What to do about something that is not there because this run brings it; `undefined`: it does not.
 *
 * @param wanted Its name or its UUID.
 * @param id Where a program has its UUID from.
 */
export function broughtByThisRun(wanted: string, { names }: ResourceContext, id: string): string | undefined {
  const brought = [...names].find(([key, name]) => key === wanted || name === wanted);
  if (!brought) return undefined;
  return isUuid(brought[0])
    ? `This update creates or restores it, but not before this: wait for it with its UUID (${id}) or \`dependsOn\`. A preview does not find what an update restores: \`pulumi up --skip-preview\``
    : `This update creates it, but not before this: write its UUID (${id}), which is known only then`;
}
