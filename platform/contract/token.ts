import * as z from "zod";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationPath } from "./organization";

/** The response to minting a token (§2.4). No other response shows `token`. */
const CreatedApiToken = lazy(() =>
  z
    .object({
      name: z.string(),
      id: z.string(),
      token: z.string().meta({ description: "The token itself, a JWT. It is shown only once." }),
    })
    .meta({ id: "CreatedApiToken" }),
);

/**
 * An entry in the organization's list of tokens (wire-facts 5.3). Only group-scoped tokens have `group` and `scopes`.
 */
export const ApiToken = lazy(() =>
  z
    .object({
      id: z.string(),
      name: z.string(),
      organization: z.string().optional().meta({ description: "Slug." }),
      group: z.string().optional().meta({ description: "Name, not UUID. Present for group-scoped tokens." }),
      scopes: z.array(z.string()).optional().meta({ description: "Individual scopes, in alphabetical order." }),
      owner: z
        .object({ username: z.string(), email: z.string().optional() })
        .optional()
        .meta({ description: "User who created the token. The public service shows it only to admins and owners." }),
      created_at: z.string().optional().meta({ description: "`YYYY-MM-DD`." }),
    })
    .meta({ id: "ApiToken" }),
);

const wanted = lazy(() =>
  z
    .object({
      organization: z
        .string()
        .min(1)
        .optional()
        .meta({ description: "Slug.", examples: ["acme"] }),
      group: z
        .string()
        .optional()
        .meta({ description: "Name of a group.", examples: ["default"] }),
      scopes: z
        .array(z.string())
        .optional()
        .meta({
          description: "Scopes, or the presets `read-only` and `full-access`.",
          examples: [["read", "db:create"]],
        }),
    })
    .optional(),
);

const newTokenPath = lazy(() =>
  z.object({
    tokenName: z.string().min(1).meta({ description: "Name of the token, unique among the tokens of its user." }),
  }),
);

/** The common part of the two operations that create a token. */
const creating = {
  description:
    "With `organization`, the token is restricted to that organization; with `group` and `scopes` as well, it is group-scoped. Otherwise it is unrestricted, which is deprecated: unrestricted tokens will be removed in a future release.",
  method: "POST",
  params: newTokenPath,
  body: wanted,
  refusals: { 409: "The user already has a token with this name." },
  changes: [],
  access: { level: "user", names: "body", groupRole: "admin" },
} as const;

export const apiTokens = {
  /**
   * Mints an API token (§4.2, wire-facts 5.1). Without a body, the token is unrestricted, which is deprecated. With
   * `organization` (slug), the token is restricted to that organization. With `group` (name) and `scopes` (scopes or
   * presets) as well, the token is group-scoped, and the caller must be an admin or owner (§5 rule 4).
   */
  createApiToken: endpoint({
    ...creating,
    summary: "Create an API token.",
    paths: ["/v1/auth/api-tokens/{tokenName}"],
    result: CreatedApiToken,
    repeats: { tokenName: "name" },
  }),

  /** Mints an API token and responds in the format that the official CLI expects (wire-facts 5.1). */
  createNestedApiToken: endpoint({
    ...creating,
    summary: "Create an API token, returned in an object.",
    paths: ["/v2/auth/api-tokens/{tokenName}"],
    result: () =>
      z.object({
        token: z.object({
          name: z.string(),
          id: z.string(),
          value: z.string().meta({ description: "The token itself, a JWT. It is shown only once." }),
        }),
      }),
  }),

  /**
   * Lists the caller's own tokens (wire-facts 5.2). A credential restricted to an organization lists only the tokens for
   * that organization.
   */
  listOwnApiTokens: endpoint({
    summary: "List the API tokens that the caller has created.",
    method: "GET",
    paths: ["/v1/auth/api-tokens"],
    result: () => z.object({ tokens: z.array(ApiToken().omit({ owner: true })) }),
    access: { level: "user" },
  }),

  /** Revokes one of the caller's own tokens by its name (wire-facts 5.2). */
  revokeOwnApiToken: endpoint({
    summary: "Revoke an API token by its name.",
    method: "DELETE",
    paths: ["/v1/auth/api-tokens/{tokenName}"],
    params: () => z.object({ tokenName: z.string().min(1).meta({ description: "Name of the token." }) }),
    result: () => z.object({ token: z.string() }),
    changes: ["apiTokens"],
    access: { level: "user" },
  }),

  /** Revokes all tokens of the caller (wire-facts 5.4). The official CLI uses this operation to log out everywhere. */
  invalidateApiTokens: endpoint({
    summary: "Revoke every API token that the caller has created.",
    description:
      "This includes the token of the request. A token that is restricted to an organization only revokes tokens of that organization.",
    method: "POST",
    paths: ["/v1/auth/invalidate"],
    result: () =>
      z.object({
        ValidFrom: z.int().meta({ description: "Unix seconds. Tokens created before this time are revoked." }),
      }),
    changes: ["apiTokens"],
    access: { level: "user" },
  }),

  /**
   * Lists the tokens of an organization (§4.9). Admins and owners see all tokens; other members see only the tokens that
   * they minted (§5 rule 9).
   */
  listApiTokens: endpoint({
    summary: "List the API tokens of an organization.",
    method: "GET",
    paths: ["/v1/organizations/{organizationSlug}/api-tokens"],
    params: organizationPath,
    result: () => z.object({ tokens: z.array(ApiToken()) }),
    access: { level: "organization", onlyOwnBelow: "admin" },
  }),

  /** Revokes a token (§4.9), or returns 404 if the caller may not see the token (wire-facts 5.3). */
  revokeApiToken: endpoint({
    summary: "Revoke an API token of an organization.",
    method: "DELETE",
    paths: ["/v1/organizations/{organizationSlug}/api-tokens/{tokenId}"],
    params: () => organizationPath().extend({ tokenId: z.string().min(1).meta({ description: "`id` of the token." }) }),
    result: () => z.object({ token: z.string() }),
    changes: ["apiTokens"],
    access: { level: "organization", onlyOwnBelow: "admin" },
  }),

  /**
   * Validates the credential of the request (wire-facts 5.4). `exp` is in Unix seconds, or -1 if the token does not
   * expire. The official TypeScript client uses `/v1/auth/api-tokens/validate`, a path that the public service does not
   * have (wire-facts 13.8).
   */
  validateApiToken: endpoint({
    summary: "Validate the API token of this request.",
    method: "GET",
    paths: ["/v1/auth/validate", "/v1/auth/api-tokens/validate"],
    result: () =>
      z.object({
        exp: z.number().meta({ description: "Unix seconds; -1 for a token that does not expire." }),
      }),
    access: { level: "any" },
  }),
};
