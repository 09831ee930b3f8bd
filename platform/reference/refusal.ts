import type { ContentfulStatusCode } from "hono/utils/http-status";
import { message } from "../values/message";
import { InvalidCursor, StoreFailure } from "./store/failure";

/** An error that `answerTo` converts to a response with a status other than 200. Any code may throw it. */
export class ApiError extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: ContentfulStatusCode,
    message: string,
    readonly code?: string,
    /** The underlying error, which is logged but not shown to the caller. */
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/**
 * Defines an error by its status and its message, which `text` builds. The examples are sample arguments of `text`,
 * from which `npm run messages` prints the message.
 */
export const refusal = <Facts extends readonly unknown[]>(
  status: ContentfulStatusCode,
  text: (...facts: Facts) => string,
  ...examples: readonly [NoInfer<Facts>, ...NoInfer<Facts>[]]
) => message((...facts: Facts) => new ApiError(status, text(...facts)), ...examples);

/**
 * Converts an error to an `ApiError` if the caller caused the error or can act on it. Returns `undefined` for an
 * internal error.
 */
export function asRefusal(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof InvalidCursor) return new ApiError(400, thrown.message);
  return thrown instanceof StoreFailure ? new ApiError(503, thrown.message, undefined, thrown.cause) : undefined;
}

/** Awaits `work`. Returns its error as an `ApiError`, or `undefined` if it succeeds. Rethrows internal errors. */
export async function refusalOf(work: Promise<void>): Promise<ApiError | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    const refusal = asRefusal(thrown);
    if (refusal) return refusal;
    throw thrown;
  }
}
