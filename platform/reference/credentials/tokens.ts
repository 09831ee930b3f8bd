import { checkedColumns } from "../store/columns";
import { given } from "../store/given";
import type { State, TokenRow } from "../store/schema";
import type { AccessScope } from "./access-scope";

export interface Token extends TokenRow {
  readonly username: string;
  readonly full_name: string;
  readonly email: string;
  readonly group_name: string | null;
  readonly organization_slug: string | null;
}

const selectTokens = (state: State) =>
  state
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .leftJoin("groups", "groups.id", "tokens.group_id")
    .leftJoin("organizations", "organizations.id", "tokens.organization_id")
    .selectAll("tokens")
    .select([
      "users.username",
      "users.name as full_name",
      "users.email",
      "groups.name as group_name",
      "organizations.slug as organization_slug",
    ]);

/**
 * Selects the organization's tokens that the caller may see. Omits unrestricted tokens, because they belong to no
 * organization (wire-facts 5.3).
 */
const selectReachableTokens = (state: State, { organization, tokensOf }: AccessScope) =>
  selectTokens(state)
    .where("tokens.organization_id", "=", organization.id)
    .$call(given(tokensOf, (query, value) => query.where("tokens.user_id", "=", value)));

export const listTokens = (state: State, accessScope: AccessScope): Promise<Token[]> =>
  selectReachableTokens(state, accessScope).orderBy("tokens.created_at").orderBy("tokens.id").execute();

export const findToken = (state: State, accessScope: AccessScope, id: string): Promise<Token | undefined> =>
  selectReachableTokens(state, accessScope).where("tokens.id", "=", id).executeTakeFirst();

/** Filter for the tokens that a user has minted. With `organizationId`, only tokens for that organization match. */
export interface OwnTokens {
  readonly userId: string;
  readonly organizationId?: string;
}

const selectOwnTokens = (state: State, { userId, organizationId }: OwnTokens) =>
  selectTokens(state)
    .where("tokens.user_id", "=", userId)
    .$call(given(organizationId, (query, value) => query.where("tokens.organization_id", "=", value)));

export const listOwnTokens = (state: State, wanted: OwnTokens): Promise<Token[]> =>
  selectOwnTokens(state, wanted).orderBy("tokens.created_at").orderBy("tokens.id").execute();

export const findOwnToken = (state: State, wanted: OwnTokens, name: string): Promise<Token | undefined> =>
  selectOwnTokens(state, wanted).where("tokens.name", "=", name).executeTakeFirst();

export const findTokenByJti = (state: State, jtiHash: string): Promise<Token | undefined> =>
  selectTokens(state).where("tokens.jti_hash", "=", jtiHash).executeTakeFirst();

export async function addToken(state: State, token: TokenRow): Promise<boolean> {
  const added = await state
    .insertInto("tokens")
    .values(checkedColumns(token))
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

/**
 * Removes a token. Returns `false` if the token no longer exists: users revoke their own tokens without locking an
 * organization, so a concurrent request can remove the token first.
 */
export async function removeToken(state: State, id: string): Promise<boolean> {
  return (await state.deleteFrom("tokens").where("id", "=", id).returning("id").executeTakeFirst()) !== undefined;
}
