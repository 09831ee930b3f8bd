// @module-tag secrets-stay-secret

import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import type { Api } from "../../platform/contract/api";
import type { Request } from "../../platform/contract/endpoint";
import { refuse } from "../../platform/reference/messages";
import { calling, raw } from "./calling";
import { NOON, world } from "./world";

const orders = { organizationSlug: "acme", databaseName: "orders" };
const inDefault = { organizationSlug: "acme", groupName: "default" };
const NOON_S = Date.parse(NOON) / 1000;
const ROTATED = { status: 401, error: "role was invalidated after token was issued" };

type Wanted = Omit<Request<Api["createDatabaseToken"]>, "organizationSlug" | "databaseName">;

/**
 * Starts a platform with the database `orders`. Also returns functions that issue SQL-engine tokens, and a function
 * that verifies a token for a database.
 */
async function ordersWorld(options: Parameters<typeof world>[0] = {}) {
  const made = await world(options);
  const DbId = await made.database("orders");
  const verify = async (token: string, database = DbId) => {
    const body = JSON.stringify({ token, database });
    const answer = await raw(`${made.api.url}/_reference/sql-tokens/verify`, { method: "POST", body });
    return { status: answer.status, ...(await answer.json()) };
  };
  const { uuid: groupId } = (await made.owner.ok("retrieveGroup", inDefault)).group;
  const keys = async (): Promise<JSONWebKeySet> => (await raw(`${made.api.url}/.well-known/jwks.json`)).json();
  return {
    ...made,
    DbId,
    groupId,
    verify,
    keys,
    token: async (wanted: Wanted = {}) => (await made.owner.ok("createDatabaseToken", { ...orders, ...wanted })).jwt,
    groupToken: async (wanted: Wanted = {}) =>
      (await made.owner.ok("createGroupToken", { ...inDefault, ...wanted })).jwt,
  };
}

describe("issuing a SQL-engine token", () => {
  test("wire-facts 2.3 by default returns a JWT with full access to the database and without expiration", async () => {
    const { token, DbId } = await ordersWorld();
    const jwt = await token();
    expect(decodeProtectedHeader(jwt)).toEqual({ alg: "EdDSA", typ: "JWT", kid: expect.any(String) });
    expect(decodeJwt(jwt)).toEqual({ id: DbId, a: "rw", iat: NOON_S });
  });

  test("wire-facts 2.3, 2.4, 3.7 returns a JWT for a group by name or UUID, and for a database by UUID", async () => {
    const { owner, id, groupToken, groupId, DbId } = await ordersWorld();
    const claims = { gid: groupId, a: "rw", iat: NOON_S };
    expect(decodeJwt(await groupToken())).toEqual(claims);
    expect(decodeJwt((await owner.ok("createGroupTokenById", { ...id, groupId })).jwt)).toEqual(claims);
    const { jwt } = await owner.ok("createDatabaseTokenById", { ...id, databaseId: DbId.toUpperCase() });
    expect(decodeJwt(jwt).id).toBe(DbId);
  });

  test.each([
    ["2w1d30m", 1_297_800],
    ["3d", 259_200],
    ["52w", 31_449_600],
    ["10m", 600],
    ["1.5h", 5_400],
    ["90s500ms", 90],
  ])("wire-facts 2.3 interprets the expiration `%s` as %s seconds", async (expiration, seconds) => {
    const { token } = await ordersWorld();
    expect(decodeJwt(await token({ query: { expiration } })).exp).toBe(NOON_S + seconds);
  });

  test.each(["never", "none", "default", ""])("wire-facts 2.3 treats `%s` as no expiration", async (expiration) => {
    const { token } = await ordersWorld();
    expect(decodeJwt(await token({ query: { expiration } })).exp).toBeUndefined();
  });

  test("wire-facts 2.3 ignores an empty list of databases to attach, which the npm client always sends", async () => {
    const { token, database } = await ordersWorld();
    const users = await database("users");
    const attaching = (databases: string[]) => token({ body: { permissions: { read_attach: { databases } } } });
    expect(decodeJwt(await attaching([])).p).toBeUndefined();
    expect(decodeJwt(await attaching(["users"])).p).toEqual({ roa: { ns: [users] } });
  });

  test("§2.4 keeps the token out of logs, journal and store", async () => {
    const { api, owner, token, slug, groupToken } = await ordersWorld();
    const texts = [await token(), await groupToken()];
    const kept = JSON.stringify([
      api.journal(),
      await api.store.read((state) => state.selectFrom("audit_logs").selectAll().execute()),
      await api.store.read((state) => state.selectFrom("signing_keys").selectAll().execute()),
      await owner.ok("listDatabases", slug),
    ]);
    for (const text of texts) expect(kept).not.toContain(text.split(".")[2]);
  });
});

describe("verifying a SQL-engine token", () => {
  test("wire-facts 2.3 accepts a database token for its database only, and a group token for the whole group", async () => {
    const { api, token, groupToken, verify, DbId, database, group } = await ordersWorld();
    const users = await database("users");
    await group("other");
    const elsewhere = await database("elsewhere", "other");
    const everything = {
      database: DbId,
      name: "orders",
      level: "database",
      authorization: "full-access",
      reads: true,
      writes: true,
      block_reads: false,
      block_writes: false,
      read_attach: [],
      fine_grained_permissions: null,
      expires_at: null,
    };
    const own = await token();
    expect(await verify(own)).toEqual({ status: 200, ...everything });
    expect(await api.verifySqlToken(own, DbId)).toEqual(everything);
    const foreign = { status: 401, error: refuse.sqlTokenElsewhere().message };
    expect(await verify(own, users)).toEqual(foreign);
    const wide = await groupToken();
    for (const [name, id] of Object.entries({ orders: DbId, users }))
      expect(await verify(wide, id)).toMatchObject({ status: 200, name, level: "group" });
    expect(await verify(wide, elsewhere)).toEqual(foreign);
    expect((await verify(wide, "00000000-0000-4000-8000-000000000000")).status).toBe(404);
  });

  test.each([
    ["wire-facts 2.3 denies writes to a read-only token", { query: { authorization: "read-only" } }, true, false],
    ["wire-facts 2.3 allows only reads with the permission `data_read`", { body: perms("data_read") }, true, false],
    ["wire-facts 2.3 allows only writes with the permission `data_add`", { body: perms("data_add") }, false, true],
    [
      "wire-facts 2.3 allows everything with an empty list of permissions",
      { body: { fine_grained_permissions: [] } },
      true,
      true,
    ],
  ] as const)("%s", async (_rule, wanted, reads, writes) => {
    const { token, verify } = await ordersWorld();
    expect(await verify(await token(wanted as Wanted))).toMatchObject({ status: 200, reads, writes });
  });

  function perms(...a: ("data_read" | "data_add")[]) {
    return { fine_grained_permissions: [{ t: ["users"], a }] };
  }

  test("§2.2 denies reads or writes to every token if the database blocks them", async () => {
    const { owner, token, verify } = await ordersWorld();
    const jwt = await token();
    await owner.ok("updateDatabaseConfiguration", { ...orders, body: { block_reads: true } });
    expect(await verify(jwt)).toMatchObject({ reads: false, writes: true, block_reads: true, block_writes: false });
    await owner.ok("updateDatabaseConfiguration", { ...orders, body: { block_reads: false, block_writes: true } });
    expect(await verify(jwt)).toMatchObject({ reads: true, writes: false, block_reads: false, block_writes: true });
  });

  test("wire-facts 2.3 rejects a token as soon as it expires by the server's clock", async () => {
    const { api, token, verify } = await ordersWorld();
    const jwt = await token({ query: { expiration: "1h" } });
    await api.advance(3599);
    expect(await verify(jwt)).toMatchObject({ status: 200, expires_at: "2026-03-01T13:00:00.000Z" });
    await api.advance(1);
    expect(await verify(jwt)).toEqual({ status: 401, error: refuse.sqlTokenExpired().message });
  });

  test("§1 rejects a platform token, and the platform rejects a SQL-engine token", async () => {
    const { api, slug, token, verify } = await ordersWorld();
    const unknown = { status: 401, error: refuse.sqlTokenUnknown().message };
    expect(await verify(api.apiToken)).toEqual(unknown);
    expect(await calling(api, await token()).status("listDatabases", slug)).toBe(401);
  });

  test("§1 rejects a token that was altered or issued by another server", async () => {
    const { token, verify } = await ordersWorld();
    const other = await ordersWorld();
    const [header = "", , signature = ""] = (await token({ query: { authorization: "read-only" } })).split(".");
    const raised = Buffer.from(JSON.stringify({ ...decodeJwt(await token()) })).toString("base64url");
    for (const text of [`${header}.${raised}.${signature}`, await other.token(), "a.b.c"])
      expect((await verify(text)).status).toBe(401);
    expect(await verify("nothing")).toEqual({ status: 401, error: "token contains an invalid number of segments" });
  });
});

describe("§5 rule 5 rotating a signing key", () => {
  test("invalidates every earlier token, even if the first tokens were issued concurrently", async () => {
    const { owner, token, groupToken, verify, keys } = await ordersWorld();
    const texts = await Promise.all(Array.from({ length: 6 }, (_each, index) => (index % 2 ? groupToken() : token())));
    expect((await keys()).keys).toHaveLength(2);
    for (const jwt of texts) expect((await verify(jwt)).status).toBe(200);
    await owner.ok("rotateGroupTokens", inDefault);
    for (const jwt of texts) expect(await verify(jwt)).toEqual(ROTATED);
  });

  test("invalidates only one database's earlier tokens if the key belongs to that database", async () => {
    const { owner, token, groupToken, verify, database } = await ordersWorld();
    const users = await database("users");
    const before = await token();
    const wide = await groupToken();
    const { jwt: neighbour } = await owner.ok("createDatabaseToken", { ...orders, databaseName: "users" });
    expect(await owner.ok("rotateDatabaseTokens", orders)).toEqual({});
    expect(await verify(before)).toEqual(ROTATED);
    expect((await verify(wide)).status).toBe(200);
    expect((await verify(neighbour, users)).status).toBe(200);
    expect((await verify(await token())).status).toBe(200);
    expect(await verify(before)).toEqual(ROTATED);
  });

  test("invalidates the tokens of a group's databases, even deleted ones, if the key belongs to the group", async () => {
    const { owner, id, token, groupToken, verify, database, group } = await ordersWorld();
    await group("other");
    const elsewhere = await database("elsewhere", "other");
    const { jwt: foreign } = await owner.ok("createDatabaseToken", { ...orders, databaseName: "elsewhere" });
    const users = await database("users");
    const { jwt: ofDeleted } = await owner.ok("createDatabaseToken", { ...orders, databaseName: "users" });
    await owner.ok("deleteDatabaseById", { ...id, databaseId: users });
    const before = [await token(), await groupToken()];
    expect(await owner.ok("rotateGroupTokens", inDefault)).toEqual({});
    for (const jwt of before) expect(await verify(jwt)).toEqual(ROTATED);
    expect((await verify(foreign, elsewhere)).status).toBe(200);
    await owner.ok("restoreDatabase", { ...id, databaseId: users });
    expect(await verify(ofDeleted, users)).toEqual(ROTATED);
    for (const jwt of [await token(), await groupToken()]) expect((await verify(jwt)).status).toBe(200);
  });
});

describe("§1 the published keys", () => {
  test("verify SQL-engine tokens but not platform tokens, and can be read without a credential", async () => {
    const { api, token, groupToken, keys } = await ordersWorld();
    expect(await keys()).toEqual({ keys: [] });
    const texts = [await token(), await token(), await groupToken()];
    const published = await keys();
    const publicKey = {
      kty: "OKP",
      crv: "Ed25519",
      x: expect.any(String),
      kid: expect.any(String),
      alg: "EdDSA",
      use: "sig",
    };
    expect(published.keys).toEqual([publicKey, publicKey]);
    const set = createLocalJWKSet(published);
    for (const jwt of texts) await jwtVerify(jwt, set);
    await expect(jwtVerify(api.apiToken, set)).rejects.toThrow();
  });

  test("include only the current keys of live databases and groups", async () => {
    const { owner, id, DbId, token, keys } = await ordersWorld();
    const { kid } = decodeProtectedHeader(await token());
    const kids = async () => (await keys()).keys.map((key) => key.kid);
    expect(await kids()).toEqual([kid]);
    await owner.ok("deleteDatabase", orders);
    expect(await kids()).toEqual([]);
    await owner.ok("restoreDatabase", { ...id, databaseId: DbId });
    expect(await kids()).toEqual([kid]);
    await owner.ok("rotateDatabaseTokens", orders);
    expect(await kids()).toEqual([]);
    const { kid: fresh } = decodeProtectedHeader(await token());
    expect(await kids()).toEqual([fresh]);
  });
});

describe("§3 a SQL-engine token", () => {
  test("is rejected while its database is deleted, and accepted after the database is restored", async () => {
    const { owner, id, DbId, token, groupToken, verify } = await ordersWorld();
    const texts = [await token(), await groupToken()];
    await owner.ok("deleteGroup", inDefault);
    for (const jwt of texts)
      expect(await verify(jwt)).toEqual({ status: 401, error: refuse.databaseDeleted({ database: "orders" }).message });
    await owner.ok("restoreDatabase", { ...id, databaseId: DbId, body: { name: "renamed" } });
    for (const jwt of texts) expect(await verify(jwt)).toMatchObject({ status: 200, name: "renamed" });
  });

  test("survives renames and transfers, but a group token loses access to databases that leave the group", async () => {
    const { api, owner, token, groupToken, verify } = await ordersWorld({
      seed: {
        users: [{ username: "ada" }],
        organizations: ["acme", "globex", "initech"].map((slug) => ({
          slug,
          members: [{ username: "ada", role: "owner" as const }],
          groups: slug === "globex" ? [] : [{ name: "default" }],
        })),
      },
    });
    const ada = calling(api, await api.token({ organization: null }));
    const [own, wide] = [await token(), await groupToken()];
    await owner.ok("renameGroup", { ...inDefault, body: { name: "main" } });
    await ada.ok("transferGroup", { ...inDefault, groupName: "main", body: { organization: "globex" } });
    for (const jwt of [own, wide]) expect((await verify(jwt)).status).toBe(200);
    await ada.ok("transferDatabase", { ...orders, organizationSlug: "globex", body: { org: "initech" } });
    expect((await verify(own)).status).toBe(200);
    expect(await verify(wide)).toEqual({ status: 401, error: refuse.sqlTokenElsewhere().message });
  });
});
