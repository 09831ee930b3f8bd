import * as z from "zod";
import type { Pages } from "../../platform/client/pages";

/** Argument of every function that gives a list. */
export const limit = z
  .int("must be a whole number")
  .min(1, "must be at least 1")
  .optional()
  .describe("The most items to give, read over as many pages as that takes. Left out: all there are.");

/** Result of every function that takes a `limit`. */
export const truncated = z.boolean().describe("Whether there are more than `limit` let through.");

/** The same of a list that the platform gives at once. */
export const firstOf = <Item>(items: readonly Item[], most = Number.POSITIVE_INFINITY): Pages<Item> => ({
  items: items.slice(0, most),
  whole: items.length <= most,
});
