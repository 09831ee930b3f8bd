import type { Restorable } from "../../kit/results";
import { RECOVERY_WINDOW_MS } from "../../platform/contract/recovery";
import { type Deed, deleterOf, lastDeletionOf, type Subject } from "../client/audit-log/authors";
import type { PlatformContext } from "../platform";

/** Options of a resource that is deleted softly. */
export const deletion = {
  describe: {
    deletedAt:
      "Time of the deletion (RFC 3339). If the plan or the token hides deleted objects, the time at which the object was first found missing. Present only while the object is deleted; the next update restores it.",
  },
};

/** Returns the id of a deleted object, its deletion time, and the time until which it can be restored. */
export const restorable = (id: string, deletedAt: string): Restorable => ({
  id,
  deletedAt,
  restorableUntil: restorableUntil(deletedAt),
});

/** Returns the time until which a deleted object can be restored: five days after it was deleted (§3). */
export const restorableUntil = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + RECOVERY_WINDOW_MS).toISOString();

/**
 * Returns how many seconds are left to restore an object. Uses the platform's clock, because the platform decides
 * whether a restore is still possible.
 */
export function secondsToRestore(deletedAt: string, { platform: { clock } }: PlatformContext): number {
  // The result is rounded to seconds, because the platform's clock is accurate only to the second.
  const left = Math.round((Date.parse(restorableUntil(deletedAt)) - clock.now()) / 1000);
  return Math.max(0, left);
}

/** Returns who deleted an object, if the audit log proves it. */
export const deletedBy = (
  object: Subject,
  deletedAt: string,
  { platform }: PlatformContext,
): Promise<Deed | undefined> => platform.authorOf(deleterOf(object, deletedAt));

/**
 * Returns when the last object with this name was deleted, if it can no longer be restored and the audit log shows the
 * deletion.
 */
export async function lostAt(
  kind: Subject["kind"],
  name: string,
  { platform: { authorOf, clock } }: PlatformContext,
): Promise<string | undefined> {
  const deed = await authorOf(lastDeletionOf({ kind, name }));
  return deed && clock.now() > Date.parse(restorableUntil(deed.at)) ? deed.at : undefined;
}
