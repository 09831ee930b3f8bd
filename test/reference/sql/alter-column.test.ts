import { expect, test } from "vitest";
import * as messages from "../../../platform/reference/sql/messages";
import { CLOSE, column, execute, type Place, pipeline, sqlWorld, stmt } from "./sql";

const sequence = (sql: string) => ({ type: "sequence", sql });

/** Runs a script on a stream of its own, and returns the error, if there is one. */
async function script(place: Place, sql: string): Promise<string | undefined> {
  const { results } = await pipeline(place, [sequence(sql), CLOSE]);
  const error = results[0]?.error;
  return error && `${error.code}: ${error.message}`;
}

const tablesOf = (place: Place) => column(place, "select sql from sqlite_schema where sql is not null order by rowid");

test("changes type, default and constraints of a column for later rows, and leaves the rows as they are", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const tables = `create table customers (id integer primary key); create table orders (note text, total integer, customer integer);
    insert into orders values (null, '7', 99)`;
  expect(await script(orders, tables)).toBeUndefined();
  for (const sql of [
    "alter table orders alter column note to note text not null default 'none'",
    "ALTER TABLE orders ALTER COLUMN total TO total text CHECK (total <> '0') COLLATE nocase",
    "alter table orders alter column customer to customer integer references customers",
  ]) {
    const result = await execute(orders, sql);
    expect(result, sql).toMatchObject({ cols: [], rows: [], affected_row_count: 0, last_insert_rowid: null });
  }
  expect(await tablesOf(orders)).toEqual([
    "CREATE TABLE customers (id integer primary key)",
    "CREATE TABLE orders (note text not null default 'none', total text CHECK (total <> '0') COLLATE nocase, customer integer references customers)",
  ]);
  await execute(orders, "insert into orders (total) values (8)");
  expect(await column(orders, "select note || typeof(total) from orders where total = 8")).toEqual(["nonetext"]);
  expect(await column(orders, "select typeof(note) || typeof(total) || customer from orders limit 1")).toEqual([
    "nullinteger99",
  ]);
  await expect(execute(orders, "insert into orders (note) values (null)")).rejects.toThrow(
    "NOT NULL constraint failed",
  );
  await expect(execute(orders, "insert into orders (total) values (0)")).rejects.toThrow("CHECK constraint failed");
  await expect(execute(orders, "insert into orders (customer) values (5)")).rejects.toThrow("FOREIGN KEY constraint");
  await execute(orders, "alter table orders alter column customer to customer integer");
  await execute(orders, "insert into orders (customer) values (5)");
});

test("finds the column in any spelling of its table, and keeps the other columns", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const create = `create table "or(d)ers" (
    "a b" text default 'x, y) -- z', -- one, two
    [c,d] numeric(1, 2) check ([c,d] in (1, 2)) /* three, four */,
    \`e"\`\`f\` int, 'g' text, é text,
    "check" text, check ("check" <> 'x, "check" text'), unique ("a b", [c,d])
  )`;
  await execute(orders, create);
  for (const sql of [
    `alter table "or(d)ers" alter column "a b" to "a b" int`,
    "/* first */ ALTER -- here\n TABLE [or(d)ers] /* and */ alter/**/column [C,D] TO [C,D] real ; -- the end",
    'alter table `main`.`or(d)ers` alter column `e"``f` to `e"``f` text;;',
    "alter table 'OR(D)ERS' alter column 'g' to 'g' text default ';'",
    `alter table main . "or(d)ers" alter column é to é any default (',' || 'x)')`,
    `alter table "or(d)ers" alter column "check" to "check" int -- , "z" int`,
  ])
    await execute(orders, sql);
  expect(await tablesOf(orders)).toEqual([
    `CREATE TABLE "or(d)ers" (
    "a b" int, -- one, two
    [C,D] real,
    \`e"\`\`f\` text, 'g' text default ';', é any default (',' || 'x)'),
    "check" int, check ("check" <> 'x, "check" text'), unique ("a b", [c,d])
  )`,
  ]);
});

test("runs in scripts, batches and transactions, and a rollback takes the change back", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const both = `create table t (a text); alter table t alter column a to a text default 'x;y'; insert into t default values;
    -- then
    alter table t alter column a to a text default 'z' /* ; */ ; insert into t default values`;
  expect(await script(orders, both)).toBeUndefined();
  expect(await column(orders, "select a from t")).toEqual(["x;y", "z"]);
  const steps = ["int", "nothing (", "real"].map((type) => ({
    stmt: { sql: `alter table t alter column a to a ${type}` },
  }));
  const { results } = await pipeline(orders, [{ type: "batch", batch: { steps } }, CLOSE]);
  expect(results[0]).toMatchObject({
    response: { result: { step_errors: [null, { code: "SQL_PARSE_ERROR" }, null] } },
  });
  expect(await tablesOf(orders)).toEqual(["CREATE TABLE t (a real)"]);
  const open = await pipeline(orders, [
    stmt("begin"),
    stmt("alter table t alter column a to a text not null"),
    stmt("savepoint s"),
    stmt("alter table t alter column a to a int"),
    stmt("alter table t alter column a to b"),
    stmt("rollback to s"),
    stmt("insert into t values (null)"),
    stmt("select sql from sqlite_schema"),
  ]);
  expect(open.results.map(({ error }) => error?.code)).toEqual([
    ...[undefined, undefined, undefined, undefined, "SQL_INPUT_ERROR", undefined, "SQLITE_CONSTRAINT", undefined],
  ]);
  expect(open.results.at(-1)?.response?.result.rows[0]?.[0]?.value).toBe("CREATE TABLE t (a text not null)");
  expect(await tablesOf(orders)).toEqual(["CREATE TABLE t (a real)"]);
  // Waits for the open transaction.
  const waiting = execute(orders, "alter table t alter column a to a blob");
  await pipeline(orders, [stmt("rollback"), CLOSE], open.baton);
  await waiting;
  await execute(orders, "insert into t values (null)");
  expect(await tablesOf(orders)).toEqual(["CREATE TABLE t (a blob)"]);
});

test("an open stream and its prepared statements see the change that another stream has committed", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (a text)");
  const insert = stmt("insert into t values (null)");
  const open = await pipeline(orders, [insert, stmt("create temp table kept (x)")]);
  await execute(orders, "alter table t alter column a to a text not null");
  const { results } = await pipeline(orders, [insert, CLOSE], open.baton);
  expect(results[0]?.error?.code).toBe("SQLITE_CONSTRAINT");
});

test("alters strict tables, tables without rowid and temporary tables", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const { results } = await pipeline(orders, [
    sequence(`create table s (a text) strict; create table w (a text primary key, b) without rowid; create temp table "t t" (a);
      create table "t t" (z);
      alter table s alter column a to a any; alter table w alter column b to b default 7; alter table w alter column a to a int primary key;
      alter table "t t" alter column a to a text not null; alter table temp."t t" alter column a to a text default 5`),
    stmt("select sql from sqlite_schema union all select sql from sqlite_temp_schema"),
    CLOSE,
  ]);
  expect(results[0]?.error).toBeUndefined();
  expect(results[1]?.response?.result.rows.map(([cell]) => cell?.value)).toEqual([
    "CREATE TABLE s (a any) strict",
    "CREATE TABLE w (a int primary key, b default 7) without rowid",
    'CREATE TABLE "t t" (z)',
    'CREATE TABLE "t t" (a text default 5)',
  ]);
});

test("describes an alteration without making it", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (a text)");
  const describe = (sql: string) => ({ type: "describe", sql });
  const { results } = await pipeline(orders, [
    describe("alter table t alter column a to a int"),
    describe("alter table t alter column a to a int not"),
    describe("alter table t alter column a to b"),
    CLOSE,
  ]);
  expect(results[0]?.response?.result).toEqual({ params: [], cols: [], is_explain: false, is_readonly: false });
  expect(results.slice(1, 3).map(({ error }) => error?.code)).toEqual(["SQL_PARSE_ERROR", "SQL_INPUT_ERROR"]);
  expect(await tablesOf(orders)).toEqual(["CREATE TABLE t (a text)"]);
});

const TABLES = `create table t (id integer primary key, a text, u text unique, g int as (length(a)), h int as (length(a)) stored);
  create table s (a int) strict; create table w (a text primary key) without rowid; create table k (a text primary key);
  create view v as select a from t; create virtual table f using fts5(a); insert into t (a, u) values ('x', 'y')`;

const FIXED = "SQLITE_UNKNOWN: SQLite error: error in adding";

const REFUSED = [
  ["alter table t alter column a to b text", 'cannot also rename column: "a" to "b". Use ALTER TABLE RENAME instead'],
  ['alter table t alter column a to "a" text', 'cannot also rename column: "a" to ""a"". Use ALTER TABLE RENAME'],
  ["alter table t alter column nope to nope text", 'no such column: "nope"'],
  ["alter table nope alter column a to a text", "no such table: nope"],
  ["alter table v alter column a to a text", 'cannot rename columns of view "v"'],
  ["alter table f alter column a to a text", 'cannot rename columns of virtual table "f"'],
  ["alter table sqlite_schema alter column sql to sql text", "table sqlite_master may not be altered"],
  ["alter table t alter column id to id integer", `${FIXED} id integer to t: PRIMARY KEY constraint cannot be altered`],
  ["alter table t alter column id to id int primary key", "UNIQUE constraint cannot be altered"],
  ["alter table t alter column a to a text primary key", 'table "t" has more than one primary key'],
  ["alter table t alter column u to u text", `${FIXED} u text to t: UNIQUE constraint cannot be altered`],
  ["alter table t alter column a to a text unique", "UNIQUE constraint cannot be altered"],
  ["alter table k alter column a to a text", "PRIMARY KEY constraint cannot be altered"],
  ["alter table w alter column a to a text collate nocase primary key", "UNIQUE constraint cannot be altered"],
  ["alter table t alter column g to g int", `${FIXED} g int to t: GENERATED constraint cannot be altered`],
  ["alter table t alter column h to h int as (length(a))", "GENERATED constraint cannot be altered"],
  ["alter table t alter column a to a int as (1)", "GENERATED constraint cannot be altered"],
  ["alter table s alter column a to a frob", `${FIXED} a frob to s: unknown datatype for s.a: "frob"`],
  ["alter table t alter column a to a int default (u)", "default value of column [a] is not constant"],
  ["alter table t alter column a to a int check (nope > 1)", "no such column: nope"],
  [
    "alter table t alter column a to a int, b int",
    'SQL_PARSE_ERROR: SQL string could not be parsed: near ",": syntax error',
  ],
  ["alter table t alter column a to a int) strict --", 'near ")": syntax error'],
  ["alter table t alter column a to a int, check (1)", 'near ",": syntax error'],
  ["alter table t alter column a to a text default 'x", "unrecognized token"],
  ["alter table t alter column a to a text (", "SQL_PARSE_ERROR"],
  ["alter table t alter column a to", "incomplete input"],
  ["alter table t alter column a to a int default ?", "SQL_PARSE_ERROR"],
  ["alter table t alter column a to a int\0, z int", "SQL_PARSE_ERROR"],
  ["alter table t alter a to a text", "SQL_PARSE_ERROR"],
] as const;

test("refuses what libSQL refuses, and what would leave a table that cannot be read, and changes nothing", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  expect(await script(orders, TABLES)).toBeUndefined();
  const before = await tablesOf(orders);
  for (const [sql, reason] of REFUSED) {
    await expect(execute(orders, sql), sql).rejects.toThrow(reason);
    expect(await tablesOf(orders), sql).toEqual(before);
  }
  expect(await column(orders, "pragma integrity_check")).toEqual(["ok"]);
  // The schema is writable for an instant only.
  await expect(execute(orders, "update sqlite_schema set sql = ''")).rejects.toThrow("may not be modified");
});

test("alters a table whose columns use vector functions", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const table = "create table t (e blob check (length(vector_extract(e)) > 2), y, z as (vector_extract(e)))";
  expect(await script(orders, `${table}; alter table t alter column y to y text`)).toBeUndefined();
  expect(await tablesOf(orders)).toEqual([table.replace("y, z", "y text, z").replace("create table", "CREATE TABLE")]);
});

test("a stream may fill shadow tables before and after an alteration", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const fill = "insert into f_content values (null, 'x')";
  expect(
    await script(
      orders,
      `create table t (a); create virtual table f using fts5(a); ${fill}; alter table t alter column a to a text; ${fill}`,
    ),
  ).toBeUndefined();
  expect(await column(orders, "select c0 from f_content")).toEqual(["x", "x"]);
});

test("an invalid view refuses alterations, as it refuses renaming", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  expect(await script(orders, "create table t (a); create view v as select nope from t")).toBeUndefined();
  const alter = "alter table t alter column a to a text";
  await expect(execute(orders, alter)).rejects.toThrow("SQLite error: error in view v: no such column: nope");
  await execute(orders, "drop view v");
  await execute(orders, alter);
});

test("rebuilds indexes, so that queries find the same rows with and without them", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const tables = `create table t (a text, n int, g int as (n + 1)); create index by_a on t (a); create index by_g on t (g);
    create index large on t (a) where n > '5'; create table u (a text unique);
    insert into t (a, n) values ('b', 1), ('A', 20), ('a', 3), ('B', 4); insert into u values ('a'), ('A')`;
  expect(await script(orders, tables)).toBeUndefined();
  for (const sql of [
    "alter table t alter column a to a text collate nocase",
    "alter table t alter column g to g int as (n * 10)",
    "alter table t alter column n to n text",
  ])
    await execute(orders, sql);
  expect(await column(orders, "select a from t where a = 'a'")).toEqual(["A", "a"]);
  expect(await column(orders, "select a from t where g = 30")).toEqual(["a"]);
  await expect(execute(orders, "alter table u alter column a to a text collate nocase unique")).rejects.toThrow(
    "SQLITE_CONSTRAINT: SQLite error: UNIQUE constraint failed: u.a",
  );
  expect((await column(orders, "pragma integrity_check")).filter((text) => !/ value in /.test(`${text}`))).toEqual([]);
});

test("AUTOINCREMENT can be added, also in a database without such a table", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  expect(
    await script(orders, "create table t (id integer primary key, a); insert into t values (7, 1)"),
  ).toBeUndefined();
  await execute(orders, "alter table t alter column id to id integer primary key autoincrement");
  expect(
    await script(orders, "delete from t; insert into t (a) values (1); delete from t; insert into t (a) values (1)"),
  ).toBeUndefined();
  expect(await column(orders, "select id from t")).toEqual(["2"]);
  expect(await column(orders, "select name || seq from sqlite_sequence")).toEqual(["t2"]);
});

test("needs the rights that other alterations of the table need", async () => {
  const { database, token, owner, slug } = await sqlWorld();
  const { url, token: full } = await database("orders");
  const orders = { url, token: full };
  expect(await script(orders, "create table items (x); create table prices (x)")).toBeUndefined();
  const alter = (table: string) => `alter table ${table} alter column x to x text`;
  const reader = { url, token: await token("orders", { authorization: "read-only" }) };
  await expect(execute(reader, alter("items"))).rejects.toThrow(messages.NOT_WRITING);
  const allowed = async (...a: string[]) => ({
    url,
    token: await token("orders", {}, { fine_grained_permissions: [{ t: ["items"], a }] }),
  });
  const others = await allowed("data_read", "data_add", "data_update", "data_delete", "schema_add", "schema_delete");
  await expect(execute(others, alter("items"))).rejects.toThrow("the token lacks schema_update on items");
  const place = await allowed("data_read", "schema_update");
  await execute(place, alter("items"));
  await expect(execute(place, alter("prices"))).rejects.toThrow("the token lacks schema_update on prices");
  const { results } = await pipeline(orders, [stmt("begin readonly"), stmt(alter("items")), CLOSE]);
  expect(results[1]?.error?.code).toBe("BLOCKED");
  await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "orders", body: { block_writes: true } });
  await expect(execute(orders, alter("items"))).rejects.toThrow(messages.WRITES_BLOCKED);
});

test("a table of an attached database cannot be altered", async () => {
  const { database, token, owner, slug } = await sqlWorld();
  const [orders, other] = [await database("orders"), await database("other")];
  await execute(other, "create table t (a)");
  await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "other", body: { allow_attach: true } });
  const body = { permissions: { read_attach: { databases: ["other"] } } };
  const place = { url: orders.url, token: await token("orders", {}, body) };
  const { results } = await pipeline(place, [
    stmt(`attach "${other.id}" as shop`),
    stmt("alter table shop.t alter column a to a text"),
    stmt("select 1"),
    CLOSE,
  ]);
  expect(results.map(({ error }) => error?.code)).toEqual([undefined, "SQLITE_READONLY", undefined, undefined]);
  expect(await tablesOf(other)).toEqual(["CREATE TABLE t (a)"]);
});

test("dumps and past states have the declaration of their time", async () => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  expect(await script(orders, "create table t (a text); insert into t values (null)")).toBeUndefined();
  const timestamp = (await api.clock.now()).toISOString();
  await api.advance(60);
  await execute(orders, "alter table t alter column a to a text not null");
  const before = await database("before", { seed: { type: "database", name: "orders", timestamp } });
  const after = await database("after", { seed: { type: "database", name: "orders" } });
  expect(await tablesOf(before)).toEqual(["CREATE TABLE t (a text)"]);
  expect(await tablesOf(after)).toEqual(["CREATE TABLE t (a text not null)"]);
  const dump = await fetch(`${orders.url}dump`, { headers: { Authorization: `Bearer ${orders.token}` } });
  expect(await dump.text()).toContain("CREATE TABLE t (a text not null);");
});
