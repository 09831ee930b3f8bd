import { LESS_THAN_A_MINUTE_AGO } from "./messages";

/** Formats an RFC 3339 timestamp for messages, for example `2026-11-27 07:04 UTC`. Seconds are omitted. */
export const readableInstant = (timestamp: string): string =>
  `${new Date(timestamp).toISOString().slice(0, 16).replace("T", " ")} UTC`;

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/**
 * Formats how long ago a timestamp was, for example `3 hours ago`. Rounds down to a whole unit.
 *
 * @param timestamp RFC 3339
 * @param now Current time in milliseconds since 1970, according to the clock that set the timestamp.
 */
export function timeAgo(timestamp: string, now: number): string {
  const passed = now - Date.parse(timestamp);
  const [unit, ms] = UNITS.find(([, length]) => passed >= length) ?? [];
  if (!unit) return LESS_THAN_A_MINUTE_AGO;
  // Creates the formatter only when it is needed, because it loads 6 MB of locale data into memory.
  return new Intl.RelativeTimeFormat("en").format(-Math.floor(passed / ms), unit);
}

export const isSameInstant = (one: string | undefined, other: string): boolean =>
  one !== undefined && Date.parse(one) === Date.parse(other);
