import type { Method } from "../../contract/endpoint";
import type { RefusalDetails, RefusalKind } from "../refusal";
import { hasTimedOut, isNotTrusted, reasonOf, wasNeverSent } from "./retry";

const TRUST =
  "If its certificate was issued by an authority of your own, name the file with the certificate of that one in NODE_EXTRA_CA_CERTS";

interface Sent {
  readonly method: Method;
  readonly answerTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly deadline?: AbortSignal;
}

/** Classifies the failure of a request that received no response. */
export function failureOf(
  cause: unknown,
  { method, answerTimeoutMs, signal, deadline }: Sent,
): [RefusalKind, RefusalDetails] {
  const neverSent = wasNeverSent(cause);
  const uncertain = method !== "GET" && !neverSent;
  if (deadline?.aborted)
    return ["unavailable", { answer: "no answer within the time that was set for it", uncertain, cause }];
  if (signal.aborted) return ["cancelled", { answer: "the run was cancelled", uncertain, cause }];
  const what = neverSent
    ? "the platform could not be reached"
    : hasTimedOut(cause)
      ? `no answer within ${answerTimeoutMs / 1000} seconds`
      : "the connection ended without a whole answer";
  const advice = isNotTrusted(cause) ? TRUST : neverSent ? "Is `baseUrl` right, and the network up?" : undefined;
  return ["unavailable", { answer: `${what} (${reasonOf(cause)})`, advice, uncertain, cause }];
}
