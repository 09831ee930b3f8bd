import { isRefusal, Refusal, unlessRefused } from "../../../platform/client/refusal";
import type { ResourceContext } from "../../resource/context";
import { assertSeesGroup } from "../group/reference";
import { callerOf, isAdmin } from "../recovery/caller";

interface TokenState {
  readonly token?: string;
  readonly groupId?: string | undefined;
  readonly groupName?: string | undefined;
}

/**
 * Confirms that a token no longer exists. A token whose text is known is tested by a request that uses it, because the
 * platform rejects a revoked token. Otherwise only admins and owners can confirm the absence, because other users see
 * only the tokens they created (§5 rule 9).
 */
export async function confirmAbsence(
  id: string,
  known: TokenState | undefined,
  context: ResourceContext,
): Promise<void> {
  assertSeesGroup(known?.groupId, context);
  if (known?.token !== undefined) {
    const dead = await context
      .clientWith(known.token)
      .validateApiToken({})
      .then(() => false, isUnauthenticated);
    if (dead) return;
  } else {
    const caller = await callerOf(context);
    if (caller && isAdmin(caller)) return;
  }
  throw new Refusal("forbidden", {
    answer: `this credential does not see API token ${id}, which may well be alive`,
    advice: "Use the credential of an admin or owner of the organization, or of the user who minted it",
  });
}

/**
 * Explains which deletion or transfer may have ended the tokens of a group for good (§3). The text is to be appended
 * and may be empty.
 */
export async function deletionReason(known: TokenState | undefined, context: ResourceContext): Promise<string> {
  if (known?.groupId === undefined) return "";
  const { groupId, groupName = groupId } = known;
  const groups = await context.organization.groups(context.client).catch(unlessRefused);
  if (!groups || groups.some(({ uuid }) => uuid === groupId))
    return `: it was revoked, or its group "${groupName}" was deleted or transferred in the meantime, which ends its tokens for good`;
  const successor = groups.find(({ name }) => name === groupName);
  const anew = successor ? `. The group that has this name now (${successor.uuid}) is another one` : "";
  return `: its group "${groupName}" (${groupId}) was deleted or transferred, which ends its tokens for good${anew}`;
}

function isUnauthenticated(refusal: unknown): boolean {
  if (!isRefusal(refusal, "unauthenticated")) throw refusal;
  return true;
}
