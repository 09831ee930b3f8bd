import type { Api } from "../../contract/api";
import type { Received } from "../../contract/endpoint";
import { durationOf } from "../../values/duration";
import { mintSqlToken, type SqlClaims } from "../credentials/sql-token";
import { refuse } from "../refusal";
import { retireKeyOf, retireKeysOfGroup } from "../store/signing-keys";
import { databaseNamed, databaseWithId } from "./database";
import { groupNamed, groupWithId } from "./group";
import type { Handlers, OrganizationWorld } from "./handler";

export const sqlToken: Pick<
  Handlers,
  | "createDatabaseToken"
  | "createDatabaseTokenById"
  | "createGroupToken"
  | "createGroupTokenById"
  | "rotateDatabaseTokens"
  | "rotateGroupTokens"
> = {
  async createDatabaseToken(request, world) {
    const { id } = await databaseNamed(request.params.databaseName, world);
    return issue({ id }, request, world);
  },

  async createDatabaseTokenById(request, world) {
    const { id } = await databaseWithId(request.params.databaseId, world);
    return issue({ id }, request, world);
  },

  async createGroupToken(request, world) {
    const { id } = await groupNamed(request.params.groupName, world);
    return issue({ gid: id }, request, world);
  },

  async createGroupTokenById(request, world) {
    const { id } = await groupWithId(request.params.groupId, world);
    return issue({ gid: id }, request, world);
  },

  async rotateDatabaseTokens({ params }, world) {
    const { id } = await databaseNamed(params.databaseName, world);
    await retireKeyOf(world.state, id);
    return {};
  },

  /** §5 rule 5: also the tokens of every database in the group. */
  async rotateGroupTokens({ params }, world) {
    const { id } = await groupNamed(params.groupName, world);
    await retireKeysOfGroup(world.state, id);
    return {};
  },
};

type Wanted = Pick<Received<Api["createDatabaseToken"]>, "query" | "body">;

async function issue(owner: Pick<SqlClaims, "id" | "gid">, { query, body }: Wanted, world: OrganizationWorld) {
  const { state, ids, now } = world;
  const lifetime = lifetimeOf(query.expiration);
  const attached = await idsOf(body?.permissions?.read_attach?.databases ?? [], world);
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

/** Milliseconds, or `undefined` for ever (wire-facts 2.3). */
function lifetimeOf(expiration = ""): number | undefined {
  if (["", "never", "none", "default"].includes(expiration)) return undefined;
  const duration = durationOf(expiration);
  if (duration === undefined) throw refuse.expiration();
  return duration;
}

async function idsOf(names: readonly string[], world: OrganizationWorld): Promise<string[]> {
  const found: string[] = [];
  for (const name of new Set(names)) found.push((await databaseNamed(name, world, refuse.otherDatabaseNotFound)).id);
  return found;
}
