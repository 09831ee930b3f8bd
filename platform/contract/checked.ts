import * as z from "zod";

/**
 * Returns a schema for text that a function of platform/values validates. The function returns what is wrong with the
 * text, or `undefined`.
 */
export const checked = (problem: (text: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problem(value);
    if (message) context.addIssue({ code: "custom", message });
  });
