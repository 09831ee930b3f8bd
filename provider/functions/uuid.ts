import * as z from "zod";
import { canonicalUuid } from "../../platform/values/uuid";

/** A UUID in any common spelling: what only reads cannot hit the wrong object by it. */
export const uuid = z.string().refine((text) => canonicalUuid(text) !== undefined, {
  error: ({ input }) => `"${input}" is not a UUID`,
});
