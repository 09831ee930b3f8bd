import { setTimeout as wait } from "node:timers/promises";
import type { RetryHandler } from "undici";
import { messageOf, type RefusalDetails, type RefusalKind } from "../../../kit/refusal";
import type { Method } from "../../../platform/contract/endpoint";
import {
  brokenConnection,
  CANCELLED,
  responseTimeout,
  TIME_LIMIT_EXCEEDED,
  unreachablePlatform,
  untrustedCertificate,
} from "../messages";
import { isProxyRefusal } from "../wording";
import type { Permit, RateLimiter } from "./rate-limiter";

export const TOO_MANY = 429;
const STATUSES: readonly number[] = [TOO_MANY, 502, 503, 504];
/** A 500 response may follow a change that succeeded, so only reads are retried after it. */
const STATUSES_OF_READS: readonly number[] = [500, ...STATUSES];

/** Codes of errors that occur before a connection exists, when the platform cannot have received the request. */
const NEVER_SENT: readonly string[] = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];
const BROKEN_OFF: readonly string[] = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

const REPETITIONS = { answered: 6, unreachable: 4 };
const LONGEST_WAIT_MS = 8_000;
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Error codes for TLS failures: the server could not prove its identity, so no request was sent. */
const NOT_TRUSTED =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|ERR_TLS_CERT_|ERR_SSL_WRONG_VERSION)/;

const isTlsFailure = (cause: unknown): boolean => NOT_TRUSTED.test(networkFailureCode(cause));

const isUnsentFailure = (cause: unknown): boolean =>
  NEVER_SENT.includes(networkFailureCode(cause)) || isTlsFailure(cause) || isProxyRefusal(messageOf(cause));

/** Returns whether the request was sent but received no response in time. */
const isTimeoutFailure = (cause: unknown): boolean => networkFailureCode(cause) === "UND_ERR_HEADERS_TIMEOUT";

/** Returns why there was no response: usually the error code, otherwise the error message. */
const networkFailureReason = (cause: unknown): string =>
  isProxyRefusal(messageOf(cause)) ? messageOf(cause) : networkFailureCode(cause) || messageOf(cause);

const networkFailureCode = (cause: unknown): string => String((cause as { code?: unknown } | undefined)?.code ?? "");

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
  if (method === "POST" && statusCode !== TOO_MANY && !isUnsentFailure(failure)) return false;
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

interface Sent {
  readonly method: Method;
  readonly answerTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly deadline?: AbortSignal;
}

/** Classifies the error of a request that received no response. */
export function classifyNetworkFailure(
  cause: unknown,
  { method, answerTimeoutMs, signal, deadline }: Sent,
): [RefusalKind, RefusalDetails] {
  const neverSent = isUnsentFailure(cause);
  const uncertain = method !== "GET" && !neverSent;
  if (deadline?.aborted) return ["unavailable", { answer: TIME_LIMIT_EXCEEDED, uncertain, cause }];
  if (signal.aborted) return ["cancelled", { answer: CANCELLED, uncertain, cause }];
  const reason = networkFailureReason(cause);
  if (isTlsFailure(cause)) return ["unavailable", { ...untrustedCertificate({ reason }), uncertain, cause }];
  if (neverSent) return ["unavailable", { ...unreachablePlatform({ reason }), uncertain, cause }];
  const timedOut = isTimeoutFailure(cause);
  const answer = timedOut ? responseTimeout({ seconds: answerTimeoutMs / 1000, reason }) : brokenConnection({ reason });
  return ["unavailable", { answer, uncertain, cause }];
}
