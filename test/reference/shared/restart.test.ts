// @module-tag the-reference-api

import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { afterEach, beforeEach, expect, test } from "vitest";
import { portInUse } from "../../../platform/reference/messages";
import { startReferenceApi } from "../../../platform/reference/server";
import { CANNOT_OPEN, cannotOpen } from "../../../platform/reference/store/messages";
import { firstTables } from "../../../platform/reference/store/migrations/first-tables";
import { nodeSqliteDialect } from "../../../platform/reference/store/node-sqlite";
import { BytewiseTexts, postgresDialect } from "../../../platform/reference/store/postgres-dialect";
import { calling } from "../calling";
import { ask, type Data, emptyData, engine } from "../data";
import { NOON, world } from "../world";

let fresh: Data;
let data: string;

beforeEach(async () => {
  fresh = await emptyData();
  data = fresh.place;
});

afterEach(() => fresh.remove());

test("keeps records, tokens and the clock across a restart, and inserts the seed only once", async () => {
  const first = await startReferenceApi({ data, now: NOON });
  const ada = calling(first);
  const slug = { organizationSlug: "acme" };
  const { database } = await ada.ok("createDatabase", { ...slug, body: { name: "orders" } });
  await ada.ok("deleteDatabase", { ...slug, databaseName: "orders" });
  await ada.ok("createDatabase", { ...slug, body: { name: "users" } });
  await first.advance(60);
  await first.close();

  const otherSeed = {
    users: [{ username: "eve" }],
    organizations: [
      {
        slug: "other",
        members: [{ username: "eve", role: "owner" as const }],
        tokens: [{ name: "ci", user: "eve" }],
      },
    ],
  };
  const second = await startReferenceApi({ data, seed: otherSeed });
  expect(second.organization).toBe("acme");
  expect(second.tokens).toEqual({});
  expect(second.organizationId).toBe(first.organizationId);
  expect((await second.clock.now()).toISOString()).toBe("2026-03-01T12:01:00.000Z");
  const old = calling(second, first.apiToken);
  expect((await old.ok("listDatabases", slug)).databases.map(({ Name }) => Name)).toEqual(["users"]);
  await old.ok("restoreDatabase", { organizationId: second.organizationId, databaseId: database.DbId });
  expect(second.apiToken).not.toBe(first.apiToken);
  await calling(second).ok("retrieveOrganization", slug);
  await second.close();
});

test("stores nothing if the port is in use, and suggests --port 0", async () => {
  const { api } = await world();
  const port = Number(new URL(api.url).port);
  const seed = {
    users: [{ username: "eve" }],
    organizations: [
      {
        slug: "other",
        members: [{ username: "eve", role: "owner" as const }],
        tokens: [{ name: "ci", user: "eve" }],
      },
    ],
  };
  const failed = startReferenceApi({ data, seed, port, now: NOON });
  await expect(failed).rejects.toThrow(portInUse({ port, host: "127.0.0.1" }));
  expect(portInUse({ port, host: "127.0.0.1" })).toContain("--port 0");
  expect(await fresh.contents()).toEqual([]);
  const next = await world({ data, seed });
  await calling(next.api, next.api.tokens.ci).ok("retrieveOrganization", { organizationSlug: "other" });
});

test("fails to start if the data cannot be opened, and says why", async () => {
  const [place, reason] =
    engine === "postgres"
      ? [data.replace(/[^/]+$/, "nowhere"), 'database "nowhere" does not exist']
      : [`${data}/platform.db`, CANNOT_OPEN];
  await expect(startReferenceApi({ data: place })).rejects.toThrow(
    cannotOpen({ place: place.replace("postgres@", ""), reason }),
  );
});

test("servers that start concurrently on empty data share records, tokens and the clock", async () => {
  const [one, other] = await Promise.all([world({ data }), world({ data })]);
  const there = calling(other.api, one.api.apiToken);
  const names = Array.from({ length: 20 }, (_, index) => `db-${index}`);
  const statuses = await Promise.all(
    names.flatMap((name) =>
      [one.owner, there].map((caller) => caller.status("createDatabase", { ...one.slug, body: { name } })),
    ),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.filter((status) => status === 409)).toHaveLength(20);
  expect(await one.liveNames()).toEqual([...names].sort());
  await one.api.advance(30);
  expect((await other.api.clock.now()).toISOString()).toBe("2026-03-01T12:00:30.000Z");
});

const ACME = "00000000-0000-4000-8000-000000000001";
const SHOP = "00000000-0000-4000-8000-000000000002";
const APART = "00000000-0000-4000-8000-000000000003";
const USERS = "00000000-0000-4000-8000-000000000011";
const ORDERS = "00000000-0000-4000-8000-000000000012";
const BEFORE = "00000000-0000-4000-8000-000000000013";

/**
 * Creates data in the tables of the first migration: a live group with the database `users`, and a group that was
 * deleted with its database `orders`. The database `before` of the deleted group was deleted separately.
 */
async function dataOfTheFirstVersion(): Promise<void> {
  const old = new Kysely<Record<string, Record<string, unknown>>>({
    dialect: engine === "postgres" ? postgresDialect(data) : nodeSqliteDialect(data),
    plugins: engine === "postgres" ? [new BytewiseTexts()] : [],
  });
  const migrations = { "0001-first-tables": firstTables };
  const { error } = await new Migrator({
    db: old,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest();
  if (error) throw error;
  const rows = (table: string, values: Record<string, unknown>[]) => old.insertInto(table).values(values).execute();
  const flags = { overages: 0, require_mfa: 0, restore_enabled: 1 };
  await rows("users", [{ id: "u", username: "ada", name: "ada", email: "ada@acme.example" }]);
  await rows("organizations", [{ id: ACME, number: 1, slug: "acme", name: "acme", plan: "scaler", ...flags }]);
  await rows("members", [{ organization_id: ACME, user_id: "u", role: "owner" }]);
  const place = { organization_id: ACME, location: "aws-us-east-1", delete_protection: 0 };
  await rows("groups", [
    { id: APART, name: "default", ...place, deleted_at: null, cascade_databases: 0 },
    { id: SHOP, name: "shop", ...place, deleted_at: NOON, cascade_databases: 1 },
  ]);
  const switches = { allow_attach: 0, block_reads: 0, block_writes: 0, delete_protection: 0 };
  const bare = { organization_id: ACME, size_limit: "", ...switches, allowed_ips: "[]", allowed_aws_vpc_ids: "[]" };
  const living = { deleted_at: null, group_deleted_at: null };
  await rows("databases", [
    { id: USERS, name: "users", group_id: APART, ...bare, ...living },
    { id: ORDERS, name: "orders", group_id: SHOP, ...bare, deleted_at: NOON, group_deleted_at: NOON },
    { id: BEFORE, name: "before", group_id: SHOP, ...bare, deleted_at: NOON, group_deleted_at: null },
  ]);
  await old.destroy();
}

test.runIf(engine === "postgres")("keeps separate platforms in separate schemas of a PostgreSQL database", async () => {
  await ask(data, 'create schema "Second one"');
  const second = `${data}?options=${encodeURIComponent('-c search_path="Second\\ one"')}`;
  const start = async (place: string) => {
    const api = await startReferenceApi({ data: place });
    await api.close();
    return { id: api.organizationId, seeded: api.seeded };
  };
  const before = [await start(data), await start(second)] as const;
  expect(before.map(({ seeded }) => seeded)).toEqual([true, true]);
  expect(before[0].id).not.toBe(before[1].id);
  expect([await start(data), await start(second)]).toEqual(before.map(({ id }) => ({ id, seeded: false })));
});

test("migrates first-version data without loss, and new features work with the migrated data", async () => {
  await dataOfTheFirstVersion();
  const { owner, slug, id, liveNames, deletedNames } = await world({ data });
  expect(await liveNames()).toEqual(["users"]);
  const added = await owner.ok("addGroupLocation", { ...slug, groupName: "default", location: "aws-eu-west-1" });
  expect(added.group).toMatchObject({ uuid: APART, locations: ["aws-us-east-1", "aws-eu-west-1"] });

  const restored = await owner.ok("restoreGroup", { ...id, groupId: SHOP });

  expect(restored.databases.map(({ DbId }) => DbId)).toEqual([ORDERS]);
  expect(restored.group.locations).toEqual(["aws-us-east-1"]);
  expect(await liveNames()).toEqual(["orders", "users"]);
  expect(await deletedNames()).toEqual(["before"]);
});

test("keeps locations, and databases deleted with their group, across a restart", async () => {
  const first = await startReferenceApi({ data, now: NOON });
  const slug = { organizationSlug: "acme" };
  const ada = calling(first);
  await ada.ok("createDatabase", { ...slug, body: { name: "orders" } });
  const { group } = await ada.ok("addGroupLocation", { ...slug, groupName: "default", location: "aws-eu-west-1" });
  await ada.ok("deleteGroup", { ...slug, groupName: "default" });
  await first.close();

  const { owner, id } = await world({ data });
  const restored = await owner.ok("restoreGroup", { ...id, groupId: group.uuid });
  expect(restored).toMatchObject({ group: { locations: ["aws-us-east-1", "aws-eu-west-1"] }, failures: {} });
  expect(restored.databases.map(({ Name }) => Name)).toEqual(["orders"]);
});
