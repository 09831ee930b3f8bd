import * as z from "zod";
import type { PlatformContext } from "../platform";
import { restorableUntil, secondsToRestore } from "../resources/deletion";

export const recoveryTime = {
  deletedAt: z.string().describe("Time of the deletion (RFC 3339)."),
  restorableUntil: z.string().describe("Time until which it can be restored (RFC 3339)."),
  secondsLeft: z
    .int()
    .describe(
      "Seconds left to restore it, by the platform's clock. The number differs at each call, so do not use it as an input of a resource.",
    ),
};

/** Returns when an object was deleted, and how long it can still be restored. */
export const recoveryTimeOf = (deletedAt: string, context: PlatformContext) => ({
  deletedAt,
  restorableUntil: restorableUntil(deletedAt),
  secondsLeft: secondsToRestore(deletedAt, context),
});
