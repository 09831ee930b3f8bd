import { tokenNameProblem } from "../../values/name";
import { expandScopes, scopeProblem } from "../../values/scope";
import type { Caller } from "../credentials/authorization";
import { findOrganization } from "../credentials/membership";
import { mint } from "../credentials/mint";
import {
  findOwnToken,
  findToken,
  listOwnTokens,
  listTokens,
  type OwnTokens,
  removeToken,
  type Token,
} from "../credentials/tokens";
import {
  GROUP_WITHOUT_ORGANIZATION,
  GROUP_WITHOUT_SCOPES,
  invalidName,
  invalidScopes,
  refuse,
  SCOPES_WITHOUT_GROUP,
} from "../messages";
import { findGroup, type Group } from "./group";
import type { Operations, RequestContext } from "./operation";

export const apiTokens = {
  createApiToken: {
    check: newTokenProblem,
    handle: createToken,
    audit: ({ request: { body }, answer: { name, id } }) => ({
      code: "user-token-create",
      data: { name, id, group: body?.group, scopes: body?.scopes },
    }),
  },

  createNestedApiToken: {
    check: newTokenProblem,
    async handle(request, context) {
      const { name, id, token: value } = await createToken(request, context);
      return { token: { name, id, value } };
    },
    audit: ({ request: { body }, answer: { token } }) => ({
      code: "user-token-create",
      data: { name: token.name, id: token.id, group: body?.group, scopes: body?.scopes },
    }),
  },

  listOwnApiTokens: {
    async handle(_request, { state, caller }) {
      const tokens = await listOwnTokens(state, tokensOfCaller(caller));
      return { tokens: tokens.map(shownTokenRecord) };
    },
  },

  revokeOwnApiToken: {
    async handle({ params }, context) {
      const { state, caller } = context;
      const found = await findOwnToken(state, tokensOfCaller(caller), params.tokenName);
      if (!found || !(await removeToken(state, found.id))) throw refuse.tokenNameNotFound({ name: params.tokenName });
      await noteConcernedOrganizations([found], context);
      return { token: found.name };
    },
    audit: ({ answer }) => ({ code: "user-token-revoke", data: { name: answer.token } }),
  },

  invalidateApiTokens: {
    async handle(_request, context) {
      const { state, caller, now } = context;
      const removed: Token[] = [];
      for (const token of await listOwnTokens(state, tokensOfCaller(caller)))
        if (await removeToken(state, token.id)) removed.push(token);
      await noteConcernedOrganizations(removed, context);
      return { ValidFrom: Math.floor(now.getTime() / 1000) };
    },
    audit: () => ({ code: "user-token-invalidate", data: {} }),
  },

  listApiTokens: {
    async handle(_request, { state, accessScope }) {
      const tokens = await listTokens(state, accessScope);
      return { tokens: tokens.map(tokenRecord) };
    },
  },

  revokeApiToken: {
    async handle({ params }, { state, accessScope }) {
      const found = await findToken(state, accessScope, params.tokenId);
      if (!found || !(await removeToken(state, found.id))) throw refuse.tokenNotFound({ id: params.tokenId });
      return { token: found.id };
    },
    audit: ({ answer }) => ({ code: "user-token-revoke", data: { id: answer.token } }),
  },

  validateApiToken: {
    /** Returns -1, because platform tokens do not expire (wire-facts 5.4). */
    handle: () => ({ exp: -1 }),
  },
} satisfies Partial<Operations>;

interface TokenRequest {
  readonly params: { readonly tokenName: string };
  readonly body?: { organization?: string; group?: string; scopes?: string[] };
}

/**
 * Validates the options of a new token (wire-facts 5.1): `group` and `scopes` must be given together, and require
 * `organization`.
 */
function newTokenProblem({ params, body: { organization, group, scopes } = {} }: TokenRequest): string | undefined {
  const reason = tokenNameProblem(params.tokenName);
  if (reason) return invalidName({ kind: "token", reason });
  if (!group && !scopes) return undefined;
  if (!organization) return GROUP_WITHOUT_ORGANIZATION;
  if (!group) return SCOPES_WITHOUT_GROUP;
  if (!scopes?.length) return GROUP_WITHOUT_SCOPES;
  const unknown = scopes.map(scopeProblem).find((found) => found !== undefined);
  return unknown && invalidScopes({ reason: unknown });
}

async function createToken({ params, body = {} }: TokenRequest, context: RequestContext) {
  const { state, accessScope, caller, now } = context;
  return mint(state, context, {
    name: params.tokenName,
    userId: caller.user.id,
    organization: accessScope?.organization,
    ...(await groupAndScopes(body, context)),
    now,
  });
}

/**
 * Returns the filter for the tokens that the caller may see. With a credential restricted to an organization, these are
 * only the tokens for that organization (§5 rule 3).
 */
const tokensOfCaller = ({ user, organizationId }: Caller): OwnTokens => ({ userId: user.id, organizationId });

/**
 * Adds to `concerned` the organizations whose audit logs record the revocation: the tokens' organizations and, for
 * unrestricted tokens, the caller's personal account.
 */
async function noteConcernedOrganizations(
  tokens: readonly Token[],
  { state, caller, concerned }: RequestContext,
): Promise<void> {
  const personal = await findOrganization(state, { slug: caller.user.username });
  const ids = tokens.map(({ organization_id }) => organization_id ?? personal?.id);
  for (const id of ids.filter((each) => each !== undefined).sort()) concerned.add(id);
}

/** Returns the group and the scopes of a group-scoped token, or nothing for other tokens (wire-facts 5.1). */
async function groupAndScopes(
  { group, scopes }: { group?: string; scopes?: string[] },
  { state, accessScope }: RequestContext,
): Promise<{ group?: Group; scopes?: string[] }> {
  if (!accessScope || !group || !scopes) return {};
  const found = await findGroup(state, accessScope, group);
  if (!found) throw refuse.groupNotFound();
  return { group: found, scopes: expandScopes(scopes) };
}

/** Returns the record of a token without its owner, for the list of the caller's own tokens (wire-facts 5.2). */
const shownTokenRecord = (row: Token) => ({
  name: row.name,
  id: row.id,
  ...(row.organization_slug !== null && { organization: row.organization_slug }),
  ...(row.group_name !== null && { group: row.group_name }),
  ...(row.scopes !== null && { scopes: JSON.parse(row.scopes) as string[] }),
  created_at: row.created_at.slice(0, "YYYY-MM-DD".length),
});

/** Returns the record of a token. The owner is the user who minted it, not the user who lists it (§4.9). */
const tokenRecord = (row: Token) => ({ ...shownTokenRecord(row), owner: { username: row.username, email: row.email } });
