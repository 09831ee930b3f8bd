import { isRefusal, Refusal } from "./refusal";
import type { PreflightFailure } from "./resource/preflight";

/**
 * Runs work, and explains the platform's error if the platform forbids a request. The platform's error names only the
 * permission that the failed request requires.
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
  } catch (cause) {
    const why = isRefusal(cause, "forbidden") && lacking()?.reason;
    if (!why) throw cause;
    // Uses the message of the inner error, because the outer message may contain advice that does not apply to missing
    // permissions.
    const { message } = isRefusal(cause.cause) ? cause.cause : cause;
    throw new Refusal("forbidden", { tried: message, answer: why, cause });
  }
}
