import { ADVICE, failedResponse } from "./messages";
import { kindByWords } from "./wording";

/** The kinds of request failures that the code distinguishes. */
export type RefusalKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "absent"
  /** The organization in the request does not exist, or the credential cannot access the organization. */
  | "unseen"
  | "taken"
  | "conflict"
  | "throttled"
  | "unavailable"
  | "unreadable"
  | "cancelled";

/** Thrown if a request is rejected, fails, or receives an invalid response. The message never contains a credential. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly kind: RefusalKind;
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** Whether the platform may have processed the request although no valid response arrived. */
  readonly uncertain: boolean;

  constructor(kind: RefusalKind, { tried, answer, advice, status, code, uncertain = false, cause }: RefusalDetails) {
    super([tried ? `${tried}: ${answer}` : answer, advice].filter(Boolean).join(". "), { cause });
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.uncertain = uncertain;
  }
}

export interface RefusalDetails extends Partial<Pick<Refusal, "status" | "code" | "uncertain" | "cause">> {
  /** What failed, for example "could not create database". */
  readonly tried?: string;
  /** The platform's response, or the reason why there is no response. */
  readonly answer: string;
  /** How the user can solve the problem. */
  readonly advice?: string | undefined;
}

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

export const isRefusal = (thrown: unknown, ...kinds: RefusalKind[]): thrown is Refusal =>
  thrown instanceof Refusal && (kinds.length === 0 || kinds.includes(thrown.kind));

/** Returns `undefined` after a 404 response and rethrows every other error. For use with `catch`. */
export function unlessAbsent(thrown: unknown): undefined {
  if (!isRefusal(thrown, "absent")) throw thrown;
}

/**
 * Returns `undefined` after a 403 response to a list request, because a credential that may create objects is not
 * always allowed to list them. For use with `catch`.
 */
export function unlessForbidden(thrown: unknown): undefined {
  if (!isRefusal(thrown, "forbidden")) throw thrown;
}

/**
 * Returns `undefined` after any refusal, and rethrows other errors, which are bugs. For use with `catch`, on requests
 * whose results are optional.
 */
export function unlessRefused(thrown: unknown): undefined {
  if (!isRefusal(thrown)) throw thrown;
}

const KIND_OF_STATUS: Record<number, RefusalKind> = {
  400: "invalid",
  401: "unauthenticated",
  402: "forbidden",
  403: "forbidden",
  404: "absent",
  409: "taken",
  422: "invalid",
  429: "throttled",
};

const adviceFor: Partial<Record<RefusalKind, string>> = ADVICE;

/**
 * Converts a response with a status other than 200 to the constructor arguments of a `Refusal`.
 *
 * @param error The platform's own error message.
 */
export function refusalOf(status: number, error: string, code: string | undefined): [RefusalKind, RefusalDetails] {
  const byStatus = KIND_OF_STATUS[status] ?? (status >= 500 ? "unavailable" : "invalid");
  const kind = kindByWords(status, error) ?? byStatus;
  return [
    kind,
    {
      answer: failedResponse(status, error),
      advice: adviceFor[kind],
      status,
      code,
      // A service returns 503 before it processes a request, so the request certainly had no effect.
      uncertain: status >= 500 && status !== 503,
    },
  ];
}
