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

/** Codes of errors that occur before a connection exists, when the platform cannot have received the request. */
export const NEVER_SENT: readonly string[] = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];

/** Error codes for TLS failures: the server could not prove its identity, so no request was sent. */
const NOT_TRUSTED =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|ERR_TLS_CERT_|ERR_SSL_WRONG_VERSION)/;

export interface FailedRequest {
  readonly method: Method;
  readonly answerTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly deadline?: AbortSignal;
}

export const networkFailureCode = (cause: unknown): string =>
  String((cause as { code?: unknown } | undefined)?.code ?? "");

/** Returns why there was no response: usually the error code, otherwise the error message. */
const networkFailureReason = (cause: unknown): string =>
  isProxyRefusal(messageOf(cause)) ? messageOf(cause) : networkFailureCode(cause) || messageOf(cause);

/** Returns whether the request was sent but received no response in time. */
const isTimeoutFailure = (cause: unknown): boolean => networkFailureCode(cause) === "UND_ERR_HEADERS_TIMEOUT";
const isTlsFailure = (cause: unknown): boolean => NOT_TRUSTED.test(networkFailureCode(cause));

export const wasNeverSent = (cause: unknown): boolean =>
  NEVER_SENT.includes(networkFailureCode(cause)) || isTlsFailure(cause) || isProxyRefusal(messageOf(cause));

/** Classifies the error of a request that received no response. */
export function classifyNetworkFailure(
  cause: unknown,
  { method, answerTimeoutMs, signal, deadline }: FailedRequest,
): [RefusalKind, RefusalDetails] {
  const neverSent = wasNeverSent(cause);
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
