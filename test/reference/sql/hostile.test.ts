// @module-tag more

import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMIT_MS, MOST_AT_ONCE } from "../../../platform/reference/sql/engine/limits";
import { TOO_MANY } from "../../../platform/reference/sql/engine/messages";
import { CLOSE, column, ENDLESS, execute, pipeline, post, sqlWorld, startProcesses, stmt } from "./sql";

const TARGET = join(tmpdir(), `outside-${process.pid}.db`);

const REFUSED = [
  `attach '${TARGET}' as other`,
  `attach 'file:${TARGET}?mode=rwc' as other`,
  "attach ':memory:' as other",
  "attach '' as other",
  'attach "__proto__" as other',
  `vacuum into '${TARGET}'`,
  `vacuum main into '${TARGET}'`,
  `vacuum/**/into '${TARGET}'`,
  "select load_extension('/lib/x86_64-linux-gnu/libc.so.6')",
  "select fts3_tokenizer('simple')",
  "pragma journal_mode = delete",
  "pragma wal_checkpoint(truncate)",
  "pragma wal_autocheckpoint = 1",
  "pragma locking_mode = exclusive",
  "pragma synchronous = off",
  "pragma max_page_count = 1000000",
  "pragma temp_store_directory = '/tmp'",
  "pragma data_store_directory = '/tmp'",
  "pragma writable_schema = on",
  "pragma trusted_schema = on",
  "pragma mmap_size = 1000000000",
  "pragma soft_heap_limit = 1",
  "pragma hard_heap_limit = 1",
  "pragma threads = 8",
  "pragma optimize",
  "select * from pragma_optimize",
  "pragma encoding = 'UTF-16'",
  "pragma temp_store_directory",
  "select * from pragma_database_list",
  "select file from pragma_database_list full join (select null as file) using (file)",
  "explain pragma database_list",
  "pragma/**/database_list",
  'pragma "database_list"',
  "pragma database_list /**/ union select 1, 2, 3",
  "create virtual table t using dbstat",
  "create view v as select * from pragma_database_list; select * from v",
  "insert into sqlite_schema values ('table', 't', 't', 3, '')",
];

test("rejects statements that access files outside the database or change server settings", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  for (const sql of REFUSED) {
    const { results } = await pipeline(orders, [{ type: "sequence", sql }, CLOSE]);
    expect(results[0]?.error?.code, sql).toMatch(/^(BLOCKED|SQLITE_|SQL_INPUT_ERROR)/);
  }
  expect(existsSync(TARGET)).toBe(false);
  await execute(orders, "create table mine (x)");
});

test("lists the databases of a stream without their files, however often and wherever the statement stands", async () => {
  const { database, token, owner, slug } = await sqlWorld();
  const [orders, other] = [await database("orders"), await database("other")];
  await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "other", body: { allow_attach: true } });
  const body = { permissions: { read_attach: { databases: ["other"] } } };
  const place = { url: orders.url, token: await token("orders", {}, body) };
  const listed = (...names: readonly [number, string][]) => ({
    cols: ["seq", "name", "file"].map((name) => ({ name })),
    rows: names.map(([seq, name]) => [{ value: `${seq}` }, { value: name }, { type: "text", value: "" }]),
  });
  for (const sql of ["pragma database_list", "PRAGMA main.database_list ;", "pragma database_list(main); -- all"])
    for (const _ of [1, 2]) expect(await execute(place, sql), sql).toMatchObject(listed([0, "main"]));
  const sequence = {
    type: "sequence",
    sql: `pragma database_list; attach "${other.id}" as shop; create temp table t (x)`,
  };
  const { results } = await pipeline(place, [sequence, stmt("pragma database_list"), CLOSE]);
  expect(results[1]?.response?.result).toMatchObject(listed([0, "main"], [1, "temp"], [2, "shop"]));
});

test("a view in the place of the list of databases does not show their files", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const view =
    "create temp view pragma_database_list as select seq, file as name, '' as file from main.pragma_database_list";
  for (const before of [[], ["pragma database_list"]]) {
    const sent = [...before, view, "pragma database_list"];
    const { results } = await pipeline(orders, [...sent.map((sql) => stmt(sql)), CLOSE]);
    expect(JSON.stringify(results)).not.toContain(orders.id);
    expect(results.at(-2)?.error?.code).toMatch(/^(BLOCKED|SQLITE_AUTH)$/);
  }
});

test("a dump shows no path, even if a virtual table takes its rows from a pragma that does", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  for (const sql of [
    "create view files as select seq as rowid, file from pragma_database_list",
    "create virtual table a using fts5(file, content='pragma_database_list')",
    "create virtual table b using fts5(file, content='files')",
    "create virtual table c using fts4(file, content='files')",
  ])
    await execute(orders, sql);
  const answer = await fetch(`${orders.url}dump`, { headers: { Authorization: `Bearer ${orders.token}` } });
  expect(await answer.text()).not.toContain(orders.id);
  for (const table of ["files", "a", "b", "c"])
    await expect(execute(orders, `select * from ${table}`)).rejects.toThrow("BLOCKED");
});

test("stops an endless statement, while other databases keep responding", async () => {
  const { database } = await sqlWorld();
  const [hostile, orders] = [await database("hostile"), await database("orders")];
  await execute(hostile, "create table t as select 7 as x");
  await execute(orders, "create table t as select 1 as x");
  await startProcesses(hostile);
  const state = { isRunning: true };
  const stopped = expect(execute(hostile, ENDLESS))
    .rejects.toThrow(`longer than ${LIMIT_MS / 1000} seconds`)
    .finally(() => {
      state.isRunning = false;
    });
  for (let x = 0; x < 5; x += 1) await execute(orders, "insert into t values (2)");
  expect(state.isRunning).toBe(true);
  await stopped;
  expect(await column(orders, "select count(*) from t")).toEqual(["6"]);
  expect(await column(hostile, "select x from t")).toEqual(["7"]);
});

test("rejects a request of 100 MB, a value of 1 GB and results that are too large", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const body = `{"requests":[{"type":"execute","stmt":{"sql":"select '${"x".repeat(100_000_000)}'"}}]}`;
  const status = await post(orders, "v2/pipeline", body).then(
    (answer) => answer.status,
    () => "ended",
  );
  expect([413, "ended"]).toContain(status);
  await expect(execute(orders, "select length(randomblob(1000000000))")).rejects.toThrow("SQLITE_TOOBIG");
  const endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select x, zeroblob(100000) from c";
  await expect(execute(orders, endless)).rejects.toThrow("RESPONSE_TOO_LARGE");
  const wide = `select ${Array.from({ length: 200 }, () => "zeroblob(60000000)").join()}`;
  await expect(execute(orders, wide)).rejects.toThrow("SQLITE_INTERRUPT");
  await execute(
    orders,
    `create table t (${Array.from({ length: 1_900 }, (_, at) => `${"c".repeat(500)}${at}`).join()})`,
  );
  const { results } = await pipeline(orders, [...Array.from({ length: 100 }, () => stmt("select * from t")), CLOSE]);
  expect(results.at(-2)?.error?.code).toBe("RESPONSE_TOO_LARGE");
  expect(await column(orders, "select 1")).toEqual(["1"]);
});

test("databases do not share rows, and streams do not share temporary tables or settings", async () => {
  const { database } = await sqlWorld();
  const [orders, other] = [await database("orders"), await database("other")];
  await execute(orders, "create table t (x)");
  await expect(execute(other, "select * from t")).rejects.toThrow("no such table");
  await execute(orders, "create temp table hidden (x)");
  await execute(orders, "pragma foreign_keys = off");
  await expect(execute(orders, "select * from hidden")).rejects.toThrow("no such table");
  expect(await column(orders, "pragma foreign_keys")).toEqual(["1"]);
});

test("the platform keeps responding while a slow dump is loaded", async () => {
  const { database, owner, slug } = await sqlWorld();
  await database("orders");
  const slow =
    "with recursive c(x) as (select 1 union all select x + 1 from c limit 1000000) select count(*) from c;\n";
  const text = `create table t (x);\n${slow.repeat(12)}insert into nowhere values (1);\n`;
  const upload = owner.refused("uploadDump", { ...slug, body: { file: new File([text], "dump.sql") } });
  const done = { upload: false };
  void upload.then(() => {
    done.upload = true;
  });
  for (const name of ["a", "b", "c"]) await database(name);
  expect(done.upload).toBe(false);
  expect(await upload).toEqual({ status: 400, error: expect.stringContaining("line 14") });
});

test("limits open streams, stored SQL and temporary tables", async () => {
  const { database } = await sqlWorld();
  const [hostile, orders] = [await database("hostile"), await database("orders")];
  const store = { type: "store_sql", sql_id: 1, sql: "x".repeat(1_100_000) };
  expect((await post(hostile, "v3/pipeline", { requests: [store] })).status).toBe(400);
  const stored = { ...store, sql: `select 1 -- ${"x".repeat(1_000_000)}` };
  const uses = Array.from({ length: 40 }, () => ({ type: "execute", stmt: { sql_id: 1 } }));
  expect((await post(hostile, "v3/pipeline", { requests: [stored, ...uses] })).status).toBe(400);
  const texts = Array.from({ length: 100_000 }, (_, id) => ({ type: "store_sql", sql_id: id, sql: "" }));
  const before = process.cpuUsage();
  await pipeline(hostile, [...texts, CLOSE]);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000_000, "seconds").toBeLessThan(15);
  const many =
    "with recursive c(x) as (select 1 union all select x + 1 from c limit 6) select zeroblob(50000000) from c";
  await expect(execute(hostile, `create temp table t as ${many}`)).rejects.toThrow("SQLITE_FULL");
  for (let count = 0; count < 100; count += 1) await pipeline(hostile, []);
  expect((await post(hostile, "v3/pipeline", { requests: [] })).status).toBe(429);
  expect(await column(orders, "select 1")).toEqual(["1"]);
});

test("rejects a writer if too many are already waiting, and serves the waiting writers later", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const insert = "insert into t values (1)";
  const { baton } = await pipeline(orders, [stmt("begin immediate")]);
  const many = Array.from({ length: MOST_AT_ONCE + 20 }, () => execute(orders, insert));
  const refused = many.map((each) => each.then(() => Promise.reject(), String));
  expect(await Promise.any(refused)).toContain(TOO_MANY);
  await pipeline(orders, [stmt("commit"), CLOSE], baton);
  const settled = await Promise.allSettled(many);
  const fulfilled = settled.filter(({ status }) => status === "fulfilled").length;
  expect(fulfilled).toBeGreaterThan(100);
  await Promise.all(Array.from({ length: MOST_AT_ONCE + 20 }, () => execute(orders, insert)));
  expect(await column(orders, "select count(*) from t")).toEqual([String(fulfilled + MOST_AT_ONCE + 20)]);
});
