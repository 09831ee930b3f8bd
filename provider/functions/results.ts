import * as z from "zod";
import type { Pages } from "../client/pages";

export const namedResultType = <Shape extends z.core.$ZodLooseShape>(
  typeName: string,
  description: string,
  shape: Shape,
) => z.object(shape).meta({ typeName, description });

export const truncated = z.boolean().describe("Whether `limit` left items out.");

/** Truncates a list that the platform returns in a single response. */
export const firstOf = <Item>(items: readonly Item[], most = Number.POSITIVE_INFINITY): Pages<Item> => ({
  items: items.slice(0, most),
  whole: items.length <= most,
});

export const recoveryTime = {
  deletedAt: z.string().describe("Time of the deletion (RFC 3339)."),
  restorableUntil: z.string().describe("Time until which it can be restored (RFC 3339)."),
  secondsLeft: z
    .int()
    .describe(
      "Seconds left to restore it, by the platform's clock. The number differs at each call, so do not use it as an input of a resource.",
    ),
};
