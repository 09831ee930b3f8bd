import { invalidTimeout } from "./messages";
import { CallFailure, status } from "./status";

const UNIT_MS: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };
/** The longest delay of a Node.js timer in milliseconds. A timer with a longer delay fires immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Parses a `grpc-timeout` header, for example `500m`, into milliseconds. Returns `undefined` if there is no header.
 *
 * @throws CallFailure if the header is malformed.
 */
export function timeoutOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const [, count, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(String(header)) ?? [];
  if (count === undefined) throw new CallFailure(status.INTERNAL, invalidTimeout({ header: String(header) }));
  return Math.min(Number(count) * (UNIT_MS[unit] ?? 1), LONGEST_TIMER_MS);
}
