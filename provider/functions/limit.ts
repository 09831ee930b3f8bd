import * as z from "zod";
import type { Pages } from "../client/pages";
import { LIMIT_NOT_WHOLE, LIMIT_TOO_LOW } from "./messages";

export const limit = z
  .int(LIMIT_NOT_WHOLE)
  .min(1, LIMIT_TOO_LOW)
  .optional()
  .describe("Maximum number of items to return, from as many pages as needed. Default: all.");

export const truncated = z.boolean().describe("Whether `limit` left items out.");

/** Truncates a list that the platform returns in a single response. */
export const firstOf = <Item>(items: readonly Item[], most = Number.POSITIVE_INFINITY): Pages<Item> => ({
  items: items.slice(0, most),
  whole: items.length <= most,
});
