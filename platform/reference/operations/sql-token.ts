import type { Api } from "../../contract/api";
import type { Received } from "../../contract/endpoint";
import { durationOf } from "../../values/duration";
import { mintSqlToken, type SqlClaims } from "../credentials/sql-token";
import { refuse } from "../messages";
import { retireKeyOf, retireKeysOfGroup } from "../store/signing-keys";
import { databaseNamed, databaseWithId } from "./database";
import { groupNamed, groupWithId } from "./group";
import type { Handlers, OrganizationContext } from "./handler";

export const sqlToken: Pick<
  Handlers,
  | "createDatabaseToken"
  | "createDatabaseTokenById"
  | "createGroupToken"
  | "createGroupTokenById"
  | "rotateDatabaseTokens"
  | "rotateGroupTokens"
> = {
  async createDatabaseToken(request, context) {
    const { id } = await databaseNamed(request.params.databaseName, context);
    return issue({ id }, request, context);
  },

  async createDatabaseTokenById(request, context) {
    const { id } = await databaseWithId(request.params.databaseId, context);
    return issue({ id }, request, context);
  },

  async createGroupToken(request, context) {
    const { id } = await groupNamed(request.params.groupName, context);
    return issue({ gid: id }, request, context);
  },

  async createGroupTokenById(request, context) {
    const { id } = await groupWithId(request.params.groupId, context);
    return issue({ gid: id }, request, context);
  },

  async rotateDatabaseTokens({ params }, context) {
    const { id } = await databaseNamed(params.databaseName, context);
    await retireKeyOf(context.state, id);
    return {};
  },

  /** Rotates the keys of the group and of every database in it (§5 rule 5). */
  async rotateGroupTokens({ params }, context) {
    const { id } = await groupNamed(params.groupName, context);
    await retireKeysOfGroup(context.state, id);
    return {};
  },
};

type Wanted = Pick<Received<Api["createDatabaseToken"]>, "query" | "body">;

async function issue(owner: Pick<SqlClaims, "id" | "gid">, { query, body }: Wanted, context: OrganizationContext) {
  const { state, ids, now } = context;
  const lifetime = lifetimeOf(query.expiration);
  const attached = await idsOf(body?.permissions?.read_attach?.databases ?? [], context);
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
function lifetimeOf(expiration = ""): number | undefined {
  if (["", "never", "none", "default"].includes(expiration)) return undefined;
  const duration = durationOf(expiration);
  if (duration === undefined) throw refuse.invalidExpiration();
  return duration;
}

async function idsOf(names: readonly string[], context: OrganizationContext): Promise<string[]> {
  const found: string[] = [];
  for (const name of new Set(names)) found.push((await databaseNamed(name, context, refuse.otherDatabaseNotFound)).id);
  return found;
}
