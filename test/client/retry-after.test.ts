import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RateLimiter } from "../../provider/client/http/rate-limiter";
import { retryPolicy } from "../../provider/client/http/retry";

const NOW = Date.parse("2026-03-01T12:00:00Z");

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterEach(() => void vi.useRealTimers());

/**
 * Returns how many milliseconds the connection pauses after a 429 response with these headers.
 *
 * @param before Length of an earlier pause, in milliseconds.
 */
function pauseAfter(headers: Record<string, string>, before = 0): number {
  const stop = new AbortController();
  const rateLimiter = new RateLimiter(1);
  rateLimiter.pause(before);
  const { retry } = retryPolicy({ stop: stop.signal, rateLimiter, permit: rateLimiter.permit(stop.signal) });
  const refused = Object.assign(new Error("slow down"), { statusCode: 429, headers });
  retry?.(refused, { state: { counter: 1 }, opts: { method: "POST", path: "/", retryOptions: {} } }, () => null);
  stop.abort();
  return rateLimiter.leftMs;
}

test.each([
  ["a number of seconds", { "retry-after": "30" }, 30_000],
  [
    "a date, by the clock of the response",
    { "retry-after": "Sun, 01 Mar 2026 09:00:20 GMT", date: "Sun, 01 Mar 2026 09:00:00 GMT" },
    20_000,
  ],
  [
    "a date, by this machine's clock if the response has none",
    { "retry-after": "Sun, 01 Mar 2026 12:00:10 GMT" },
    10_000,
  ],
  ["a date in the past", { "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, 0],
  ["absent", {}, 0],
  ["text", { "retry-after": "soon" }, 0],
])("pauses the connection for the requested time if Retry-After is %s", (_, headers, ms) => {
  expect(pauseAfter(headers as Record<string, string>)).toBe(ms);
});

test.each([
  ["an hour", "3600"],
  ["a date next year", "Mon, 01 Mar 2027 12:00:00 GMT"],
])("pauses the connection for at most a minute if Retry-After is %s", (_, after) => {
  expect(pauseAfter({ "retry-after": after })).toBe(60_000);
});

test("keeps a longer pause when a shorter Retry-After arrives", () => {
  expect(pauseAfter({ "retry-after": "1" }, 20_000)).toBe(20_000);
});
