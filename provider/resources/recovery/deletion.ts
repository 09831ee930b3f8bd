import { RECOVERY_WINDOW_MS } from "../../../platform/contract/recovery";
import { whileDeleted } from "../../resource/outputs";
import type { Restorable } from "../../resource/results";

/** State properties of a deleted object that can be restored. */
export const deletion = {
  deletedAt: whileDeleted(
    "Time of the deletion (RFC 3339). Present only while the object is deleted; the next update restores it.",
  ),
  restorableUntil: whileDeleted(
    "Time until which the object can be restored (RFC 3339). Present only while it is deleted.",
  ),
};

/** Builds the description of a deleted object that can still be restored, with its deadline. */
export const restorable = (id: string, deletedAt: string): Restorable => ({
  id,
  deletedAt,
  restorableUntil: restorableUntil(deletedAt),
});

/** Returns the deadline for a restore: five days after the deletion (§3). */
export const restorableUntil = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + RECOVERY_WINDOW_MS).toISOString();
