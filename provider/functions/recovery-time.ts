import * as z from "zod";
import type { ResourceContext } from "../resource/context";
import { restorableUntil } from "../resources/recovery/deletion";

export const recoveryTime = {
  deletedAt: z.string().describe("Time of the deletion (RFC 3339)."),
  restorableUntil: z.string().describe("Time until which it can be restored (RFC 3339)."),
  secondsLeft: z
    .int()
    .describe(
      "Seconds left to restore it, by the platform's clock. The number differs at each call, so do not use it as an input of a resource.",
    ),
};

/**
 * Computes how long an object can still be restored, by the platform's clock, because the platform decides whether a
 * restore is still possible.
 */
export function recoveryTimeOf(deletedAt: string, { clock }: ResourceContext) {
  const until = restorableUntil(deletedAt);
  // The result is rounded to seconds, because the platform's clock is accurate only to the second.
  const left = Math.round((Date.parse(until) - clock.now()) / 1000);
  return { deletedAt, restorableUntil: until, secondsLeft: Math.max(0, left) };
}
