// @module-tag the-reference-api

import { readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { TOO_MANY_DUMPS } from "../../../platform/reference/sql/messages";
import { dumpOf, unreadDumpOf, uploadFile } from "./dumps";
import { CLOSE, column, dataFile, execute, type Place, pipeline, rowsOf, sqlWorld, stmt } from "./sql";

/** Starts a server with data in a file. */
async function dumpWorld() {
  const data = dataFile();
  const world = await sqlWorld({ data });
  return {
    ...world,
    /** The folders of copies that dumps are written from. */
    copies: () => readdirSync(`${data}-sql`).filter((name) => name.startsWith("loading-")),
    logBytes: (id: string) => statSync(join(rowsOf(data), "databases", id, "data-wal")).size,
    async fromDump(name: string, dump: string) {
      const body = { file: new File([dump], "dump.sql") };
      const { dump_url: url } = await world.owner.ok("uploadDump", { ...world.slug, body });
      return world.database(name, { seed: { type: "dump", url } });
    },
  };
}

/** Creates a database whose dump is larger than what waits in the buffers of a connection. */
async function largeDatabase({ database }: Pick<Awaited<ReturnType<typeof dumpWorld>>, "database">, rows = 40) {
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  await execute(
    orders,
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows}) insert into t select zeroblob(1000000) from n`,
  );
  return orders;
}

/** Runs statements on one stream, each of which must succeed. */
async function script(place: Place, ...statements: string[]): Promise<void> {
  const { results } = await pipeline(place, [...statements.map((sql) => stmt(sql)), CLOSE]);
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
}

const FULL_TEXT = [
  "create virtual table plain using fts5(a)",
  "insert into plain (plain, rank) values ('rank', 'bm25(9.0)')",
  "insert into plain values ('hello world'), ('hello hello')",
  "create virtual table terms using fts5vocab(plain, row)",
  "create virtual table none using fts5(a, content='')",
  "insert into none (rowid, a) values (1, 'hello world')",
  "create virtual table deletable using fts5(a, content='', contentless_delete=1)",
  "insert into deletable (rowid, a) values (1, 'hello'), (2, 'hello world')",
  "delete from deletable where rowid = 1",
  "create virtual table older using fts4(a)",
  "insert into older values ('hello world')",
  "create virtual table older_terms using fts4aux(older)",
];

const FULL_TEXT_QUERIES = [
  "select rowid || ' ' || rank from plain('hello')",
  "select term || ' ' || doc from terms",
  "select rowid from none('world')",
  "select rowid from deletable('hello')",
  "select rowid from older where a match 'world'",
  "select term from older_terms",
];

test("a database is empty although a creation from a dump was rolled back that had its id", async () => {
  const { api, owner, slug, database } = await sqlWorld({ deterministic: true });
  const dump = async () => {
    const body = { file: new File(["create table t as select 1 as x;"], "dump.sql") };
    return (await owner.ok("uploadDump", { ...slug, body })).dump_url;
  };
  const inStore = (statement: string) => api.store.transaction([], (state) => sql.raw(statement).execute(state));
  const whileRolledBack = async (work: () => Promise<number>) => {
    await inStore("create trigger fails before insert on audit_logs begin select raise(abort, 'interrupted'); end");
    expect(await work()).toBe(500);
    await inStore("drop trigger fails");
  };
  vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const url = await dump();
  await whileRolledBack(() =>
    owner.status("createDatabase", {
      ...slug,
      body: { name: "dumped", group: "default", seed: { type: "dump", url } },
    }),
  );
  const orders = await database("orders");
  expect(await column(orders, "select count(*) from sqlite_schema")).toEqual(["0"]);

  const file = new File(["create table t as select 2 as x;"], "dump.sql");
  await whileRolledBack(() => owner.status("uploadDump", { ...slug, body: { file } } as never));
  const copy = await database("copy", { seed: { type: "dump", url: await dump() } });
  expect(await column(copy, "select x from t")).toEqual(["1"]);
});

test("a dump restores full-text indexes without content, their options and their vocabularies", async () => {
  const { database, fromDump } = await dumpWorld();
  const orders = await database("orders");
  await script(orders, ...FULL_TEXT);
  const dump = await (await dumpOf(orders)).text();
  const sent = await database("sent");
  const { results } = await pipeline(sent, [{ type: "sequence", sql: dump }, CLOSE]);
  expect(results[0]?.error).toBeUndefined();
  for (const copy of [await fromDump("uploaded", dump), sent])
    for (const query of FULL_TEXT_QUERIES) {
      const expected = await column(orders, query);
      expect(expected, query).not.toEqual([]);
      expect(await column(copy, query), query).toEqual(expected);
    }
});

test("loads a dump of the sqlite3 command, which declares virtual tables in the schema", async () => {
  const { fromDump } = await dumpWorld();
  const copy = await fromDump(
    "copy",
    `/* WARNING: Script requires that SQLITE_DBCONFIG_DEFENSIVE be disabled */
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','f','f',0,'CREATE VIRTUAL TABLE f using fts5(a, content='''')');
CREATE TABLE IF NOT EXISTS 'f_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO f_data VALUES(1,X'0102');
INSERT INTO f_data VALUES(10,X'000000010101010001010101');
INSERT INTO f_data VALUES(137438953473,X'00000018063068656c6c6f0102020105776f726c64010203040a');
CREATE TABLE IF NOT EXISTS 'f_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO f_idx VALUES(1,X'',2);
CREATE TABLE IF NOT EXISTS 'f_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
INSERT INTO f_docsize VALUES(1,X'02');
CREATE TABLE IF NOT EXISTS 'f_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO f_config VALUES('rank','bm25(1.0,9.0)');
INSERT INTO f_config VALUES('version',4);
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','fv','fv',0,'CREATE VIRTUAL TABLE fv using fts5vocab(f,''row'')');
CREATE TABLE t(a);
INSERT INTO t VALUES('it''s');
PRAGMA writable_schema=OFF;
COMMIT;
`,
  );
  expect(await column(copy, "select rowid from f('world')")).toEqual(["1"]);
  expect(await column(copy, "select term from fv")).toEqual(["hello", "world"]);
  expect(await column(copy, "select v from f_config where k = 'rank'")).toEqual(["bm25(1.0,9.0)"]);
  expect(await column(copy, "select a from t")).toEqual(["it's"]);
});

test("a dump may declare nothing but virtual tables, and ordinary SQL not even these", async () => {
  const { database, owner, slug } = await dumpWorld();
  const declaration = (sql: string) =>
    `PRAGMA writable_schema=ON;\nINSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','t','t',0,'${sql}');`;
  for (const sql of ["CREATE TABLE t(a)", "CREATE VIRTUAL TABLE t USING dbstat"]) {
    const body = { file: new File([declaration(sql)], "dump.sql") };
    expect(await owner.refused("uploadDump", { ...slug, body })).toMatchObject({
      status: 400,
      error: expect.stringContaining("invalid at line 2:"),
    });
  }
  const orders = await database("orders");
  const { results } = await pipeline(orders, [
    { type: "sequence", sql: declaration("CREATE VIRTUAL TABLE t USING fts5(a)") },
    stmt("insert into sqlite_schema (type) values ('table')"),
    stmt("update sqlite_schema set sql = ''"),
    CLOSE,
  ]);
  expect(results.map(({ error }) => error?.message).slice(0, 3)).toEqual([
    expect.stringContaining("PRAGMA writable_schema with a value is not allowed"),
    expect.stringContaining("may not be modified"),
    expect.stringContaining("may not be modified"),
  ]);
});

test("a dump keeps rowids, statistics, and each byte of a text", async () => {
  const { database, fromDump } = await dumpWorld();
  const orders = await database("orders");
  await script(
    orders,
    "create table t (_rowid_, x)",
    "insert into t (x) values (cast(x'ff61' as text)), (cast(x'610062' as text)), ('a\r\nb'), ('é''\n'), (null)",
    "delete from t where rowid = 2",
    "create index i on t (x)",
    "analyze",
  );
  const copy = await fromDump("copy", await (await dumpOf(orders)).text());
  for (const query of ["select rowid || ' ' || hex(x) from t", "select tbl || idx || stat from sqlite_stat1"])
    expect(await column(copy, query)).toEqual(await column(orders, query));
  expect(await column(copy, "select hex(x) from t order by rowid")).toEqual(["FF61", "610D0A62", "C3A9270A", ""]);
});

test("a dump has the rows of one moment, and holds up neither writes nor the log while it is read", async () => {
  const { logBytes, ...world } = await dumpWorld();
  const orders = await largeDatabase(world);
  const other = await world.database("other");
  const dump = await unreadDumpOf(orders);
  await execute(other, "create table t as select 1 as x");
  for (let round = 0; round < 5; round += 1) await execute(orders, "insert into t values (zeroblob(20000000))");
  expect(await column(orders, "select count(*) from t")).toEqual(["45"]);
  expect(logBytes(orders.id)).toBeLessThan(32_000_000);
  const sql = await text(dump);
  expect(sql.endsWith("COMMIT;\n")).toBe(true);
  expect(sql.match(/^INSERT/gm)).toHaveLength(40);
});

test("removes the files of a dump when it has been read, and when its client disconnects", async () => {
  const { copies, ...world } = await dumpWorld();
  const orders = await largeDatabase(world);
  await (await dumpOf(orders)).text();
  await vi.waitFor(() => expect(copies()).toEqual([]), { timeout: 60_000 });
  const dump = await unreadDumpOf(orders);
  expect(copies()).toHaveLength(1);
  dump.destroy();
  await vi.waitFor(() => expect(copies()).toEqual([]), { timeout: 60_000 });
});

test("rejects a dump while 16 of the same database are being read", { tags: "more" }, async () => {
  const world = await dumpWorld();
  const orders = await largeDatabase(world, 12);
  const [first] = await Promise.all(Array.from({ length: 16 }, () => unreadDumpOf(orders)));
  const refused = await dumpOf(orders);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: TOO_MANY_DUMPS });
  first?.destroy();
  await vi.waitFor(async () => expect((await dumpOf(orders)).status).toBe(200), { timeout: 60_000 });
});

/** Returns a SQLite file of which everything from a page on, counted from 0, has been overwritten. */
async function damagedFile(page: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = dataFile();
  const local = new DatabaseSync(file);
  local.exec("create table t (x)");
  local.exec(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 4000) insert into t select hex(randomblob(1500)) from n",
  );
  local.close();
  const bytes = new Uint8Array(await readFile(file));
  return bytes.fill(0xff, page * 4096);
}

test("an error breaks off a dump that has begun, and has a status if it has not", async () => {
  const { database, copies } = await dumpWorld();
  const broken = await database("broken", { seed: { type: "database_upload" } });
  await uploadFile(broken, await damagedFile(3_900));
  const begun = await dumpOf(broken);
  expect(begun.status).toBe(200);
  await expect(begun.text()).rejects.toThrow("terminated");
  const lost = await database("lost", { seed: { type: "database_upload" } });
  await uploadFile(lost, await damagedFile(1));
  const refused = await dumpOf(lost);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code: "SQLITE_CORRUPT" });
  await vi.waitFor(() => expect(copies()).toEqual([]), { timeout: 60_000 });
});

test("a reset breaks off a dump that is still being written, or lets it end whole", async () => {
  const world = await dumpWorld();
  const orders = await largeDatabase(world);
  const dump = await unreadDumpOf(orders);
  await world.api.reset();
  const outcome = await text(dump).catch(() => "broken off");
  expect(outcome === "broken off" || outcome.endsWith("COMMIT;\n")).toBe(true);
});
