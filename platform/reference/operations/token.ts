import { expandScopes } from "../../values/scope";
import { mint } from "../credentials/mint";
import { refuse } from "../refusal";
import { findGroup, type Group } from "../store/groups";
import type { Reach } from "../store/reach";
import { findToken, listTokens, removeToken, type Token } from "../store/tokens";
import type { Handlers, World } from "./handler";

export const token: Pick<Handlers, "createApiToken" | "listApiTokens" | "revokeApiToken" | "validateApiToken"> = {
  async createApiToken({ params, body = {} }, world) {
    const { state, reach, caller, now } = world;
    return mint(state, world, {
      name: params.tokenName,
      userId: caller.user.id,
      organization: reach?.organization,
      ...(await pinnedTo(body, world)),
      now,
    });
  },

  async listApiTokens(_request, { state, reach }) {
    const tokens = await listTokens(state, reach);
    return { tokens: tokens.map((row) => tokenRecord(row, reach)) };
  },

  async revokeApiToken({ params }, { state, reach }) {
    const found = await findToken(state, reach, params.tokenId);
    if (!found) throw refuse.tokenNotFound(params.tokenId);
    await removeToken(state, found.id);
    return { token: found.id };
  },

  /** Platform tokens do not expire (wire-facts 5.4). */
  validateApiToken: () => ({ exp: -1 }),
};

/** The group and scopes of a group-scoped token; nothing for the others (wire-facts 5.1). */
async function pinnedTo(
  { group, scopes }: { group?: string; scopes?: string[] },
  { state, reach }: World,
): Promise<{ group?: Group; scopes?: string[] }> {
  if (!reach || !group || !scopes) return {};
  const found = await findGroup(state, reach, group);
  if (!found) throw refuse.groupNotFound();
  return { group: found, scopes: expandScopes(scopes) };
}

/** Wire-facts 5.3. The minting user is shown to those who see all tokens. */
const tokenRecord = (row: Token, { organization, tokensOf }: Reach) => ({
  name: row.name,
  id: row.id,
  organization: organization.slug,
  ...(row.group_name !== null && { group: row.group_name }),
  ...(row.scopes !== null && { scopes: JSON.parse(row.scopes) as string[] }),
  ...(tokensOf === undefined && { owner: { username: row.username, email: row.email } }),
  created_at: row.created_at.slice(0, "YYYY-MM-DD".length),
});
