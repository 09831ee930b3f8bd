import * as z from "zod";
import { canonicalUuid } from "../../platform/values/uuid";
import { uuidInvalid } from "./messages";

/** Accepts a UUID in any common spelling, which is safe because functions only read. */
export const uuid = z.string().refine((text) => canonicalUuid(text) !== undefined, {
  error: ({ input }) => uuidInvalid(input),
});
