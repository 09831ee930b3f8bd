import * as z from "zod";

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
