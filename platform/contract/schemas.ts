import * as z from "zod";
import { notWholeNumber } from "../values/messages";
import { lazy } from "./lazy";

/**
 * Returns a schema for strings that are valid according to a function from platform/values.
 *
 * @param problem Returns the error message for an invalid string, and `undefined` for a valid string.
 */
export const checkedText = (problem: (text: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problem(value);
    if (message) context.addIssue({ code: "custom", message });
  });

/**
 * Returns a schema for a whole number from 1 to `most`. Only decimal digits are accepted, because `Number` would also
 * accept `1e2` and `0x10`.
 */
export function wholeNumberUpTo(most: number) {
  const error = ({ input }: { readonly input?: unknown }) =>
    notWholeNumber({ largest: most, text: String(input).slice(0, 40) });
  const isInRange = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most;
  return z.coerce.string().refine(isInRange, { error }).transform(Number).pipe(z.int().min(1).max(most));
}

/** The query parameters of a paged list: page size and cursor (§4.4, wire-facts 4.1). */
export const pageQuery = lazy(() =>
  z.object({
    limit: wholeNumberUpTo(1000).optional().meta({ description: "Page size, 1 to 1000." }),
    cursor: z.string().optional().meta({ description: "Opaque text: `pagination.next` of the previous page." }),
  }),
);

/** The pagination of a response. `next` is absent on the last page (wire-facts 4.5). */
export const Pagination = lazy(() => z.object({ next: z.string().nullish() }));

/**
 * The body of every response with a status other than 200 (wire-facts 0). `code` is present only if a paid plan would
 * allow the request.
 */
export const ErrorBody = z
  .object({
    error: z.unknown().meta({ description: "Reason of the failure, as text." }),
    code: z.string().optional().meta({ description: "Present only if a paid plan would allow the request." }),
  })
  .meta({ id: "Error" });

/** The `code` of an error that a paid plan would avoid (wire-facts 7). */
export const PLAN_REFUSAL = "feature_not_available_for_starter_plan";

/**
 * Returns schema options that replace the error message for an invalid value, because the usual message could repeat
 * the value. A missing value keeps the usual message.
 */
export const errorWithoutValue = (message: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? undefined : message),
});
