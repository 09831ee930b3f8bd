import type { ContentfulStatusCode } from "hono/utils/http-status";
import { InvalidCursor, StoreFailure } from "./store/failure";

/** A response other than 200. Any code may throw it; one place turns it into a response. */
export class ApiError extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: ContentfulStatusCode,
    message: string,
    readonly code?: string,
    /** The underlying failure, if it does not concern the caller. */
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Returns the refusal for a failure; `undefined` for an internal error. */
export function asRefusal(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof InvalidCursor) return new ApiError(400, thrown.message);
  return thrown instanceof StoreFailure ? new ApiError(503, thrown.message, undefined, thrown.cause) : undefined;
}

/** Returns the refusal with which the work rejects, or `undefined`; rethrows any other failure. */
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
