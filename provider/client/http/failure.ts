import type { RefusalDetails, RefusalKind } from "../../../kit/refusal";
import type { Method } from "../../../platform/contract/endpoint";
import {
  brokenConnection,
  CANCELLED,
  DEADLINE_EXCEEDED,
  responseTimeout,
  unreachablePlatform,
  untrustedCertificate,
} from "../messages";
import { hasTimedOut, isNotTrusted, reasonOf, wasNeverSent } from "./retry";

interface Sent {
  readonly method: Method;
  readonly answerTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly deadline?: AbortSignal;
}

/** Classifies the error of a request that received no response. */
export function failureOf(
  cause: unknown,
  { method, answerTimeoutMs, signal, deadline }: Sent,
): [RefusalKind, RefusalDetails] {
  const neverSent = wasNeverSent(cause);
  const uncertain = method !== "GET" && !neverSent;
  if (deadline?.aborted) return ["unavailable", { answer: DEADLINE_EXCEEDED, uncertain, cause }];
  if (signal.aborted) return ["cancelled", { answer: CANCELLED, uncertain, cause }];
  const reason = reasonOf(cause);
  if (isNotTrusted(cause)) return ["unavailable", { ...untrustedCertificate(reason), uncertain, cause }];
  if (neverSent) return ["unavailable", { ...unreachablePlatform(reason), uncertain, cause }];
  const timedOut = hasTimedOut(cause);
  const broken = timedOut ? responseTimeout(answerTimeoutMs / 1000, reason) : brokenConnection(reason);
  return ["unavailable", { ...broken, uncertain, cause }];
}
