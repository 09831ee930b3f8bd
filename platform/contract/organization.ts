import { z } from "zod";
import { endpoint } from "./endpoint";

/** §2.7, wire-facts 1.2. */
const Organization = z
  .object({
    id: z.guid().meta({ description: "What paths under `/v3` name the organization by." }),
    slug: z.string().meta({ description: "What paths under `/v1` name the organization by." }),
    plan_id: z.string().optional().meta({ description: "`starter` is the free plan." }),
    restore_enabled: z
      .boolean()
      .optional()
      .meta({ description: "Whether deleted databases and groups may be restored." }),
  })
  .meta({ id: "Organization" });

export const Role = z.enum(["owner", "admin", "member", "viewer"]);

export const organizationPath = z.object({
  organizationSlug: z.string().min(1).meta({ description: "Slug of the organization or personal account." }),
});

/** The same by UUID, as paths under `/v3` name it. */
export const organizationIdPath = z.object({
  organizationId: z.guid().meta({ description: "UUID of the organization: its `id`." }),
});

/**
 * The paths of what belongs to an organization: by its slug, and without it for the caller's own organization
 * (wire-facts 0).
 */
export const inOrganization = (rest: string): readonly [string, string] => [
  `/v1/organizations/{organizationSlug}${rest}`,
  `/v1${rest}`,
];

const one = "/v1/organizations/{organizationSlug}";

/** §4.10 */
export const retrieveOrganization = endpoint({
  summary: "Retrieve an organization.",
  method: "GET",
  paths: [one],
  params: organizationPath,
  result: z.object({ organization: Organization }),
  access: { level: "organization" },
});

/** Wire-facts 1.3: `restore_enabled` must be sent alone. */
export const updateOrganization = endpoint({
  summary: "Change settings of an organization.",
  method: "PATCH",
  paths: [one],
  params: organizationPath,
  body: z.object({
    overages: z.boolean().optional(),
    require_mfa: z.boolean().optional(),
    restore_enabled: z.boolean().optional().meta({ description: "Must be sent alone." }),
  }),
  result: z.object({ organization: Organization }),
  access: { level: "organization", role: "admin" },
});

/** Wire-facts 1.5. */
export const retrieveMember = endpoint({
  summary: "Retrieve a member of an organization.",
  method: "GET",
  paths: [`${one}/members/{username}`],
  params: organizationPath.extend({ username: z.string().min(1).meta({ description: "Username of the member." }) }),
  result: z.object({ member: z.object({ username: z.string(), role: Role }) }),
  access: { level: "organization" },
});

/** The person behind the credential (wire-facts 1.7). */
export const retrieveUser = endpoint({
  summary: "Retrieve the person behind the credential.",
  method: "GET",
  paths: ["/v1/user"],
  result: z.object({ user: z.object({ username: z.string() }) }),
  access: { level: "user" },
});
