import * as z from "zod";

/**
 * Returns a schema that validates text with a function of platform/values. The function returns the problem, or
 * `undefined` if the text is valid.
 */
export const checked = (problem: (text: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problem(value);
    if (message) context.addIssue({ code: "custom", message });
  });
