import * as z from "zod";
import { endpoint } from "./endpoint";

/** Wire-facts 1.7. The official command line uses the second path. */
export const retrieveUser = endpoint({
  summary: "Retrieve the person behind the credential.",
  method: "GET",
  paths: ["/v1/user", "/v1/current-user"],
  result: z.object({
    user: z.object({
      username: z.string(),
      name: z.string().optional(),
      email: z.string().optional(),
      avatarUrl: z.string().optional(),
      plan: z.string().optional().meta({ description: "Of the personal account; empty where there is none." }),
      mfa: z.boolean().optional(),
      has_pending_invites: z.boolean().optional(),
    }),
  }),
  access: { level: "user" },
});
