import { setTimeout as wait } from "node:timers/promises";
import type { RetryHandler } from "undici";
import { NEVER_SENT, networkFailureCode, wasNeverSent } from "./network-failure";
import type { Permit, RateLimiter } from "./rate-limiter";

export const TOO_MANY = 429;
const STATUSES: readonly number[] = [TOO_MANY, 502, 503, 504];
/** A 500 response may follow a change that succeeded, so only reads are retried after it. */
const STATUSES_OF_READS: readonly number[] = [500, ...STATUSES];

const BROKEN_OFF: readonly string[] = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

const REPETITIONS = { answered: 6, unreachable: 4 };
const LONGEST_WAIT_MS = 8_000;
const LONGEST_RETRY_AFTER_MS = 60_000;

interface RetryOptions {
  /** Aborting this signal ends the wait for a retry, and prevents further retries. */
  readonly stop: AbortSignal;
  readonly rateLimiter: RateLimiter;
  readonly permit: Permit;
}

/** Options for a request that must be sent only once. */
export const NO_RETRY: RetryHandler.RetryOptions = {
  throwOnError: false,
  retry(failure, _context, decide) {
    decide(failure);
    return undefined;
  },
};

/**
 * Decides when a request is retried. GET, PATCH and DELETE are retried after 429, 502, 503, 504 and broken connections,
 * and GET after 500 as well. POST is retried only if the platform cannot have processed the request: after 429, or if
 * the request was never sent. The delay grows with each retry and is randomized. Retry-After pauses all requests of the
 * connection.
 */
export function retryPolicy({ stop, rateLimiter, permit }: RetryOptions): RetryHandler.RetryOptions {
  let attempt = 0;
  let answers = rateLimiter.answers;
  return {
    throwOnError: false,
    retry(failure, { opts }, decide) {
      const { statusCode, headers } = failure as Failure;
      // Resets the attempt count, because responses to other requests show that the platform is working.
      if (statusCode === TOO_MANY && rateLimiter.answers > answers) attempt = 0;
      answers = rateLimiter.answers;
      attempt++;
      if (stop.aborted || !isRetried(failure, opts.method, attempt)) {
        decide(failure);
        return undefined;
      }
      if (statusCode === TOO_MANY) rateLimiter.refused();
      rateLimiter.pause(Math.min(retryAfterMs(headers) ?? 0, LONGEST_RETRY_AFTER_MS));
      permit.leave();
      wait(waitBeforeRetryMs(attempt, rateLimiter), undefined, { signal: stop })
        .then(() => permit.enter())
        .then(
          () => decide(null),
          () => decide(failure),
        );
      return undefined;
    },
  };
}

/**
 * Returns the milliseconds that a request waits by itself before it is retried. While the whole connection pauses, that
 * pause is enough.
 *
 * @param attempt The number of the retry, from 1.
 */
export function waitBeforeRetryMs(attempt: number, { firstWaitMs, leftMs }: RateLimiter): number {
  if (leftMs > 0) return 0;
  return Math.min(firstWaitMs * 2 ** (attempt - 1), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
}

interface Failure extends Error {
  readonly statusCode?: number;
  readonly headers?: Record<string, string>;
}

function isRetried(failure: Failure, method: string, attempt: number): boolean {
  const { statusCode } = failure;
  if (method === "POST" && statusCode !== TOO_MANY && !wasNeverSent(failure)) return false;
  const statuses = method === "GET" ? STATUSES_OF_READS : STATUSES;
  return statusCode === undefined
    ? attempt <= REPETITIONS.unreachable && [...NEVER_SENT, ...BROKEN_OFF].includes(networkFailureCode(failure))
    : attempt <= REPETITIONS.answered && statuses.includes(statusCode);
}

/**
 * Returns the value of the Retry-After header in milliseconds. The header contains seconds, or a date that is compared
 * with the response's own `Date` (RFC 9110 10.2.3).
 */
function retryAfterMs({ "retry-after": header, date = "" }: Record<string, string> = {}): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header.trim())
    ? Number(header) * 1000
    : Date.parse(header) - (Date.parse(date) || Date.now());
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
