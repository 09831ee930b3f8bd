import * as z from "zod";
import { isRefusal } from "../../kit/refusal";
import type { Role } from "../../platform/contract/organization";
import type { OrganizationClient } from "./organization-client";

/**
 * The claims of a Platform API token (wire-facts 5.5). The claims are not verified, because only the platform can
 * verify them.
 */
export interface Credential {
  readonly id?: string;
  readonly groupId?: string;
  readonly scopes?: readonly string[];
  /** Whether the token can access every organization of its user. Such tokens are deprecated. */
  readonly unrestricted: boolean;
}

const Claims = z.object({
  jti: z.string().optional(),
  org_id: z.unknown().optional(),
  group_uuid: z.string().optional(),
  scopes: z.object({ scopes: z.array(z.string()) }).optional(),
});

export function unverifiedCredential(apiToken: string): Credential {
  const claims = Claims.safeParse(jwtClaimsOf(apiToken));
  if (!claims.success) return { unrestricted: false };
  const { jti, org_id, group_uuid, scopes } = claims.data;
  return {
    ...(jti === undefined ? {} : { id: jti }),
    unrestricted: jti !== undefined && org_id === undefined && group_uuid === undefined,
    ...(group_uuid === undefined ? {} : { groupId: group_uuid, scopes: scopes?.scopes ?? [] }),
  };
}

const SqlTokenClaims = z.object({
  a: z.string(),
  iat: z.number(),
  exp: z.number().optional(),
  id: z.string().optional(),
  gid: z.string().optional(),
  p: z.unknown().optional(),
  perm: z.unknown().optional(),
});

export type SqlTokenClaims = z.output<typeof SqlTokenClaims>;

/**
 * Returns the claims of a SQL-engine token (wire-facts 2.3), which are not verified. Returns `undefined` for every other
 * text.
 */
export function sqlTokenClaimsOf(token: string): SqlTokenClaims | undefined {
  const claims = SqlTokenClaims.safeParse(jwtClaimsOf(token)).data;
  return claims?.id === undefined && claims?.gid === undefined ? undefined : claims;
}

/** Returns the database or group that a SQL-engine token is for, or `undefined` for every other text. */
export function sqlTokenOwner(token: string): { readonly kind: "database" | "group"; readonly id: string } | undefined {
  const { id, gid } = sqlTokenClaimsOf(token) ?? {};
  if (id !== undefined) return { kind: "database", id };
  return gid === undefined ? undefined : { kind: "group", id: gid };
}

/** Returns the claims of a JSON Web Token, which are not verified, or `undefined` if the text is no such token. */
export function jwtClaimsOf(jwt: string): unknown {
  try {
    return JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

export interface TokenUser {
  readonly username: string;
  readonly role: z.output<ReturnType<typeof Role>>;
  /** Whether the user has enabled multi-factor authentication. Absent if the platform does not report it. */
  readonly hasMfa?: boolean | undefined;
}

/**
 * Returns the API token's user and that user's current role, or `undefined` if the token does not permit this request.
 */
export async function retrieveTokenUser(api: OrganizationClient): Promise<TokenUser | undefined> {
  const user = (await api.retrieveUser().catch(unlessHidden))?.user;
  if (user === undefined) return undefined;
  const { username, mfa: hasMfa } = user;
  const answer = await api.retrieveMember({ username }).catch(unlessHidden);
  return answer && { username, role: answer.member.role, hasMfa };
}

export const isAdmin = ({ role }: TokenUser): boolean => role === "admin" || role === "owner";

/**
 * A `catch` handler that returns `undefined` if the credential may not see an object, and rethrows every other error.
 */
export function unlessHidden(refusal: unknown): undefined {
  if (!isRefusal(refusal, "forbidden", "absent")) throw refusal;
}
