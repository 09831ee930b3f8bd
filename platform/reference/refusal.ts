import type { ContentfulStatusCode } from "hono/utils/http-status";
import { InvalidCursor, StoreFailure } from "./store/failure";

/** An error that `answerToFailure` converts to a response with a status other than 200. Any code may throw it. */
export class ApiError extends Error {
  override readonly name = "ApiError";

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

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

type Text = string | ((facts: never) => string);

/** Converts messages, which are functions if they need facts, to functions that create errors with this status. */
export const refusals = <Texts extends Readonly<Record<string, Text>>>(
  status: ContentfulStatusCode,
  texts: Texts,
  code?: string,
) => {
  const created = Object.entries(texts).map(([name, text]) => [
    name,
    (facts: never) => new ApiError(status, typeof text === "string" ? text : text(facts), code),
  ]);
  return Object.fromEntries(created) as {
    [Name in keyof Texts]: Texts[Name] extends (facts: infer Facts) => string
      ? (facts: Facts) => ApiError
      : () => ApiError;
  };
};

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
