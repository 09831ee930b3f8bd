import type { Ids } from "../ids";
import { refuse } from "../refusal";
import type { Group } from "../store/groups";
import type { Organization } from "../store/organizations";
import type { State } from "../store/schema";
import { addToken } from "../store/tokens";
import { hashOf } from "./caller";
import type { Signer } from "./signer";

/** What tokens are made with. */
export interface Minting {
  readonly signer: Signer;
  readonly ids: Ids;
}

interface Mint {
  readonly name: string;
  readonly userId: string;
  /** Left out: unrestricted. */
  readonly organization?: Pick<Organization, "id" | "number">;
  readonly group?: Pick<Group, "id">;
  /** Individual scopes, no presets. */
  readonly scopes?: readonly string[];
  readonly now: Date;
}

/** A new credential. Its text is in the answer and nowhere else (§2.4). */
export async function mint(state: State, { signer, ids }: Minting, wanted: Mint) {
  const { name, userId, organization, group, scopes, now } = wanted;
  const id = await ids.text(state);
  const jti = await ids.text(state);
  const added = await addToken(state, {
    id,
    name,
    user_id: userId,
    organization_id: organization?.id ?? null,
    group_id: group?.id ?? null,
    scopes: scopes ? JSON.stringify(scopes) : null,
    jti_hash: hashOf(jti),
    created_at: now.toISOString(),
  });
  if (!added) throw refuse.tokenExists(name);
  const token = await signer.sign({
    jti,
    ...(organization && { org_id: organization.number }),
    ...(group && { group_uuid: group.id }),
    ...(scopes && { scopes: { scopes } }),
  });
  return { name, id, token };
}
