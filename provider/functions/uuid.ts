import * as z from "zod";
import { canonicalUuid } from "../../platform/values/uuid";
import { uuidInvalid } from "./messages";

/** A UUID in any common spelling. Functions only read, so a different spelling cannot change the wrong object. */
export const uuid = z.string().refine((text) => canonicalUuid(text) !== undefined, {
  error: ({ input }) => uuidInvalid(input),
});
