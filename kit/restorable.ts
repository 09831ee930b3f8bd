import { unlessRefused } from "./refusal";
import type { DeletionTimes } from "./resource";

/**
 * Returns until when an object that is deleted now can be restored, or `undefined` if it cannot be restored at present,
 * or if nobody can tell.
 */
export async function restorableAfterDeletion<C>(
  softDeleted:
    | { unavailable?(context: C): Promise<string | undefined>; restorableUntil?(context: C): string }
    | undefined,
  context: C,
): Promise<string | undefined> {
  const obstacle = await softDeleted?.unavailable?.(context).catch((refused) => unlessRefused(refused) ?? "unknown");
  return obstacle === undefined ? softDeleted?.restorableUntil?.(context) : undefined;
}

/**
 * Returns whether a container that is restored brings back what was deleted with it at this time (RFC 3339). A state that
 * was not refreshed may know an earlier deletion of the container than the last one, or not when it was.
 */
export const bringsBack = ({ deletedAt, restorableUntil }: DeletionTimes, containedDeletedAt: string): boolean =>
  deletedAt === undefined || restorableUntil === undefined || Date.parse(containedDeletedAt) >= Date.parse(deletedAt);
