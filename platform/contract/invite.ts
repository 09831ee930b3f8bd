import * as z from "zod";
import { endpoint } from "./endpoint";
import { AssignableRole } from "./member";
import { organizationPath } from "./organization";

const v2 = "/v2/organizations/{organizationSlug}";
const v1 = "/v1/organizations/{organizationSlug}";

/** Lists the invites to an organization (wire-facts 8). The official CLI uses the `/v1` path. */
export const listInvites = endpoint({
  summary: "List the pending invites of an organization.",
  method: "GET",
  paths: [`${v2}/invites`, `${v1}/invites`],
  params: organizationPath,
  result: () =>
    z.object({
      invites: z.array(
        z.object({
          id: z.int(),
          email: z.string(),
          role: AssignableRole(),
          created_at: z.string(),
          accepted: z
            .boolean()
            .optional()
            .meta({ description: "Always `false`, because accepted invites are not listed." }),
        }),
      ),
    }),
  access: { level: "organization" },
});

/** Invites a person by email or, if the person has an account, by username (wire-facts 8). */
export const createInvite = endpoint({
  summary: "Invite a person to an organization.",
  description: "A pending invite with the same email is replaced.",
  method: "POST",
  paths: [`${v2}/invites`, `${v1}/invite`],
  params: organizationPath,
  body: () =>
    z.object({
      email: z
        .email()
        .optional()
        .meta({ examples: ["lea@acme.example"] }),
      username: z.string().min(1).optional().meta({ description: "Username of the person, instead of the email." }),
      role: AssignableRole().default("member"),
    }),
  result: () =>
    z.object({ invited: z.object({ email: z.string(), role: AssignableRole(), organization: z.string() }) }),
  refusals: {
    400: "The organization is personal, or on the free plan.",
    404: "The user does not exist.",
    409: "The user is already a member.",
  },
  changes: ["invites"],
  access: { level: "organization", role: "admin" },
});

/** Withdraws the pending invite to an email address (wire-facts 8). */
export const deleteInvite = endpoint({
  summary: "Withdraw a pending invite.",
  method: "DELETE",
  paths: [`${v2}/invites/{email}`, `${v1}/invites/{email}`],
  params: () => organizationPath().extend({ email: z.string().min(1).meta({ description: "Email of the invite." }) }),
  result: () => z.looseObject({}),
  changes: ["invites"],
  access: { level: "organization", role: "admin" },
});
