import { durationOf } from "../../platform/values/duration";

/** A duration without fractions or milliseconds (`ms` is easily mistaken for minutes). */
const DURATION = /^(\d+[wdhms])+$/;

/** Converts an option such as `7d` or `1d12h` to milliseconds. Returns `undefined` for any other text. */
export const wholeDurationOf = (text: string): number | undefined =>
  DURATION.test(text) ? durationOf(text) : undefined;
