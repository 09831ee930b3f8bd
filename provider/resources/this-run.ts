import { isUuid } from "../../platform/values/uuid";
import type { Platform } from "./platform";

/**
 * What to do about something that is not there because this run brings it; `undefined`: it does not.
 *
 * @param wanted Its name or its UUID.
 * @param id Where a program has its UUID from.
 */
export function broughtByThisRun(wanted: string, { names }: Platform, id: string): string | undefined {
  const brought = [...names].find(([key, name]) => key === wanted || name === wanted);
  if (!brought) return undefined;
  return isUuid(brought[0])
    ? "This run restores it, and not before this, so a preview cannot tell: `pulumi up --skip-preview`"
    : `This run makes it, and not before this: write its UUID (${id}), which is known only then`;
}
