import * as z from "zod";
import type { Problem } from "../../kit/resource/traits";
import { INSTANT_INVALID, untilNotAfter } from "./messages";

const instant = z
  .string()
  .refine((text) => z.iso.datetime({ offset: true }).safeParse(text).success, INSTANT_INVALID)
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
    ? { property: "until", reason: untilNotAfter(since) }
    : undefined;
