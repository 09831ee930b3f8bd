import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CANCELLED, TIME_LIMIT_EXCEEDED } from "../messages";
import { classifyNetworkFailure } from "./network-failure";
import { RateLimiter } from "./rate-limiter";
import { retryPolicy, waitBeforeRetryMs } from "./retry";

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

test.each([
  [1, 100],
  [2, 200],
  [4, 800],
  [30, 8_000],
])("before retry %i, waits between half and all of %i ms", (attempt, longest) => {
  const waits = Array.from({ length: 200 }, () => waitBeforeRetryMs(attempt, new RateLimiter(100)));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(longest / 2);
  expect(Math.max(...waits)).toBeLessThanOrEqual(longest);
  expect(new Set(waits).size).toBeGreaterThan(100);
});

test("does not wait longer than the pause that the platform asked for", () => {
  const rateLimiter = new RateLimiter(100);
  rateLimiter.pause(1);
  expect(waitBeforeRetryMs(4, rateLimiter)).toBe(0);
});

test.each([
  [429, 2],
  [503, 100],
])(
  "after a response with status %i to one of four requests, sends up to %i requests in parallel",
  async (statusCode, most) => {
    const stop = new AbortController();
    const rateLimiter = new RateLimiter(1);
    const permits = Array.from({ length: 4 }, () => rateLimiter.permit(stop.signal));
    await Promise.all(permits.map((permit) => permit.enter()));
    const [permit = rateLimiter.permit(stop.signal)] = permits;
    const refused = Object.assign(new Error("refused"), { statusCode, headers: {} });
    const { retry } = retryPolicy({ stop: stop.signal, rateLimiter, permit });
    retry?.(refused, { state: { counter: 1 }, opts: { method: "GET", path: "/", retryOptions: {} } }, () => null);
    for (const each of permits) each.leave();
    let entered = 0;
    for (let request = 0; request < 100; request++)
      void rateLimiter
        .permit(stop.signal)
        .enter()
        .then(
          () => entered++,
          () => undefined,
        );
    await turn();
    expect(entered).toBe(most);
    stop.abort();
  },
);

const LIVE = new AbortController().signal;

test.each([
  ["the request was cancelled", { signal: AbortSignal.abort() }, "cancelled", CANCELLED],
  ["the time limit has passed", { signal: LIVE, deadline: AbortSignal.abort() }, "unavailable", TIME_LIMIT_EXCEEDED],
])("says that %s", (_, signals, kind, answer) => {
  const cause = new Error("aborted");
  const sent = { answerTimeoutMs: 1000, ...signals };
  expect(classifyNetworkFailure(cause, { ...sent, method: "GET" })).toEqual([
    kind,
    { answer, uncertain: false, cause },
  ]);
  expect(classifyNetworkFailure(cause, { ...sent, method: "POST" })).toEqual([
    kind,
    { answer, uncertain: true, cause },
  ]);
});
