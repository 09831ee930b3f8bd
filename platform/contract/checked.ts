import * as z from "zod";

/** Text of which one function of platform/values says what is wrong with it, if anything is. */
export const checked = (problem: (text: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problem(value);
    if (message) context.addIssue({ code: "custom", message });
  });
