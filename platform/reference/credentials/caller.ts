import { refuse } from "../messages";
import type { User } from "../store/organizations";
import type { State } from "../store/schema";
import { findTokenByJti } from "../store/tokens";
import type { Signer } from "./signer";

/** The person behind a credential, and the restrictions of the credential (§5 rule 3). */
export interface Caller {
  readonly user: User;
  readonly token: { readonly id: string; readonly name: string };
  readonly organizationId?: string;
  readonly group?: { readonly id: string; readonly name: string; readonly scopes: readonly string[] };
}

/** Authenticates a request (§5 rule 1). A revoked token is rejected like an unknown token. */
export async function callerOf(state: State, signer: Signer, authorization: string | undefined): Promise<Caller> {
  const credential = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? "";
  const token = await findTokenByJti(state, await signer.jtiHashOf(credential));
  if (!token) throw refuse.tokenUnknown();
  const { user_id, username, full_name, email, id, name, organization_id, group_id, group_name, scopes } = token;
  return {
    user: { id: user_id, username, name: full_name, email },
    token: { id, name },
    ...(organization_id !== null && { organizationId: organization_id }),
    ...(group_id !== null && { group: { id: group_id, name: group_name ?? "", scopes: JSON.parse(scopes ?? "[]") } }),
  };
}
