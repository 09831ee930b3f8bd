import type * as z from "zod";

/** What is wrong, with the path of the property. */
export const issueText = ({ path, message }: z.core.$ZodIssue): string => [...path.map(String), message].join(": ");
