import * as z from "zod";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";

/** The plan on which deleted databases and groups cannot be restored (§8). */
export const FREE_PLAN = "starter";

/** The record of an organization (§2.7, wire-facts 1.2). */
const Organization = lazy(() =>
  z
    .object({
      id: z.guid().meta({ description: "Identifies the organization in paths under `/v3`." }),
      slug: z.string().meta({
        description:
          "Identifies the organization in paths under `/v1`. Of a personal account: the username of its owner.",
      }),
      name: z.string().optional().meta({ description: "The same as the slug." }),
      type: z.enum(["personal", "team"]).optional().meta({ description: "`personal`: the account of one user." }),
      overages: z.boolean().optional(),
      require_mfa: z.boolean().optional(),
      blocked_reads: z.boolean().optional(),
      blocked_writes: z.boolean().optional(),
      plan_id: z
        .string()
        .optional()
        .meta({ description: `\`${FREE_PLAN}\` is the free plan.` }),
      plan_timeline: z.string().optional().meta({ description: "`monthly`, `yearly` or empty." }),
      platform: z.string().optional(),
    })
    .meta({ id: "Organization" }),
);

/** The record of an organization in the response of `retrieveOrganization` (wire-facts 1.2). */
const RetrievedOrganization = lazy(() =>
  Organization()
    .extend({
      restore_enabled: z
        .boolean()
        .optional()
        .meta({ description: "Whether deleted databases and groups can be restored." }),
    })
    .meta({ id: "RetrievedOrganization" }),
);

export const PlanId = lazy(() => z.enum(["starter", "developer", "scaler", "pro", "enterprise"]));

export const Timeline = lazy(() => z.enum(["monthly", "yearly"]));

export const Role = lazy(() => z.enum(["owner", "admin", "member", "viewer"]));

export const organizationPath = lazy(() =>
  z.object({
    organizationSlug: z.string().min(1).meta({ description: "Slug of the organization or personal account." }),
  }),
);

/** The path parameter of `/v3` paths: the organization's UUID, instead of the slug used in other paths. */
export const organizationIdPath = lazy(() =>
  z.object({
    organizationId: z.guid().meta({ description: "UUID of the organization: its `id`." }),
  }),
);

/**
 * Returns the two paths of an operation within an organization. The second path has no slug, and refers to the caller's
 * own organization (wire-facts 0).
 */
export const organizationPaths = (rest: string): readonly [string, string] => [
  `/v1/organizations/{organizationSlug}${rest}`,
  `/v1${rest}`,
];

const one = "/v1/organizations/{organizationSlug}";

export const organizations = {
  /** Retrieves the user who sends the request (wire-facts 1.7). The official CLI uses `/v1/current-user`. */
  retrieveUser: endpoint({
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
  }),

  /** Lists the caller's organizations (wire-facts 1.1). A restricted credential lists only its own organization. */
  listOrganizations: endpoint({
    summary: "List the organizations of the caller.",
    method: "GET",
    paths: ["/v1/organizations"],
    result: () => z.array(Organization()),
    access: { level: "user" },
  }),

  /** Lists the organizations in the format that the official CLI expects (wire-facts 1.1). */
  listOrganizationsAsObject: endpoint({
    summary: "List the organizations of the caller, in an object.",
    method: "GET",
    paths: ["/v2/organizations"],
    result: () => z.object({ organizations: z.array(Organization().extend({ stripe_id: z.string().optional() })) }),
    access: { level: "user" },
  }),

  /** Creates an organization with the caller as its owner (wire-facts 1.4). */
  createOrganization: endpoint({
    summary: "Create an organization.",
    method: "POST",
    paths: ["/v1/organizations"],
    query: () =>
      z.object({
        dry_run: z
          .enum(["true", "false"])
          .optional()
          .meta({ description: "`true`: checks whether the organization could be created, without creating it." }),
      }),
    body: () => z.object({ name: z.string(), stripe_id: z.string().nullish() }),
    result: () => z.object({ org: Organization().partial({ id: true }) }),
    refusals: {
      403: "The credential is restricted to one organization.",
      409: "An organization or a user already has this name.",
    },
    changes: [],
    access: { level: "user", unrestricted: true },
  }),

  /** Retrieves an organization by its slug (§4.10). */
  retrieveOrganization: endpoint({
    summary: "Retrieve an organization.",
    method: "GET",
    paths: [one],
    params: organizationPath,
    result: () => z.object({ organization: RetrievedOrganization() }),
    repeats: { organizationSlug: "organization.slug" },
    access: { level: "organization" },
  }),

  /** Changes an organization (wire-facts 1.3). `restore_enabled` must be sent without other fields. */
  updateOrganization: endpoint({
    summary: "Change settings of an organization.",
    method: "PATCH",
    paths: [one],
    params: organizationPath,
    body: () =>
      z.object({
        overages: z
          .boolean()
          .optional()
          .meta({ examples: [true] }),
        require_mfa: z.boolean().optional(),
        restore_enabled: z.boolean().optional().meta({ description: "Must be sent alone." }),
      }),
    result: () => z.object({ organization: RetrievedOrganization() }),
    changes: [],
    access: { level: "organization", role: "admin" },
  }),

  /**
   * Deletes an organization (wire-facts 1.4). Personal organizations and organizations with databases cannot be deleted.
   */
  deleteOrganization: endpoint({
    summary: "Delete an organization without databases.",
    method: "DELETE",
    paths: [one],
    params: organizationPath,
    result: () => z.looseObject({}),
    refusals: {
      400: "The organization is personal, has databases, or is the only one of the server.",
      403: "A group in it is delete-protected.",
    },
    changes: ["databases", "groups", "deletedGroups", "apiTokens", "members", "invites"],
    access: { level: "organization", role: "owner" },
  }),
};

/** Path under which only the reference API lists its organizations, to callers without a credential. */
export const REFERENCE_ORGANIZATIONS = "/_reference/organizations";

export const ReferenceOrganizations = lazy(() =>
  z.object({ organizations: z.array(z.object({ id: z.string(), slug: z.string() })) }),
);

/** Path under which only the reference API says whether it serves, to every caller. */
export const REFERENCE_HEALTH = "/_reference/health";

/** `sql` is absent without the option `--sql`. */
export const ReferenceHealth = lazy(() => z.object({ status: z.literal("ok"), sql: z.string().optional() }));

/** The path of a database for SQL clients, with the placeholder `{DbId}`. */
export const REFERENCE_SQL = "/sql/{DbId}/";
