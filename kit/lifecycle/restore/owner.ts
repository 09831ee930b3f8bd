import type { Platform } from "../../../provider/platform";
import { unlessRefused } from "../../refusal";
import type { ResourceContext } from "../../resource/context";

/**
 * Returns whether a group is live although its databases were deleted with it. Restoring one of them restores the group,
 * but not the others. Uses a list that may be a few seconds old, because only messages depend on the result.
 */
export async function isGroupLive(
  id: string,
  { platform: { organization } }: ResourceContext<Platform>,
): Promise<boolean> {
  const groups = await organization.recentGroups().catch(unlessRefused);
  return Boolean(groups?.items.some(({ uuid }) => uuid === id));
}
