import * as z from "zod";

/**
 * Returns a schema that validates a string with a function from platform/values, which returns the problem, or
 * `undefined` if the string is valid.
 */
export const checked = (problem: (text: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problem(value);
    if (message) context.addIssue({ code: "custom", message });
  });
