import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { refuse } from "../../../platform/reference/messages";
import { DatabaseRows } from "../../../platform/reference/sql/database-rows";
import { Folder } from "../../../platform/reference/sql/folder";
import { Gate } from "../../../platform/reference/sql/gate";
import { Pool } from "../../../platform/reference/sql/pool/pool";
import { CLOSE, column, dataFile, execute, pipeline, post, sqlWorld, stmt } from "./sql";

const DUMP = `-- a shop
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE items (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, data BLOB, price REAL);
INSERT INTO items VALUES (7, 'it''s; one', X'00ff', 1.5);
CREATE TRIGGER watch AFTER INSERT ON items BEGIN UPDATE items SET price = 0; SELECT 1; END;
COMMIT;
`;

const file = (text: string) => ({ file: new File([text], "dump.sql") });

test("a copy starts with its parent's rows, and neither sees the other's later writes", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t as select 1 as x");
  const copy = await database("copy", { seed: { type: "database", name: "orders" } });
  await execute(orders, "insert into t values (2)");
  await execute(copy, "insert into t values (3)");
  expect(await column(orders, "select x from t")).toEqual(["1", "2"]);
  expect(await column(copy, "select x from t")).toEqual(["1", "3"]);
});

test("a point-in-time copy has exactly the rows that were committed by that time", async () => {
  const { database, api } = await sqlWorld();
  const orders = await database("orders");
  const moments: string[] = [];
  await execute(orders, "create table t (x, filling)");
  for (let x = 1; x <= 6; x += 1) {
    await api.advance(60);
    // Every second insert adds more than 1,000 pages to the write-ahead log, and so starts a new part of the history.
    await execute(orders, `insert into t values (${x}, zeroblob(${x % 2 ? 10 : 5_000_000}))`);
    moments.push((await api.clock.now()).toISOString());
  }
  await api.advance(60);
  await execute(orders, "delete from t where x < 6");
  for (const [index, timestamp] of moments.entries()) {
    const copy = await database(`copy-${index}`, { seed: { type: "database", name: "orders", timestamp } });
    expect(await column(copy, "select x from t"), timestamp).toEqual(
      moments.slice(0, index + 1).map((_, at) => String(at + 1)),
    );
  }
  const before = await database("before", {
    seed: { type: "database", name: "orders", timestamp: "2026-03-01T12:00:30Z" },
  });
  expect(await column(before, "select count(*) from t")).toEqual(["0"]);
});

test("a point-in-time copy excludes a commit that was still waiting for another commit at that time", async () => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const open = await pipeline(orders, [stmt("begin immediate"), stmt("insert into t values (1)")]);
  const waiting = execute(orders, "insert into t values (2)");
  await column(orders, "select 1");
  await api.advance(60);
  await pipeline(orders, [stmt("commit"), CLOSE], open.baton);
  await waiting;
  const timestamp = "2026-03-01T12:00:30Z";
  const copy = await database("copy", { seed: { type: "database", name: "orders", timestamp } });
  expect(await column(copy, "select x from t")).toEqual([]);
});

test("a point-in-time copy excludes a commit at the end of a slow request, and includes one at its beginning", async () => {
  const { database } = await sqlWorld({ now: undefined });
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const slow = "with recursive c(x) as (select 1 union all select x + 1 from c limit 3000000) select count(*) from c";
  const began = Date.now();
  await pipeline(orders, [stmt("insert into t values (1)"), stmt(slow), stmt("insert into t values (2)"), CLOSE]);
  const timestamp = new Date((began + Date.now()) / 2).toISOString();
  const copy = await database("copy", { seed: { type: "database", name: "orders", timestamp } });
  expect(await column(copy, "select x from t")).toEqual(["1"]);
});

test.each([
  ["fails after some of its rows", "insert or fail into t values (1), (2), (1)", "SQLITE_CONSTRAINT"],
  ["returns too many rows", "insert into t values (1), (2) returning zeroblob(20000000)", "RESPONSE_TOO_LARGE"],
])("a point-in-time copy includes the rows of a statement that %s", async (_what, sql, code) => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x unique)");
  await api.advance(60);
  await expect(execute(orders, sql)).rejects.toThrow(code);
  expect(await column(orders, "select x from t")).toEqual(["1", "2"]);
  const timestamp = (await api.clock.now()).toISOString();
  const copy = await database("copy", { seed: { type: "database", name: "orders", timestamp } });
  expect(await column(copy, "select x from t")).toEqual(["1", "2"]);
});

test("a copy and an export contain all rows, even after the clock is moved back", async () => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t as select 1 as x");
  await api.advance(3_600);
  await execute(orders, "insert into t values ('after an hour')");
  await api.advance(-3_600);
  const copy = await database("copy", { seed: { type: "database", name: "orders" } });
  expect(await column(copy, "select x from t")).toEqual(["1", "after an hour"]);
  const exported = await fetch(`${orders.url}export/1`, { headers: { Authorization: `Bearer ${orders.token}` } });
  expect(Buffer.from(await exported.arrayBuffer()).includes("after an hour")).toBe(true);
});

test("creates the files of a copy only once, even if several requests have found them missing", async () => {
  const root = dirname(dataFile());
  const [folder, pool] = [new Folder(root), new Pool()];
  onTestFinished(async () => {
    pool.killAll();
    await folder.close();
  });
  const rows = new DatabaseRows(folder, pool, new Gate());
  const at = "2026-03-01T12:00:00.000Z";
  await rows.make([{ rows: folder.rows, id: "parent", name: "orders", parent: undefined }], at);
  const missing = [{ rows: folder.rows, id: "copy", name: "copy", parent: { id: "parent", at } }];
  await rows.make(missing, at);
  const written = join(folder.of("copy"), "written");
  writeFileSync(written, "");
  await rows.make(missing, at);
  expect(existsSync(written)).toBe(true);
});

test("point-in-time copies work across server restarts", async () => {
  const data = dataFile();
  const first = await sqlWorld({ data });
  const orders = await first.database("orders");
  await execute(orders, "create table t as select 1 as x");
  await first.api.close();
  const second = await sqlWorld({ data, now: undefined });
  const place = { url: second.url(orders.id), token: orders.token };
  await second.api.advance(60);
  await execute(place, "update t set x = 2");
  const copy = async (name: string, seconds: number) => {
    const timestamp = new Date(Date.parse("2026-03-01T12:00:00Z") + seconds * 1000).toISOString();
    return column(
      await second.database(name, { seed: { type: "database", name: "orders", timestamp } }),
      "select x from t",
    );
  };
  expect([await copy("earlier", 59), await copy("later", 60)]).toEqual([["1"], ["2"]]);
});

test("a database keeps its history when the server closes it to open another database", { tags: "more" }, async () => {
  const { database, api } = await sqlWorld();
  const orders = await database("orders");
  const others = await Promise.all(Array.from({ length: 64 }, (_, index) => database(`other-${index}`)));
  await execute(orders, "create table t (x)");
  const timestamp = (await api.clock.now()).toISOString();
  for (let x = 1; x <= 10; x += 1) {
    await api.advance(60);
    await execute(orders, `insert into t values (${x})`);
    await Promise.all(others.map((other) => execute(other, "select 1")));
  }
  const copy = await database("copy", { seed: { type: "database", name: "orders", timestamp } });
  expect(await column(copy, "select count(*) from t")).toEqual(["0"]);
  expect(await column(orders, "select sum(x) from t")).toEqual(["55"]);
});

test("rejects a point-in-time copy from before the history begins, and names the earliest time", async () => {
  const { database, owner, slug, api } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  for (let x = 1; x <= 12; x += 1) {
    await api.advance(60);
    await execute(orders, `insert into t values (zeroblob(20000000))`);
    await execute(orders, `delete from t`);
  }
  const seed = { type: "database" as const, name: "orders", timestamp: "2026-03-01T12:01:00Z" };
  const { status, error } = await owner.refused("createDatabase", { ...slug, body: { name: "copy", seed } });
  expect([status, error]).toEqual([
    400,
    expect.stringMatching(/^the rows of database orders are only kept since 2026-/),
  ]);
});

test("says why a copy has no rows if those that it copies were not kept until its first request", async () => {
  const data = dataFile();
  const snapshots = join(dirname(data), "snapshots");
  const first = await sqlWorld({ data, snapshots });
  await execute(await first.database("orders"), "create table t (x)");
  await first.api.advance(60);
  await first.api.save("seeded");
  await first.api.load("seeded");
  await first.api.close();
  const options = { data, snapshots, now: "2026-03-01T12:02:00.000Z" };
  const withoutSql = await sqlWorld({ ...options, sql: false });
  const seed = { type: "database", name: "orders", timestamp: "2026-03-01T12:00:30Z" };
  const { id, token } = await withoutSql.database("copy", { seed });
  await withoutSql.api.close();
  const { api, url, owner, slug } = await sqlWorld(options);
  const answer = await post({ url: url(id), token }, "v3/pipeline", { requests: [CLOSE] });
  const { status, message } = refuse.rowsNotKept({ name: "copy", since: "2026-03-01T12:01:00.000Z" });
  expect([answer.status, await answer.json()]).toEqual([status, { error: message, message }]);
  const body = { name: "again", seed: { type: "database", name: "copy" } } as const;
  expect(await owner.refused("createDatabase", { ...slug, body })).toEqual({ status, error: message });
  const attaching = { permissions: { read_attach: { databases: ["copy"] } } };
  await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "copy", body: { allow_attach: true } });
  const { jwt } = await owner.ok("createDatabaseToken", { ...slug, databaseName: "orders", body: attaching });
  const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "orders" });
  const orders = { url: url(database.DbId), token: jwt };
  expect(await column(orders, "select count(*) from t")).toEqual(["0"]);
  const { results } = await pipeline(orders, [stmt(`attach "${id}" as copy`), CLOSE]);
  expect(results[0]?.error?.code).toBe("SQLITE_CANTOPEN");
  expect(await api.save("without")).toMatchObject({ databases: 2 });
});

test("a dump keeps the ids that AUTOINCREMENT has given", async () => {
  const { database, owner, slug } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (id integer primary key autoincrement)");
  await execute(orders, "insert into t values (1), (2)");
  await execute(orders, "delete from t where id = 2");
  const answer = await fetch(`${orders.url}dump`, { headers: { Authorization: `Bearer ${orders.token}` } });
  const { dump_url: url } = await owner.ok("uploadDump", { ...slug, body: file(await answer.text()) });
  const again = await database("again", { seed: { type: "dump", url } });
  expect(await execute(again, "insert into t values (null)")).toMatchObject({ last_insert_rowid: "3" });
});

test("loads an uploaded dump, and exports a dump that recreates the database", async () => {
  const { database, owner, slug, api } = await sqlWorld();
  const { dump_url: url } = await owner.ok("uploadDump", { ...slug, body: file(DUMP) });
  const shop = await database("shop", { seed: { type: "dump", url } });
  const rows = async (place: typeof shop) => (await execute(place, "select * from items")).rows;
  const expected = [
    [
      { type: "integer", value: "7" },
      { type: "text", value: "it's; one" },
      { type: "blob", base64: "AP8" },
      { type: "float", value: 1.5 },
    ],
  ];
  expect(await rows(shop)).toEqual(expected);
  await execute(shop, "create virtual table words using fts5(word)");
  await execute(shop, "insert into words values ('zoë')");
  const answer = await fetch(`${shop.url}dump`, { headers: { Authorization: `Bearer ${shop.token}` } });
  const again = await owner.ok("uploadDump", { ...slug, body: file(await answer.text()) });
  const copy = await database("again", { seed: { type: "dump", url: again.dump_url } });
  expect(await rows(copy)).toEqual(expected);
  expect(await column(copy, "select word from words('zoë')")).toEqual(["zoë"]);
  expect(await execute(copy, "insert into items (name) values ('b')")).toMatchObject({ last_insert_rowid: "8" });
  const { database: usage } = await owner.ok("retrieveDatabaseUsage", { ...slug, databaseName: "again" });
  expect(usage.usage).toMatchObject({ rows_read: 2, rows_written: 3 });
  expect(usage.usage?.storage_bytes).toBeGreaterThan(8192);
  expect(api.journal().at(-1)?.status).toBe(200);
});

test.each([
  ["an invalid statement", "create table t (x);\n\ninsert into t\nvalues (1), (1, 2);", 3],
  ["an early rollback", "create table t (x);\nrollback;", 2],
  ["an attached file", "create table t (x);\nattach '/tmp/other.db' as other;", 2],
])("rejects a dump with %s, and reports the line", async (_what, text, line) => {
  const { owner, slug } = await sqlWorld();
  const message = { status: 400, error: expect.stringContaining(`invalid at line ${line}:`) };
  expect(await owner.refused("uploadDump", { ...slug, body: file(text) })).toEqual(message);
});
