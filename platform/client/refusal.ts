import { ADVICE, failedResponse } from "./messages";
import { kindByWords } from "./wording";

/** Why a request failed, as far as code distinguishes reasons. */
export type RefusalKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "absent"
  /** The credential does not see the organization that the request names. */
  | "unseen"
  | "taken"
  | "conflict"
  | "throttled"
  | "unavailable"
  | "unreadable"
  | "cancelled";

/** A request that was refused, failed or could not be understood. The message never holds a credential. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly kind: RefusalKind;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** The platform's machine-readable reason, if it gave one. */
  readonly code: string | undefined;
  /** Whether the request may have been processed although its response is missing. */
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
  /** The operation that was attempted, in words. */
  readonly tried?: string;
  /** The platform's response, or the reason why there was none. */
  readonly answer: string;
  /** Tells the user how to solve the problem. */
  readonly advice?: string | undefined;
}

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

export const isRefusal = (thrown: unknown, ...kinds: RefusalKind[]): thrown is Refusal =>
  thrown instanceof Refusal && (kinds.length === 0 || kinds.includes(thrown.kind));

/** For `catch`: turns a 404 into `undefined` and rethrows every other failure. */
export function unlessAbsent(thrown: unknown): undefined {
  if (!isRefusal(thrown, "absent")) throw thrown;
}

/**
 * For `catch` of a list: turns a 403 into `undefined`, because a credential that may create need not be allowed to
 * list.
 */
export function unlessForbidden(thrown: unknown): undefined {
  if (!isRefusal(thrown, "forbidden")) throw thrown;
}

/**
 * For `catch` of a request that would only improve a message: turns a refusal into `undefined`; defects still surface.
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
 * Returns the refusal for a response other than 200.
 *
 * @param error The platform's own text.
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
      // A service answers 503 before it processes a request, so the request had no effect.
      uncertain: status >= 500 && status !== 503,
    },
  ];
}
