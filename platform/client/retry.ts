import { setTimeout as wait } from "node:timers/promises";
import type { RetryHandler } from "undici";
import { messageOf } from "./refusal";

const STATUSES: readonly number[] = [429, 502, 503, 504];

/** The connection was never made, so the platform cannot have seen the request. */
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
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Whoever answered could not prove to be the platform, so nothing was said to them. */
const NOT_TRUSTED =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|ERR_TLS_CERT_|ERR_SSL_WRONG_VERSION)/;

/** What the HTTP client says of a proxy that makes no connection; its code says only that the request has ended. */
const PROXY_REFUSED = /^Proxy response \(/;

export const isNotTrusted = (cause: unknown): boolean => NOT_TRUSTED.test(codeOf(cause));

export const wasNeverSent = (cause: unknown): boolean =>
  NEVER_SENT.includes(codeOf(cause)) || isNotTrusted(cause) || PROXY_REFUSED.test(messageOf(cause));

/** Why there was no answer, in a word where there is one. */
export const reasonOf = (cause: unknown): string =>
  PROXY_REFUSED.test(messageOf(cause)) ? messageOf(cause) : codeOf(cause) || messageOf(cause);

const codeOf = (cause: unknown): string => String((cause as { code?: unknown } | undefined)?.code ?? "");

/** When all requests of one connection wait, because the platform asked for it. */
export class Pause {
  #until = 0;

  /** @param firstWaitMs How long a request waits before its first repetition where nobody has asked for more. */
  constructor(readonly firstWaitMs = FIRST_WAIT_MS) {}

  get leftMs(): number {
    return Math.max(0, this.#until - Date.now());
  }

  extend(ms: number): void {
    this.#until = Math.max(this.#until, Date.now() + ms);
  }

  /** Resolves when requests may go out again; rejects when `stop` comes first. */
  async over(stop: AbortSignal): Promise<void> {
    while (this.leftMs > 0) await wait(this.leftMs + Math.random() * this.firstWaitMs, undefined, { signal: stop });
  }
}

/**
 * When a request is repeated: reads, changes and deletions on 429, 502, 503, 504 and broken connections; a POST only
 * when the platform certainly did not carry it out (429, or never sent). Waits grow, are jittered, and honour
 * Retry-After, which pauses every request of the connection.
 */
export function retryPolicy(stop: AbortSignal, pause: Pause): RetryHandler.RetryOptions {
  return {
    throwOnError: false,
    retry(failure, { state, opts }, decide) {
      const wait = stop.aborted ? undefined : waitBefore(state.counter, opts.method, failure, pause);
      if (wait === undefined) {
        decide(failure);
        return undefined;
      }
      const timer = setTimeout(go, wait);
      stop.addEventListener("abort", end, { once: true });
      function go() {
        stop.removeEventListener("abort", end);
        decide(null);
      }
      function end() {
        clearTimeout(timer);
        decide(failure);
      }
      // The handler clears this timer when the request is aborted meanwhile.
      return timer;
    },
  };
}

function waitBefore(attempt: number, method: string, failure: Error, pause: Pause): number | undefined {
  const { statusCode, headers } = failure as { statusCode?: number; headers?: Record<string, string> };
  const repeatable = method !== "POST" || statusCode === 429 || wasNeverSent(failure);
  const passing =
    statusCode === undefined ? [...NEVER_SENT, ...BROKEN_OFF].includes(codeOf(failure)) : STATUSES.includes(statusCode);
  const limit = statusCode === undefined ? REPETITIONS.unreachable : REPETITIONS.answered;
  if (!repeatable || !passing || attempt > limit) return undefined;

  const asked = retryAfterMs(headers);
  if (asked !== undefined) pause.extend(Math.min(asked, LONGEST_RETRY_AFTER_MS));
  const backoff = Math.min(pause.firstWaitMs * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  const jittered = backoff * (0.5 + Math.random() / 2);
  return pause.leftMs > 0 ? pause.leftMs + Math.random() * backoff : jittered;
}

/** Retry-After in milliseconds: seconds, or a date by the clock of the answer (RFC 9110 10.2.3). */
function retryAfterMs({ "retry-after": header, date = "" }: Record<string, string> = {}): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header.trim())
    ? Number(header) * 1000
    : Date.parse(header) - (Date.parse(date) || Date.now());
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
