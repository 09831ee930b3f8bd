import * as z from "zod";
import { endpoint } from "./endpoint";

/** Retrieves the user who sends the request (wire-facts 1.7). The official CLI uses `/v1/current-user`. */
export const retrieveUser = endpoint({
  summary: "Retrieve the caller.",
  method: "GET",
  paths: ["/v1/user", "/v1/current-user"],
  result: () =>
    z.object({
      user: z.object({
        username: z.string(),
        name: z.string().optional(),
        email: z.string().optional(),
        avatarUrl: z.string().optional(),
        plan: z
          .string()
          .optional()
          .meta({ description: "Plan of the personal account. Empty: there is no personal account." }),
        mfa: z.boolean().optional(),
        has_pending_invites: z.boolean().optional(),
      }),
    }),
  access: { level: "user" },
});
