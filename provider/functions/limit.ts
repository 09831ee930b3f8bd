import * as z from "zod";
import type { Pages } from "../../platform/client/pages";

/** Argument of every function that returns a list. */
export const limit = z
  .int("must be a whole number")
  .min(1, "must be at least 1")
  .optional()
  .describe("Maximum number of items to return, from as many pages as needed. Default: all.");

/** Result of every function that accepts a `limit`. */
export const truncated = z.boolean().describe("Whether `limit` left items out.");

/** Applies a limit to a list that the platform returns in one response. */
export const firstOf = <Item>(items: readonly Item[], most = Number.POSITIVE_INFINITY): Pages<Item> => ({
  items: items.slice(0, most),
  whole: items.length <= most,
});
