import { describe, expect, test } from "vitest";
import { refuse } from "../../platform/reference/messages";
import { raw } from "./calling";
import { NOON, world } from "./world";

const inAcme = { organizationSlug: "acme" };
const copy = (name: string, of: string, more: object = {}) => ({
  ...inAcme,
  body: { name, seed: { type: "database" as const, name: of, ...more } },
});
const HOUR = 3600;

async function ordersWorld(options: Parameters<typeof world>[0] = {}) {
  const made = await world(options);
  const ordersId = await made.database("orders");
  return {
    ...made,
    ordersId,
    record: async (databaseName: string) =>
      (await made.owner.ok("retrieveDatabase", { ...inAcme, databaseName })).database,
  };
}

describe("wire-facts 3.3 creating a database", () => {
  test("stores the requested size limit in the database's configuration", async () => {
    const { owner } = await world();
    await owner.ok("createDatabase", { ...inAcme, body: { name: "orders", size_limit: "256mb" } });
    const configuration = await owner.ok("retrieveDatabaseConfiguration", { ...inAcme, databaseName: "orders" });
    expect(configuration.size_limit).toBe("256mb");
  });

  test("wire-facts 11.2 stores the chosen engine, and encodes it in the sixth byte of the UUID", async () => {
    const { owner, slug } = await world();
    for (let made = 0; made < 20; made++) {
      const use_tursodb = made % 2 === 0;
      const { database } = await owner.ok("createDatabase", { ...slug, body: { name: `d${made}`, use_tursodb } });
      expect(database.DbId.slice(11, 13) === "10").toBe(use_tursodb);
    }
    const { databases } = await owner.ok("listDatabases", slug);
    expect(databases.map(({ engine }) => engine).sort()).toEqual([
      ...Array(10).fill("libsql"),
      ...Array(10).fill("tursodb"),
    ]);
  });

  test("accepts and ignores the unused properties that the official clients send", async () => {
    const { owner, liveNames } = await world();
    const beside = { location: "", image: "latest", extensions: "all", is_schema: false, schema: "" };
    await owner.ok("createDatabase", { ...inAcme, body: { name: "orders", ...beside } });
    expect(await liveNames()).toEqual(["orders"]);
  });

  test("lists no schema databases and no children of one", async () => {
    const { owner, slug } = await ordersWorld();
    for (const query of [{ type: "schema" }, { schema: "orders" }])
      expect((await owner.ok("listDatabases", { ...slug, query })).databases).toEqual([]);
    expect((await owner.ok("listDatabases", { ...slug, query: { type: "logical" } })).databases).toHaveLength(1);
  });

  test("wire-facts 3.7 accepts the group by UUID or name in v3, and uses `default` if none is given", async () => {
    const { owner, id, group, record } = await ordersWorld();
    const groupId = await group("shop");
    await owner.ok("createDatabaseById", { ...id, body: { name: "a", group_id: groupId } });
    await owner.ok("createDatabaseById", { ...id, body: { name: "b" } });
    await owner.ok("createDatabaseById", { ...id, body: { name: "c", group: "shop" } });
    const groups = await Promise.all(["a", "b", "c"].map(async (name) => (await record(name)).group));
    expect(groups).toEqual(["shop", "default", "shop"]);
  });
});

test("wire-facts 3.7 lets a group-scoped caller name its group by UUID in either case", async () => {
  const { as, id, group, liveNames } = await world();
  const own = await group("shop");
  const scoped = await as({ group: "shop" });
  await scoped.ok("createDatabaseById", { ...id, body: { name: "orders", group_id: own.toUpperCase() } });
  expect(await liveNames()).toEqual(["orders"]);
});

describe("wire-facts 3.3 an encrypted database", () => {
  const key = Buffer.alloc(32, 7).toString("base64");
  const encryption = { encryption_key: key, encryption_cipher: "aes256gcm" as const };

  test("stores the cipher, but never the key", async () => {
    const { api, owner } = await world();
    await owner.ok("createDatabase", { ...inAcme, body: { name: "orders", remote_encryption: encryption } });
    const { body } = copy("copy", "orders");
    await owner.ok("createDatabase", { ...inAcme, body: { ...body, remote_encryption: encryption } });
    const { databases } = await owner.ok("listDatabases", inAcme);
    expect(databases.map((each) => each.encryption_cipher)).toEqual(["aes256gcm", "aes256gcm"]);
    const kept = await api.store.read(async (state) => [
      await state.selectFrom("databases").selectAll().execute(),
      await state.selectFrom("audit_logs").selectAll().execute(),
      api.journal(),
    ]);
    expect(JSON.stringify(kept)).not.toContain(key.slice(0, 20));
  });

  test.each([
    [
      "a key that is too short for the cipher",
      { ...encryption, encryption_key: Buffer.alloc(16, 7).toString("base64") },
    ],
    ["a key that is not base64", { ...encryption, encryption_key: `${key.slice(0, -4)}é!!=` }],
    ["an unknown cipher", { ...encryption, encryption_cipher: "rot13" }],
    ["a key in place of the cipher", { ...encryption, encryption_cipher: key }],
    ["a key in place of the encryption", key],
    ["a key in a list", { ...encryption, encryption_key: [key] }],
  ])("returns 400 for %s, and does not echo the key", async (_what, remote_encryption) => {
    const { api, liveNames } = await world();
    const body = JSON.stringify({ name: "orders", remote_encryption });
    const path = `${api.url}/v1/organizations/acme/databases`;
    const answer = await raw(path, { method: "POST", credential: api.apiToken, body });
    const text = await answer.text();
    expect(answer.status).toBe(400);
    expect(text).not.toContain(key.slice(0, 12));
    expect(await liveNames()).toEqual([]);
  });
});

describe("wire-facts 3.3 a copy of a database", () => {
  test("has its source as its `parent`, and the same size as its source", async () => {
    const { owner, slug, record } = await ordersWorld();
    const { dump_url: url } = await owner.ok("uploadDump", { ...inAcme, body: { file: new File(["12345"], "d") } });
    const seed = { type: "dump", url } as const;
    const id = (await owner.ok("createDatabase", { ...inAcme, body: { name: "shop", seed } })).database.DbId;
    const parent = { id, name: "shop", branched_at: NOON };
    await owner.ok("createDatabase", copy("a", "shop"));
    await owner.ok("createDatabase", { ...inAcme, body: { name: "b", seed: { type: "database", value: "shop" } } });
    for (const databaseName of ["a", "b"]) {
      expect((await record(databaseName)).parent).toEqual(parent);
      const { usage } = (await owner.ok("retrieveDatabaseUsage", { ...inAcme, databaseName })).database;
      expect(usage?.storage_bytes).toBe(5);
    }
    expect((await record("shop")).parent).toBeNull();
    const names = (list: { databases: { Name: string }[] }) => list.databases.map(({ Name }) => Name);
    expect(names(await owner.ok("listDatabases", { ...slug, query: { parent: id } }))).toEqual(["a", "b"]);
  });

  test("wire-facts 3.7 is included in a list of databases filtered by its parent's UUID", async () => {
    const { owner, id, ordersId } = await ordersWorld();
    await owner.ok("createDatabaseById", { ...id, body: { name: "a", seed: { type: "database", name: "orders" } } });
    const { databases } = await owner.ok("listDatabasesById", { ...id, query: { parent_db_id: ordersId } });
    expect(databases.map(({ Name }) => Name)).toEqual(["a"]);
  });

  test("can be in a different group from its parent, and has its own configuration", async () => {
    const { owner, group, record } = await ordersWorld();
    await group("shop");
    await owner.ok("updateDatabaseConfiguration", {
      ...inAcme,
      databaseName: "orders",
      body: { block_writes: true, delete_protection: true },
    });
    await owner.ok("createDatabase", { ...inAcme, body: { ...copy("a", "orders").body, group: "shop" } });
    expect(await record("a")).toMatchObject({ group: "shop", block_writes: false, delete_protection: false });
  });

  test("shows the same parent after the parent is deleted and restored under another name", async () => {
    const { owner, id, ordersId, record } = await ordersWorld();
    await owner.ok("createDatabase", copy("a", "orders"));
    const { parent } = await record("a");
    await owner.ok("deleteDatabase", { ...inAcme, databaseName: "orders" });
    expect((await record("a")).parent).toEqual(parent);
    await owner.ok("restoreDatabase", { ...id, databaseId: ordersId, body: { name: "sales" } });
    expect((await record("a")).parent).toEqual(parent);
  });

  test("uses the same engine as its source", async () => {
    const { owner, slug, record } = await ordersWorld();
    await owner.ok("createDatabase", { ...slug, body: { name: "fast", use_tursodb: true } });
    await owner.ok("createDatabase", copy("faster", "fast"));
    const { engine, DbId } = await record("faster");
    expect([engine, DbId.slice(11, 13)]).toEqual(["tursodb", "10"]);
  });

  test.each([
    ["starter", 24],
    ["developer", 240],
    ["scaler", 720],
    ["pro", 2160],
  ])("can be made on the %s plan from a point in time up to %d hours ago", async (plan, hours) => {
    const { api, owner, record } = await ordersWorld();
    await api.plan(plan);
    const timestamp = "2026-03-01T13:00:00+01:00";
    await api.advance(hours * HOUR);
    await owner.ok("createDatabase", copy("a", "orders", { timestamp }));
    expect((await record("a")).parent?.branched_at).toBe(NOON);
    await api.advance(1);
    const { status, error } = await owner.refused("createDatabase", copy("b", "orders", { timestamp }));
    expect(status).toBe(400);
    expect(error).toBe(refuse.timestampTooOld({ days: hours / 24 }).message);
  });

  test("returns 400 for a timestamp before the source's creation", async () => {
    const { owner } = await ordersWorld();
    const { message, status } = refuse.timestampBeforeParent({ database: "orders" });
    const request = copy("a", "orders", { timestamp: "2026-03-01T11:59:59.999Z" });
    expect(await owner.refused("createDatabase", request)).toEqual({ status, error: message });
  });
});

test("wire-facts 3.3 creates a database with the seed type `database_upload` before the upload", async () => {
  const { owner, liveNames } = await world();
  await owner.ok("createDatabase", { ...inAcme, body: { name: "orders", seed: { type: "database_upload" } } });
  expect(await liveNames()).toEqual(["orders"]);
});
