import type { Ids } from "../ids";
import { refuse } from "../messages";
import type { GroupRow, State, TokenRow } from "../store/schema";
import type { Organization } from "./membership";
import { jtiHash, type Signer } from "./signer";
import { addToken } from "./tokens";

export interface Minting {
  readonly signer: Signer;
  readonly ids: Ids;
}

interface NewToken {
  readonly name: string;
  readonly userId: string;
  /** Absent: unrestricted. */
  readonly organization?: Pick<Organization, "id" | "number">;
  readonly group?: Pick<GroupRow, "id">;
  /** Individual scopes only. Presets have already been expanded. */
  readonly scopes?: readonly string[];
  readonly createdAt: string;
}

/** Mints a credential and stores its record. The credential itself appears only in this result (§2.4). */
export async function mint(
  state: State,
  minting: Minting,
  { now, ...wanted }: Omit<NewToken, "createdAt"> & { readonly now: Date },
) {
  const { row, token } = await newToken(state, minting, { ...wanted, createdAt: now.toISOString() });
  if (!(await addToken(state, row))) throw refuse.nameTaken({ kind: "token", name: row.name });
  return { name: row.name, id: row.id, token };
}

/** Mints a credential without storing anything. */
export async function newToken(
  state: State,
  { signer, ids }: Minting,
  { name, userId, organization, group, scopes, createdAt }: NewToken,
): Promise<{ row: TokenRow; token: string }> {
  const id = await ids.text(state);
  const jti = await ids.text(state);
  const row = {
    id,
    name,
    user_id: userId,
    organization_id: organization?.id ?? null,
    group_id: group?.id ?? null,
    scopes: scopes ? JSON.stringify(scopes) : null,
    jti_hash: jtiHash(jti),
    created_at: createdAt,
  };
  const token = await signer.sign({
    jti,
    ...(organization && { org_id: organization.number }),
    ...(group && { group_uuid: group.id }),
    ...(scopes && { scopes: { scopes } }),
  });
  return { row, token };
}
