import { checkedText } from "../../contract/schemas";
import { ApiError } from "../refusal";
import { timestampOf } from "../time/clock";
import { Instant } from "../time/instant";
import { momentMalformed, momentOutOfRange } from "./messages";

const MILLISECONDS: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
};

const BEFORE = /^-(\d+[wdhms])+$/;

/** A duration of zero means the instant at which the seed is inserted. */
export const NOW = "-0s";

/**
 * An instant, or a duration to subtract from the time of insertion, such as `-2d`. Durations suit deletion times,
 * because a fixed instant would soon be outside the five-day recovery window.
 */
export const Moment = checkedText((text) => {
  if (!BEFORE.test(text) && !Instant.safeParse(text).success) return momentMalformed({ text });
  return isStorableMoment(text) ? undefined : momentOutOfRange({ text });
});

export function instantOfMoment(moment: string, now: Date): string {
  if (!BEFORE.test(moment)) return timestampOf(new Date(moment));
  const parts = [...moment.matchAll(/(\d+)([wdhms])/g)];
  const before = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (MILLISECONDS[unit ?? ""] ?? 0), 0);
  return timestampOf(new Date(now.getTime() - before));
}

function isStorableMoment(moment: string): boolean {
  try {
    return instantOfMoment(moment, new Date()) !== "";
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    return false;
  }
}
