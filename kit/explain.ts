import type { PreflightFailure } from "./failure";
import { isRefusal, Refusal } from "./refusal";

/**
 * Runs work, and explains the platform's error if the platform forbids a request.
 *
 * @param lacking Returns everything that the credential lacks for the work.
 * @throws Refusal that says what the credential lacks.
 */
export async function explainForbidden<T>(
  lacking: () => PreflightFailure | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    throw forbiddenExplained(failure, lacking);
  }
}

/**
 * Returns an error that names everything that the credential lacks, if the platform forbade a request; otherwise, the
 * error itself. The platform's error names only the permission that the failed request requires.
 */
export function forbiddenExplained(failure: unknown, lacking: () => PreflightFailure | undefined): unknown {
  const why = isRefusal(failure, "forbidden") && lacking()?.reason;
  if (!why) return failure;
  // Uses the message of the inner error, because the outer message may contain advice that does not apply to missing
  // permissions.
  const { message } = isRefusal(failure.cause) ? failure.cause : failure;
  return new Refusal("forbidden", { tried: message, answer: why, cause: failure });
}
