import * as z from "zod";

/**
 * Returns a schema for strings that are valid according to a function from platform/values.
 *
 * @param problem Returns the error message for an invalid string, and `undefined` for a valid string.
 */
export const checked = (problem: (text: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problem(value);
    if (message) context.addIssue({ code: "custom", message });
  });
