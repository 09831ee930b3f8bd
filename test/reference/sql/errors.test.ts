// @module-tag the-reference-api

import { readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { createClient as createHttpClient } from "@libsql/client/http";
import { createClient as createSocketClient } from "@libsql/client/ws";
import { connect } from "@tursodatabase/serverless";
import { expect, test } from "vitest";
import { CLOSE, column, dataFile, execute, pipeline, sqlWorld, stmt } from "./sql";

/** Errors by statement, as programs that test them know them from the public service. */
const KNOWN_TO_PROGRAMS = {
  "select * from nope": "SQLITE_UNKNOWN: SQLite error: no such table: nope",
  "insert into nope values (1)": "SQLITE_UNKNOWN: SQLite error: no such table: nope",
  "insert into t (zz) values (1)": "SQLITE_UNKNOWN: SQLite error: table t has no column named zz",
  "insert into t values (1)": "SQLITE_UNKNOWN: SQLite error: table t has 2 columns but 1 values were supplied",
  "create index i on t (b)": "SQLITE_UNKNOWN: SQLite error: index i already exists",
  "alter table t add column b text": "SQLITE_UNKNOWN: SQLite error: duplicate column name: b",
  "update t set zz = 1": "SQLITE_UNKNOWN: SQLite error: no such column: zz",
  "select 1 from t a join t b on zz": "SQLITE_UNKNOWN: SQLite error: no such column: zz",
  "select zz from t": "SQL_INPUT_ERROR: SQLite input error: no such column: zz (at offset 7)",
  "select 'zoë', zz from t": "SQL_INPUT_ERROR: SQLite input error: no such column: zz (at offset 15)",
  "create table t (a)": "SQL_INPUT_ERROR: SQLite input error: table t already exists (at offset 13)",
  "select nofn(1)": "SQL_INPUT_ERROR: SQLite input error: no such function: nofn (at offset 7)",
  "select * from t, t": "SQL_INPUT_ERROR: SQLite input error: ambiguous column name: main.t.a (at offset 7)",
  'select a from t where b = "Monday"':
    'SQL_INPUT_ERROR: SQLite input error: no such column: "Monday" - should this be a string literal in single-quotes? (at offset 26)',
  "select abs(-9223372036854775808)": "SQLITE_UNKNOWN: SQLite error: integer overflow",
};

test("an error has libSQL's code and words, and its place if SQLite knows it", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (a, b)");
  await execute(orders, "create index i on t (b)");
  for (const [sql, error] of Object.entries(KNOWN_TO_PROGRAMS))
    await expect(execute(orders, sql)).rejects.toThrow(error);
});

test("the official clients report a missing table as SQLITE_UNKNOWN, over HTTP and WebSockets", async () => {
  const { database } = await sqlWorld();
  const { url, token: authToken } = await database("orders");
  for (const client of [
    createHttpClient({ url, authToken }),
    createSocketClient({ url: url.replace("http:", "ws:"), authToken }),
  ]) {
    const missing = { code: "SQLITE_UNKNOWN", message: "SQLITE_UNKNOWN: SQLite error: no such table: migrations" };
    await expect(client.execute("select * from migrations")).rejects.toMatchObject(missing);
    await expect(client.batch(["select * from migrations"], "write")).rejects.toMatchObject({
      code: missing.code,
    });
    client.close();
  }
  await expect(connect({ url, authToken }).exec("select * from migrations")).rejects.toThrow(
    "SQLite error: no such table: migrations",
  );
});

test("counts the place from the beginning of the SQL, or from the end of the statement before it", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const of = async (request: object) => (await pipeline(orders, [request, CLOSE])).results[0]?.error?.message;
  expect(await of(stmt("  -- é\n select zz"))).toMatch("(at offset 16)");
  expect(await of({ type: "sequence", sql: "select 1; select zz" })).toMatch("(at offset 8)");
  expect(await of({ type: "describe", sql: "  select zz" })).toMatch("(at offset 9)");
});

test("the search for the place of an error ends soon, also in long statements", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create view v as select zz from (select 1 as a)");
  const names = Array.from({ length: 1_000 }, () => `zz /*${"é".repeat(1_000)}*/`);
  await expect(execute(orders, `select * from v where 1 in (${names})`)).rejects.toThrow("no such column: zz");
  await expect(execute(orders, `create table v (a ${"[".repeat(1_000_000)}`)).rejects.toThrow(
    "view v already exists (at offset 13)",
  );
});

test("opens a file whose views and indexes have text in double quotes, and uses its tables", async () => {
  const file = dataFile();
  const local = new DatabaseSync(file, { enableDoubleQuotedStringLiterals: true });
  local.exec(`create table t (a default "none", check (a <> "bad"));
    create index i on t (a) where a <> "x";
    create view v as select "text" as b;
    create trigger r after delete on t begin insert into t values ("fired"); end;
    insert into t values ('first')`);
  local.close();
  const { database } = await sqlWorld();
  const shop = await database("shop", { seed: { type: "database_upload" } });
  const put = async (below: string, body: BodyInit) =>
    await (
      await fetch(`${shop.url}v2/upload/${below}`, {
        method: "PUT",
        headers: { Authorization: `Bearer ${shop.token}` },
        body,
      })
    ).json();
  const bytes = new Uint8Array(await readFile(file));
  const { upload_id: id } = await put("start", JSON.stringify({ db_size_bytes: bytes.length }));
  await put(`${id}/chunk/0`, bytes);
  await put(`${id}/finalize`, "");
  expect(await column(shop, "select a from t where a <> 'x'")).toEqual(["first"]);
  await expect(execute(shop, "insert into t values ('bad')")).rejects.toThrow("SQLITE_CONSTRAINT");
  await execute(shop, "insert into t default values");
  expect(await column(shop, "select a from t")).toEqual(["first", "none"]);
  for (const sql of ["select * from v", "delete from t"])
    await expect(execute(shop, sql)).rejects.toThrow("SQLITE_UNKNOWN: SQLite error: no such column");
});
