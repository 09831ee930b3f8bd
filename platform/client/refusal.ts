import { kindByWords } from "./wording";

/** Why a request did not do what was asked, as far as code must tell reasons apart. */
export type RefusalKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "absent"
  /** The credential does not see the organization that was asked about. */
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
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** The platform's machine-readable reason, where it gave one. */
  readonly code: string | undefined;
  /** The request may have been carried out although its answer is missing. */
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
  /** What was asked for, in words. */
  readonly tried?: string;
  /** What came back. */
  readonly answer: string;
  /** What to do about it. */
  readonly advice?: string | undefined;
}

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

export const isRefusal = (thrown: unknown, ...kinds: RefusalKind[]): thrown is Refusal =>
  thrown instanceof Refusal && (kinds.length === 0 || kinds.includes(thrown.kind));

/** For `catch`: a 404 becomes `undefined`; every other failure goes on. */
export function unlessAbsent(thrown: unknown): undefined {
  if (!isRefusal(thrown, "absent")) throw thrown;
}

/** For `catch` of a list: a credential that may create need not be one that may list, so what it may not see is `undefined`. */
export function unlessForbidden(thrown: unknown): undefined {
  if (!isRefusal(thrown, "forbidden")) throw thrown;
}

/** For `catch` where an answer would only improve a message: a refusal gives `undefined`, and a defect still surfaces. */
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

const ADVICE: Partial<Record<RefusalKind, string>> = {
  unauthenticated: "The API token is missing, wrong, expired or revoked",
  throttled: "The platform still asked for fewer requests after several repetitions; try again later",
  unavailable: "Nothing more was tried; run the command again",
};

/** The refusal that an answer other than 200 stands for. `error` is the platform's own text. */
export function refusalOf(status: number, error: string, code: string | undefined): [RefusalKind, RefusalDetails] {
  const byStatus = KIND_OF_STATUS[status] ?? (status >= 500 ? "unavailable" : "invalid");
  const kind = kindByWords(status, error) ?? byStatus;
  return [
    kind,
    {
      answer: `the platform answered ${status}: ${error}`,
      advice: ADVICE[kind],
      status,
      code,
      // 503 is what a service says that has not begun.
      uncertain: status >= 500 && status !== 503,
    },
  ];
}
