import { expect, test } from "vitest";
import { DEFAULT_SEED } from "../../platform/reference/seed/default";
import { Seed } from "../../platform/reference/seed/seed";
import { calling } from "./calling";
import { FAMILY, file, ORDERS, readSeed, SEED } from "./seed-files";
import { NOON, world } from "./world";

test("inserts everything that a seed file contains, including deleted databases and groups", async () => {
  const { api, owner, slug, id, liveNames, deletedNames } = await world({
    seed: await readSeed(await file(SEED)),
    now: NOON,
  });
  expect(await liveNames()).toEqual(["live"]);
  expect(await deletedNames()).toEqual(["gone", "orders"]);
  const configuration = await owner.ok("retrieveDatabaseConfiguration", { ...slug, databaseName: "live" });
  expect(configuration).toMatchObject({ size_limit: "1gb", allowed_ips: ["10.0.0.0/8"] });
  expect((await owner.ok("listDeletedGroups", id)).groups).toMatchObject([{ name: "shop", cascade_databases: 1 }]);
  const { database } = await owner.ok("restoreDatabase", { ...id, databaseId: ORDERS });
  expect(database).toMatchObject({ DbId: ORDERS, group_deleted_at: "2026-02-28T12:00:00.000Z" });
  expect(database.Hostname).toMatch(/^orders-acme\.aws-eu-west-1\./);
  expect((await owner.ok("retrieveOrganization", slug)).organization.plan_id).toBe("pro");
  await calling(api, api.tokens.ci).ok("listDatabases", slug);
  expect((await calling(api, api.tokens["vera-laptop"]).ok("retrieveUser", {})).user.username).toBe("vera");
});

test("inserts records that only a live organization can have", async () => {
  const parent = "5b1f1c6e-4f4e-4d0b-9c0e-2d7d3a1b8c11";
  const { owner, slug, id, api } = await world({
    now: NOON,
    seed: {
      users: [{ username: "ada" }, { username: "former" }],
      organizations: [
        {
          slug: "acme",
          plan_timeline: "yearly",
          overages: true,
          require_mfa: true,
          members: [{ username: "ada", role: "owner" }],
          groups: [{ name: "default" }],
          databases: [
            {
              name: "copy",
              parent,
              parent_name: "gone",
              branched_at: "-1d",
              added_locations: ["aws-eu-west-1"],
              encryption_cipher: "aegis256",
            },
            { name: "kept-deleted", deleted_at: "-1d", group_deleted_at: "-1d" },
          ],
          invites: [{ id: 41, email: "eve@users.example" }, { email: "mallory@users.example" }],
          tokens: [{ name: "old", id: "token-1", user: "former", created_at: "-3d", usable: false }],
        },
      ],
    },
  });
  const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "copy" });
  expect(database).toMatchObject({
    parent: { id: parent, name: "gone", branched_at: "2026-02-28T12:00:00.000Z" },
    regions: ["aws-us-east-1", "aws-eu-west-1"],
    encryption_cipher: "aegis256",
  });
  const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
  expect(databases).toMatchObject([{ group_deleted_at: "2026-02-28T12:00:00.000Z" }]);
  expect((await owner.ok("listInvites", slug)).invites.map((invite) => invite.id)).toEqual([41, 42]);
  const { tokens } = await owner.ok("listApiTokens", slug);
  expect(tokens[0]).toMatchObject({ id: "token-1", created_at: "2026-02-26", owner: { username: "former" } });
  expect(api.tokens).toEqual({});
  const { organization } = await owner.ok("retrieveOrganization", slug);
  expect(organization).toMatchObject({ plan_timeline: "yearly", overages: true, require_mfa: true });
});

test("a database that was deleted with its group returns with it, whether or not the seed gives its time", async () => {
  const { owner, id, liveNames } = await world({
    now: NOON,
    seed: {
      users: [{ username: "ada" }],
      organizations: [
        {
          slug: "acme",
          members: [{ username: "ada", role: "owner" }],
          groups: [{ name: "shop", deleted_at: "-1d" }],
          databases: [
            { name: "one", group: "shop" },
            { name: "two", group: "shop", deleted_at: "-1d", group_deleted_at: "-1d" },
            { name: "of-an-earlier-deletion", group: "shop", deleted_at: "-2d", group_deleted_at: "-2d" },
          ],
        },
      ],
    },
  });
  const { groups } = await owner.ok("listDeletedGroups", id);
  expect(groups).toMatchObject([{ cascade_databases: 2 }]);
  await owner.ok("restoreGroup", { ...id, groupId: groups[0]?.uuid ?? "" });
  expect(await liveNames()).toEqual(["one", "two"]);
});

test("the default seed sets every default value explicitly", () => {
  expect(Seed.parse(DEFAULT_SEED)).toEqual(DEFAULT_SEED);
});

test("restores a group that the seed declares as deleted, together with its databases", async () => {
  const { owner, id, liveNames } = await world({ seed: await readSeed(await file(SEED)), now: NOON });
  const { groups } = await owner.ok("listDeletedGroups", id);
  const restored = await owner.ok("restoreGroup", { ...id, groupId: groups[0]?.uuid ?? "" });
  expect(restored.databases.map(({ DbId }) => DbId)).toEqual([ORDERS]);
  expect(await liveNames()).toEqual(["live", "orders"]);
});

test("lists a seed's audit-log entries as older than the entries recorded after the start", async () => {
  const { owner, slug, database } = await world({ seed: await readSeed(await file(FAMILY)) });
  await database("fresh");
  const { audit_logs } = await owner.ok("listAuditLogs", slug);
  expect(audit_logs).toMatchObject([
    { code: "db-create", origin: "api", author: "ada", created_at: NOON },
    { code: "db-create", origin: "web", author: "ada", created_at: NOON, data: {} },
    { code: "group-create", author: "max", created_at: "2026-02-26T12:00:00.000Z", data: { group: "default" } },
  ]);
});

test("inserts groups with their locations, and databases with their sizes and parents", async () => {
  const { owner, slug } = await world({ seed: await readSeed(await file(FAMILY)) });
  const { groups } = await owner.ok("listGroups", slug);
  expect(groups).toMatchObject([
    {
      primary: "aws-us-east-1",
      locations: ["aws-us-east-1", "aws-eu-west-1", "aws-us-west-2"],
      delete_protection: true,
    },
  ]);
  const { database } = await owner.ok("retrieveDatabaseUsage", { ...slug, databaseName: "orders" });
  expect(database.total?.storage_bytes).toBe(15_000_000_000);
  const copy = await owner.ok("retrieveDatabase", { ...slug, databaseName: "other-copy" });
  expect(copy.database).toMatchObject({ parent: { id: ORDERS, name: "orders", branched_at: NOON } });
});

test("lists the seed's invites before later invites", async () => {
  const { owner, slug } = await world({ seed: await readSeed(await file(FAMILY)) });
  await owner.ok("createInvite", { ...slug, body: { email: "trent@users.example", role: "viewer" } });
  const { invites } = await owner.ok("listInvites", slug);
  expect(invites).toMatchObject([
    { email: "eve@users.example", role: "admin", created_at: "2026-02-28T12:00:00.000Z" },
    { email: "mallory@users.example", role: "member", created_at: NOON },
    { email: "trent@users.example", role: "viewer" },
  ]);
});

test("computes relative times from the clock when the seed is inserted", async () => {
  const { owner, id } = await world({ seed: await readSeed(await file(FAMILY)) });
  const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
  expect(databases).toMatchObject([{ Name: "copy", deleted_at: "2026-02-28T00:00:00.000Z" }]);
  const restored = await owner.ok("restoreDatabase", { ...id, databaseId: databases[0]?.DbId ?? "" });
  expect(restored.database.Name).toBe("copy");
});

test("inserts ten thousand databases in a hundred groups", { tags: "more" }, async () => {
  const groups = Array.from({ length: 100 }, (_, index) => ({ name: `g-${index}` }));
  const databases = Array.from({ length: 10_000 }, (_, index) => ({ name: `db-${index}`, group: `g-${index % 100}` }));
  const organization = { slug: "acme", members: [{ username: "ada", role: "owner" as const }], groups, databases };
  const { api, owner, slug } = await world({ seed: { users: [{ username: "ada" }], organizations: [organization] } });
  const count = async () => (await owner.ok("listDatabases", { ...slug, query: { group: "g-7" } })).databases.length;
  expect(await count()).toBe(100);
  await owner.ok("deleteDatabase", { ...slug, databaseName: "db-7" });
  await api.reset();
  expect(await count()).toBe(100);
});

test("allows two deleted databases, or groups in two organizations, to have the same name", async () => {
  const text = SEED.replace("{ name: gone,", "{ name: orders,").concat(
    "  - { slug: zero, members: [{ username: ada, role: owner }], groups: [{ name: default }] }\n",
  );
  const { deletedNames } = await world({ seed: await readSeed(await file(text)), now: NOON });
  expect(await deletedNames()).toEqual(["orders", "orders"]);
});
