import type { Api } from "../../contract/api";
import type { HandlerRequest } from "../../contract/endpoint";
import { durationOf } from "../../values/duration";
import { retireKeyOf, retireKeysOfGroup } from "../credentials/signing-keys";
import { mintSqlToken, type SqlClaims } from "../credentials/sql-token";
import { refuse } from "../messages";
import { databaseNamed, databaseWithId } from "./database";
import { groupNamed, groupWithId } from "./group";
import type { Entry, Operations, OrganizationContext } from "./operation";

type SqlTokenRequest = Pick<HandlerRequest<Api["createDatabaseToken"]>, "query" | "body">;

/**
 * Returns an operation that issues a token.
 *
 * @param ownerOf Finds the database (`id`) or the group (`gid`) that the token is for.
 * @param shown Returns the path parameters as the audit log shows them.
 */
const sqlTokenOperation = <Params>(
  code: "db-token-create" | "group-token-create",
  ownerOf: (params: Params, context: OrganizationContext) => Promise<Pick<SqlClaims, "id" | "gid">>,
  shown: (params: Params) => Readonly<Record<string, string>>,
) => ({
  handle: async ({ params, ...wanted }: SqlTokenRequest & { readonly params: Params }, context: OrganizationContext) =>
    issueSqlToken(await ownerOf(params, context), wanted, context),
  audit({ request: { params, query } }: { readonly request: SqlTokenRequest & { readonly params: Params } }): Entry {
    const { expiration, authorization } = query;
    return { code, data: { ...shown(params), expiration, authorization } };
  },
});

export const sqlTokens = {
  createDatabaseToken: sqlTokenOperation(
    "db-token-create",
    async ({ databaseName }, context) => ({ id: (await databaseNamed(databaseName, context)).id }),
    ({ databaseName }) => ({ database: databaseName }),
  ),

  createDatabaseTokenById: sqlTokenOperation(
    "db-token-create",
    async ({ databaseId }, context) => ({ id: (await databaseWithId(databaseId, context)).id }),
    ({ databaseId }) => ({ id: databaseId }),
  ),

  createGroupToken: sqlTokenOperation(
    "group-token-create",
    async ({ groupName }, context) => ({ gid: (await groupNamed(groupName, context)).id }),
    ({ groupName }) => ({ group: groupName }),
  ),

  createGroupTokenById: sqlTokenOperation(
    "group-token-create",
    async ({ groupId }, context) => ({ gid: (await groupWithId(groupId, context)).id }),
    ({ groupId }) => ({ uuid: groupId }),
  ),

  rotateDatabaseTokens: {
    async handle({ params }, context) {
      const { id } = await databaseNamed(params.databaseName, context);
      await retireKeyOf(context.state, id);
      return {};
    },
    audit: ({ request: { params } }) => ({ code: "db-token-rotate", data: { database: params.databaseName } }),
  },

  rotateGroupTokens: {
    /** Rotates the keys of the group and of every database in it (§5 rule 5). */
    async handle({ params }, context) {
      const { id } = await groupNamed(params.groupName, context);
      await retireKeysOfGroup(context.state, id);
      return {};
    },
    audit: ({ request: { params } }) => ({ code: "group-token-rotate", data: { group: params.groupName } }),
  },
} satisfies Partial<Operations>;

async function issueSqlToken(
  owner: Pick<SqlClaims, "id" | "gid">,
  { query, body }: SqlTokenRequest,
  context: OrganizationContext,
) {
  const { state, ids, now } = context;
  const lifetime = parseLifetime(query.expiration);
  const attached = await databaseIdsOf(body?.permissions?.read_attach?.databases ?? [], context);
  const claims: SqlClaims = {
    a: query.authorization === "read-only" ? "ro" : "rw",
    ...owner,
    iat: inSeconds(now.getTime()),
    ...(lifetime !== undefined && { exp: inSeconds(now.getTime() + lifetime) }),
    ...(attached.length > 0 && { p: { roa: { ns: attached } } }),
    ...(body?.fine_grained_permissions?.length && { perm: body.fine_grained_permissions }),
  };
  return { jwt: await mintSqlToken(state, ids, claims) };
}

const inSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** Returns the lifetime in milliseconds, or `undefined` for a token that does not expire (wire-facts 2.3). */
function parseLifetime(expiration = ""): number | undefined {
  if (["", "never", "none", "default"].includes(expiration)) return undefined;
  const duration = durationOf(expiration);
  if (duration === undefined) throw refuse.invalidExpiration();
  return duration;
}

async function databaseIdsOf(names: readonly string[], context: OrganizationContext): Promise<string[]> {
  const found: string[] = [];
  for (const name of new Set(names)) found.push((await databaseNamed(name, context, refuse.otherDatabaseNotFound)).id);
  return found;
}
