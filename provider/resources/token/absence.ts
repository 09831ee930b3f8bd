import { isRefusal, Refusal, unlessRefused } from "../../../kit/refusal";
import { callerOf, isAdmin } from "../../client/caller";
import type { PlatformContext } from "../../platform";
import { assertSeesGroup } from "../group/reference";
import { apiTokenOutOfSight, groupLost, revokedOrGroupLost } from "./messages";

interface TokenState {
  readonly token?: string;
  readonly groupId?: string | undefined;
  readonly groupName?: string | undefined;
}

/**
 * Confirms that a token no longer exists. If the token itself is known, checks that the platform rejects it. Otherwise
 * the caller must be an admin or owner, because other users see only the tokens that they created (§5 rule 9).
 */
export async function confirmAbsence(
  id: string,
  known: TokenState | undefined,
  context: PlatformContext,
): Promise<void> {
  assertSeesGroup(known?.groupId, context);
  if (known?.token !== undefined) {
    const isRevoked = await context.platform
      .apiWith(known.token)
      .validateApiToken()
      .then(() => false, isUnauthenticated);
    if (isRevoked) return;
  } else {
    const caller = await callerOf(context.platform.api);
    if (caller && isAdmin(caller)) return;
  }
  throw new Refusal("forbidden", apiTokenOutOfSight(id));
}

/**
 * Explains why the tokens of a group may have become permanently invalid, for example because the group was deleted or
 * transferred (§3). Returns `undefined` for a token without a group.
 */
export async function deletionReason(
  known: TokenState | undefined,
  context: PlatformContext,
): Promise<string | undefined> {
  if (known?.groupId === undefined) return undefined;
  const { groupId, groupName = groupId } = known;
  const groups = await context.platform.organization.groups().catch(unlessRefused);
  if (!groups || groups.some(({ uuid }) => uuid === groupId)) return revokedOrGroupLost(groupName);
  const successor = groups.find(({ name }) => name === groupName);
  return groupLost(groupName, groupId, successor?.uuid);
}

function isUnauthenticated(refusal: unknown): boolean {
  if (!isRefusal(refusal, "unauthenticated")) throw refusal;
  return true;
}
