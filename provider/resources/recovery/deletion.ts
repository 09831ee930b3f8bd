import { RECOVERY_WINDOW_MS } from "../../../platform/contract/recovery";
import { whileDeleted } from "../../resource/outputs";
import type { Restorable } from "../../resource/results";

/** State of what is deleted and can be brought back. */
export const deletion = {
  deletedAt: whileDeleted(
    "Time of the deletion (RFC 3339). Present only while the object is deleted; the next update restores it.",
  ),
  restorableUntil: whileDeleted(
    "Time until which the object can be restored (RFC 3339). Present only while it is deleted.",
  ),
};

/** What identifies something deleted that can still be restored, with its deadline. */
export const restorable = (id: string, deletedAt: string): Restorable => ({
  id,
  deletedAt,
  restorableUntil: restorableUntil(deletedAt),
});

/** §3: restorable unless more than five days have passed. */
export const restorableUntil = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + RECOVERY_WINDOW_MS).toISOString();
