import * as z from "zod";
import type { Problem } from "../../kit/field";
import { canonicalUuid } from "../../platform/values/uuid";
import { conflictsWith, TIMESTAMP_INVALID } from "../messages";
import { argumentMissing, LIMIT_NOT_WHOLE, LIMIT_TOO_LOW, untilNotAfter, uuidInvalid } from "./messages";

/** Returns a function that checks that exactly one of two arguments is given, for example either a name or an id. */
export const exactlyOne =
  <Args extends object>(one: keyof Args & string, other: keyof Args & string) =>
  (args: Args): Problem | undefined => {
    if (args[one] !== undefined && args[other] !== undefined)
      return { property: other, reason: conflictsWith({ other: one }) };
    if (args[one] === undefined && args[other] === undefined)
      return { property: one, reason: argumentMissing({ other }) };
    return undefined;
  };

/** Accepts a UUID in any common spelling. Each function converts the UUID to the platform's spelling. */
export const uuid = z.string().refine((text) => canonicalUuid(text) !== undefined, {
  error: ({ input }) => uuidInvalid({ text: String(input) }),
});

export const limit = z
  .int(LIMIT_NOT_WHOLE)
  .min(1, LIMIT_TOO_LOW)
  .optional()
  .describe("Maximum number of items to return, from as many pages as needed. Default: all.");

const instant = z
  .string()
  .refine((text) => z.iso.datetime({ offset: true }).safeParse(text).success, {
    error: TIMESTAMP_INVALID,
  })
  .optional();

/** The arguments `since` and `until`, which are times in RFC 3339. Each function adds its own descriptions. */
export const period = { since: instant, until: instant };

interface Period {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Returns a problem if the period ends before it begins. */
export const periodProblem = ({ since, until }: Period): Problem | undefined =>
  since !== undefined && until !== undefined && Date.parse(until) <= Date.parse(since)
    ? { property: "until", reason: untilNotAfter({ since }) }
    : undefined;
