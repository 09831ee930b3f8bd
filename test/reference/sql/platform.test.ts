import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { refuse } from "../../../platform/reference/messages";
import type { Seed } from "../../../platform/reference/seed/seed";
import { startReferenceApi } from "../../../platform/reference/server";
import * as messages from "../../../platform/reference/sql/messages";
import { Pool } from "../../../platform/reference/sql/pool/pool";
import { SocketClient } from "./socket";
import { CLOSE, column, dataFile, execute, pipeline, post, rowsOf, sqlWorld, stmt } from "./sql";

const seed: Seed = {
  users: [{ username: "ada" }],
  organizations: [
    {
      slug: "acme",
      members: [{ username: "ada", role: "owner" }],
      groups: [{ name: "default" }],
      databases: [
        { name: "orders", sql: "create table t (x);\ninsert into t values (7);" },
        { name: "copy", parent: "orders" },
        { name: "empty" },
      ],
    },
  ],
};

const QUERY = { requests: [stmt("select 1"), CLOSE] };

test("inserts a seed's rows, and restores them when the server is reset", async () => {
  const { api, owner, slug, url, token } = await sqlWorld({ seed });
  const place = async (name: string) => {
    const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: name });
    return { url: url(database.DbId), token: await token(name) };
  };
  for (const name of ["orders", "copy"])
    expect(await column(await place(name), "select x from t"), name).toEqual(["7"]);
  expect(await column(await place("empty"), "select count(*) from sqlite_schema")).toEqual(["0"]);
  const open = await pipeline(await place("orders"), [stmt("begin immediate")]);
  await execute(await place("copy"), "delete from t");
  await execute(await place("empty"), "create table u (x)");
  const before = await place("orders");
  await api.reset();
  expect((await post(before, "v2/pipeline", { baton: open.baton, requests: [] })).status).toBe(401);
  for (const name of ["orders", "copy"])
    expect(await column(await place(name), "select x from t"), name).toEqual(["7"]);
  expect(await column(await place("empty"), "select count(*) from sqlite_schema")).toEqual(["0"]);
});

test("keeps rows written after a reset, even if the database was in use during the reset", async () => {
  const data = dataFile();
  const { api, owner, slug, url, token } = await sqlWorld({ data, seed });
  const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "orders" });
  const run = async (sql: string) => execute({ url: url(database.DbId), token: await token("orders") }, sql);
  await run("select * from t");
  // Adds many folders, so that the reset takes a while.
  for (let file = 0; file < 3_000; file += 1) mkdirSync(join(rowsOf(data), "databases", `old-${file}`));
  const progress = { isOver: false };
  const resetting = api.reset().then(() => {
    progress.isOver = true;
  });
  while (!progress.isOver) await run("select * from t").catch(() => undefined);
  await resetting;
  await run("insert into t values (8)");
  const jwt = await token("orders");
  await api.close();
  const again = await sqlWorld({ data });
  expect(await column({ url: again.url(database.DbId), token: jwt }, "select x from t")).toEqual(["7", "8"]);
});

test("requests during resets see the seeded rows, or fail because their token or stream has ended", async () => {
  const { api, owner, slug, url, token } = await sqlWorld({ seed });
  const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "copy" });
  const progress = { isOver: false };
  const found = new Set<string>();
  const reader = async () => {
    while (!progress.isOver) {
      const copy = { url: url(database.DbId), token: await token("copy") };
      const response = await post(copy, "v2/pipeline", { requests: [stmt("select group_concat(x) from t"), CLOSE] });
      const text = await response.text();
      found.add(
        response.status === 200 ? (/"value":"7"|STREAM_EXPIRED/.exec(text)?.[0] ?? text) : `${response.status}`,
      );
    }
  };
  const readers = [reader(), reader(), reader()];
  for (let reset = 0; reset < 10; reset += 1) await api.reset();
  progress.isOver = true;
  await Promise.all(readers);
  expect([...found].filter((each) => !['"value":"7"', "STREAM_EXPIRED", "401"].includes(each))).toEqual([]);
});

test("a copy that is created during a reset has the seeded rows", async () => {
  const { api, owner, slug, url, token } = await sqlWorld({ data: dataFile(), seed });
  const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "orders" });
  await execute({ url: url(database.DbId), token: await token("orders") }, "insert into t values (8)");
  const body = { name: "late", group: "default", seed: { type: "database", name: "orders" } } as const;
  const created: Promise<number>[] = [];
  const { discard } = Pool.prototype;
  const discarding = vi.spyOn(Pool.prototype, "discard").mockImplementation(async function (this: Pool, folder) {
    await discard.call(this, folder);
    const progress = { isOver: false };
    const creation = owner.status("createDatabase", { ...slug, body });
    created.push(creation.finally(() => (progress.isOver = true)));
    // Gives the creation time to overtake the reset.
    for (let job = 0; job < 1_000 && !progress.isOver; job += 1) await this.release("");
  });
  onTestFinished(() => discarding.mockRestore());
  await api.reset();
  expect(await Promise.all(created)).toEqual([200]);
  const late = await owner.ok("retrieveDatabase", { ...slug, databaseName: "late" });
  expect(await column({ url: url(late.database.DbId), token: await token("late") }, "select x from t")).toEqual(["7"]);
});

test("a reset that is refused ends no stream and closes no socket", async () => {
  const data = dataFile();
  const { api, database } = await sqlWorld({ data });
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  new DatabaseSync(data).exec("delete from settings where name = 'seed'");
  const client = await SocketClient.to(orders);
  await client.ask({ type: "open_stream", stream_id: 1 });
  await client.column(1, "begin immediate");
  await expect(api.reset()).rejects.toThrow(refuse.seedMissing().message);
  expect(client.socket.readyState).toBe(client.socket.OPEN);
  expect(await client.column(1, "insert into t values (1) returning x")).toEqual(["1"]);
});

test("serves no database of an archived group until the group is unarchived", async () => {
  const archived = structuredClone(seed);
  Object.assign(archived.organizations[0]?.groups?.[0] ?? {}, { archived: true });
  const { owner, slug, url, token } = await sqlWorld({ seed: archived });
  const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "orders" });
  const orders = { url: url(database.DbId), token: await token("orders") };
  const response = await post(orders, "v2/pipeline", QUERY);
  expect(response.status).toBe(403);
  expect(await response.text()).toContain(refuse.groupStopped({ group: "default" }).message);
  await owner.ok("unarchiveGroup", { ...slug, groupName: "default" });
  expect(await column(orders, "select x from t")).toEqual(["7"]);
});

test("rejects a seed whose `sql` fails, and names the database and line", async () => {
  const wrong = structuredClone(seed);
  Object.assign(wrong.organizations[0]?.databases?.[0] ?? {}, {
    sql: "create table t (x);\ninsert into u values (7);",
  });
  await expect(startReferenceApi({ sql: true, seed: wrong })).rejects.toThrow(
    "the sql of database orders failed at line 2:",
  );
});

test("fault rules, latency and the journal apply to SQL requests", async () => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  api.clearJournal();
  api.fault({ operation: "sql", status: 503, retryAfter: 1 });
  const busy = await post(orders, "v2/pipeline", QUERY);
  expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "1"]);
  api.fault({ operation: "sql", reset: "after" });
  await expect(
    post(orders, "v2/pipeline", { requests: [{ type: "sequence", sql: "create table t (x)" }] }),
  ).rejects.toThrow();
  expect(await column(orders, "select name from sqlite_schema")).toEqual(["t"]);
  api.fault({ operation: "sql", latency: 300 });
  const began = performance.now();
  expect((await post(orders, "v2/pipeline", QUERY)).status).toBe(200);
  expect(performance.now() - began).toBeGreaterThan(290);
  api.fault({ operation: "*", body: "truncated" });
  await expect(post(orders, "v2/pipeline", QUERY).then((answer) => answer.text())).rejects.toThrow();
  expect(() => api.fault({ operation: "sql", stale: true })).toThrow();
  const path = `/sql/${orders.id}/v2/pipeline`;
  expect(api.journal().map((entry) => [entry.operation, entry.status])).toEqual([
    ["sql", 503],
    ["sql", 0],
    ["sql", 200],
    ["sql", 200],
    ["sql", 200],
  ]);
  expect(api.journal()[0]).toMatchObject({ method: "POST", path, time: "2026-03-01T12:00:00.000Z" });
});

test("SQL's `now` is the machine's time, also in defaults, and the header `Date` has the platform's", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(
    orders,
    "create table t (id integer primary key, x default current_timestamp, y default (datetime('now')))",
  );
  await execute(orders, "insert into t (id) values (1)");
  const { rows } = await execute(orders, "select datetime('now'), current_timestamp, x, y from t");
  for (const { value } of rows[0] ?? [])
    expect(Math.abs(Date.parse(`${value}Z`) - Date.now()), `${value}`).toBeLessThan(60_000);
  const { headers } = await post(orders, "v3/pipeline", QUERY);
  expect(new Date(headers.get("date") ?? "")).toEqual(new Date("2026-03-01T12:00:00Z"));
});

test("a database's usage includes the rows read, the rows written and the storage size", async () => {
  const { database, owner, slug } = await sqlWorld();
  const orders = await database("orders");
  const usage = async () =>
    (await owner.ok("retrieveDatabaseUsage", { ...slug, databaseName: "orders" })).database.usage;
  await execute(orders, "create table t (x)");
  await execute(orders, "insert into t values (zeroblob(100000)), (2), (3)");
  await execute(orders, "select x from t");
  expect(await usage()).toMatchObject({ rows_read: 3, rows_written: 3 });
  expect((await usage())?.storage_bytes).toBeGreaterThan(100_000);
  const { organization } = await owner.ok("retrieveOrganizationUsage", slug);
  expect(organization.usage).toMatchObject({ rows_read: 3, rows_written: 3, databases: 1 });
});

test("requires `sqlFolder` for PostgreSQL, rejects it otherwise, and refuses a folder that is in use", async () => {
  const data = dataFile();
  const sqlFolder = dirname(data);
  await sqlWorld({ data });
  await expect(startReferenceApi({ sql: true, data: "postgres://127.0.0.1:1/none" })).rejects.toThrow(
    messages.FOLDER_MISSING,
  );
  await expect(startReferenceApi({ sql: true, sqlFolder })).rejects.toThrow(messages.FOLDER_NEEDLESS);
  await expect(startReferenceApi({ sqlFolder })).rejects.toThrow(messages.FOLDER_NEEDLESS);
  await expect(startReferenceApi({ sql: true, data })).rejects.toThrow(
    messages.alreadyServed({ place: `${data}-sql` }),
  );
  await (await startReferenceApi({ data })).close();
});

test("reports no health as long as no process can run statements", async () => {
  // No process starts with an unknown option.
  vi.stubEnv("NODE_OPTIONS", "--unknown");
  onTestFinished(() => void vi.unstubAllEnvs());
  const api = await startReferenceApi({ sql: true });
  onTestFinished(() => api.close());
  const health = async () => {
    const answer = await fetch(`${api.url}/_reference/health`);
    return [answer.status, await answer.json()];
  };
  expect(await health()).toEqual([503, { error: messages.ENGINE_ENDED }]);
  vi.unstubAllEnvs();
  expect(await health()).toEqual([200, { status: "ok", sql: "/sql/{DbId}/" }]);
});

test("serves no SQL without the `sql` option", async () => {
  const api = await startReferenceApi();
  expect(api.sql).toBeUndefined();
  const id = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
  expect((await fetch(`${api.url}/sql/${id}/health`)).status).toBe(404);
  await api.close();
});
