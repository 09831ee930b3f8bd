import { existsSync, mkdirSync, readdirSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { calling } from "../calling";
import { column, dataFile, execute, post, rowsOf, sqlWorld } from "./sql";

const FIVE_DAYS = 5 * 86_400;

test("a deleted database returns 404, and keeps its rows if it is restored under another name", async () => {
  const { database, owner, slug, api } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t as select 7 as x");
  await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
  const answer = await post(orders, "v2/pipeline", { requests: [] });
  expect([answer.status, await answer.json()]).toMatchObject([404, { message: expect.stringContaining(orders.id) }]);
  await api.advance(FIVE_DAYS);
  const restore = { organizationId: api.organizationId, databaseId: orders.id, body: { name: "back" } };
  await owner.ok("restoreDatabase", restore as never);
  expect(await column(orders, "select x from t")).toEqual(["7"]);
});

test("restoring a group restores the rows of its databases", async () => {
  const { database, owner, slug, api } = await sqlWorld();
  const places = [await database("orders"), await database("other")];
  for (const [index, place] of places.entries()) await execute(place, `create table t as select ${index} as x`);
  const { group } = await owner.ok("deleteGroup", { ...slug, groupName: "default" });
  await owner.ok("restoreGroup", { organizationId: api.organizationId, groupId: group.uuid } as never);
  expect(await Promise.all(places.map((place) => column(place, "select x from t")))).toEqual([["0"], ["1"]]);
});

test("removes the files of a deleted database after five days", async () => {
  const data = dataFile();
  const { database, owner, slug, api } = await sqlWorld({ data });
  const [orders, other] = [await database("orders"), await database("other")];
  for (const place of [orders, other]) await execute(place, "create table t as select 'here' as x");
  const folder = join(rowsOf(data), "databases");
  await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
  await api.advance(FIVE_DAYS);
  expect(readdirSync(folder).sort()).toEqual([orders.id, other.id].sort());
  await api.advance(1);
  expect(readdirSync(folder)).toEqual([other.id]);
  expect(await column(other, "select x from t")).toEqual(["here"]);
});

test("removes files only when they have had no record for a minute", async () => {
  const data = dataFile();
  const { api } = await sqlWorld({ data });
  const folder = join(rowsOf(data), "databases", "created.part");
  mkdirSync(folder);
  await api.advance(1);
  expect(existsSync(folder)).toBe(true);
  const earlier = Date.now() / 1000 - 120;
  utimesSync(folder, earlier, earlier);
  await api.advance(1);
  expect(existsSync(folder)).toBe(false);
});

test("a transferred database keeps its rows", async () => {
  const seed = {
    users: [{ username: "ada" }],
    organizations: ["acme", "globex"].map((slug) => ({
      slug,
      members: [{ username: "ada", role: "owner" as const }],
      groups: [{ name: "default" }],
    })),
  };
  const { database, api, slug } = await sqlWorld({ seed });
  const orders = await database("orders");
  await execute(orders, "create table t as select 7 as x");
  const anywhere = calling(api, api.unrestrictedToken);
  await anywhere.ok("transferDatabase", { ...slug, databaseName: "orders", body: { org: "globex" } });
  expect(await column(orders, "select x from t")).toEqual(["7"]);
});

test("loses in-memory rows when the server stops, and keeps the rows of a data file across a restart", async () => {
  const data = dataFile();
  const first = await sqlWorld({ data });
  const orders = await first.database("orders");
  await execute(orders, "create table t as select 7 as x");
  await first.api.close();
  const second = await sqlWorld({ data, now: undefined });
  expect(await column({ url: second.url(orders.id), token: orders.token }, "select x from t")).toEqual(["7"]);
  vi.stubEnv("TMPDIR", dirname(data));
  const temporary = () => readdirSync(dirname(data)).filter((name) => name.startsWith("dbplatform-sql-"));
  const inMemory = await sqlWorld();
  await execute(await inMemory.database("orders"), "create table t (x)");
  expect(temporary()).toHaveLength(1);
  await inMemory.api.close();
  vi.unstubAllEnvs();
  expect(temporary()).toEqual([]);
});
