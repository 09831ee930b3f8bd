import * as z from "zod";
import { claimsOf } from "../../platform/values/jwt";

/**
 * The claims of a Platform API token (wire-facts 5.5). The claims are not verified, because only the platform can
 * verify them.
 */
export interface Credential {
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

export function credentialOf(apiToken: string): Credential {
  const claims = Claims.safeParse(claimsOf(apiToken));
  if (!claims.success) return { unrestricted: false };
  const { jti, org_id, group_uuid, scopes } = claims.data;
  return {
    unrestricted: jti !== undefined && org_id === undefined && group_uuid === undefined,
    ...(group_uuid === undefined ? {} : { groupId: group_uuid, scopes: scopes?.scopes ?? [] }),
  };
}
