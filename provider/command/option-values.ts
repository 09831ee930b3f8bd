import { durationOf } from "../../platform/values/duration";

/**
 * Returns whether a name matches a pattern.
 *
 * @param pattern `*` matches any text.
 */
export const matchesPattern = (name: string, pattern: string): boolean => patternOf(pattern).test(name);

const patternOf = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "s");

/** A duration without fractions or milliseconds (`ms` is easily mistaken for minutes). */
const DURATION = /^(\d+[wdhms])+$/;

/** Converts an option such as `7d` or `1d12h` to milliseconds. Returns `undefined` for any other text. */
export const wholeDurationOf = (text: string): number | undefined =>
  DURATION.test(text) ? durationOf(text) : undefined;
