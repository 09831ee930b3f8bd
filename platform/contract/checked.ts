import * as z from "zod";

/** Text that a function of platform/values validates; the function returns a problem or `undefined`. */
export const checked = (problem: (text: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problem(value);
    if (message) context.addIssue({ code: "custom", message });
  });
