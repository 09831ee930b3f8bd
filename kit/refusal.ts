import { clause } from "./phrases";

/** The kinds of request failures that the code distinguishes. */
export type RefusalKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "absent"
  /** The account in the request does not exist, or the credential cannot access it. */
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
    const found = advice ? `${clause(answer)}. ${advice}` : answer;
    super(tried ? `${clause(tried)}: ${found}` : found, { cause });
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.uncertain = uncertain;
  }
}

export interface RefusalDetails extends Partial<Pick<Refusal, "status" | "code" | "uncertain" | "cause">> {
  /** The failed action, for example "could not create note". */
  readonly tried?: string;
  /** The platform's response, or the reason why there is no response. */
  readonly answer: string;
  /** How the user can solve the problem. */
  readonly advice?: string | undefined;
}

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

export const isRefusal = (thrown: unknown, ...kinds: RefusalKind[]): thrown is Refusal =>
  thrown instanceof Refusal && (kinds.length === 0 || kinds.includes(thrown.kind));

/** Returns whether nothing answered, or nothing that the provider understands, so that the address may be wrong. */
export const isUnreachable = ({ kind, status }: Refusal): boolean =>
  kind === "unreadable" || (kind === "unavailable" && status === undefined);

/** Returns whether wrong settings may be the reason for a refusal: the address, the account or the credential. */
export const mayComeFromSettings = (thrown: unknown): thrown is Refusal =>
  isRefusal(thrown, "unauthenticated", "unseen") || (isRefusal(thrown) && isUnreachable(thrown));

/** Handler for `catch`: returns `undefined` for a refusal of the kind `absent`, and rethrows every other error. */
export function unlessAbsent(thrown: unknown): undefined {
  if (!isRefusal(thrown, "absent")) throw thrown;
}

/**
 * Handler for `catch` on list requests: returns `undefined` for a refusal of the kind `forbidden`, and rethrows every
 * other error. A credential may be allowed to create objects but not to list them.
 */
export function unlessForbidden(thrown: unknown): undefined {
  if (!isRefusal(thrown, "forbidden")) throw thrown;
}

/**
 * Handler for `catch` on requests whose results are optional: returns `undefined` for any refusal, and rethrows every
 * other error, which is a bug.
 */
export function unlessRefused(thrown: unknown): undefined {
  if (!isRefusal(thrown)) throw thrown;
}

/**
 * Runs work, and explains the platform's error if the platform forbids a request.
 *
 * @param lacking Returns everything that the credential lacks for the work.
 * @throws Refusal that says what the credential lacks.
 */
export async function explainForbiddenRefusal<T>(
  lacking: () => { readonly reason: string } | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    throw explainedRefusal(failure, lacking);
  }
}

/**
 * Returns an error that names everything that the credential lacks, if the platform forbade a request; otherwise, the
 * error itself. The platform's error names only the permission that the failed request requires.
 */
export function explainedRefusal(failure: unknown, lacking: () => { readonly reason: string } | undefined): unknown {
  const why = isRefusal(failure, "forbidden") && lacking()?.reason;
  if (!why) return failure;
  // Uses the message of the inner error, because the outer message may contain advice that does not apply to missing
  // permissions.
  const { message } = isRefusal(failure.cause) ? failure.cause : failure;
  return new Refusal("forbidden", { tried: message, answer: why, cause: failure });
}
