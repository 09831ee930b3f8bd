import * as z from "zod";
import { canonicalUuid } from "../../platform/values/uuid";
import { uuidInvalid } from "./messages";

/** Accepts a UUID in any common spelling. Each function converts the UUID to the platform's spelling. */
export const uuid = z.string().refine((text) => canonicalUuid(text) !== undefined, {
  error: ({ input }) => uuidInvalid(input),
});
