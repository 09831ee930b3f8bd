// @module-tag the-reference-api

import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded } from "../../full";
import { CLOSE, column, execute, type Place, pipeline, sqlWorld, stmt } from "./sql";

const describeSql = (sql: string) => ({ type: "describe", sql });
const EXTRA = [{ type: "null" }];

/** All that a statement can learn about its connection, except what depends on the rows of the database. */
const STATE = `select (select json_group_array(foreign_keys) from pragma_foreign_keys),
  (select defer_foreign_keys from pragma_defer_foreign_keys), (select query_only from pragma_query_only),
  (select recursive_triggers from pragma_recursive_triggers), (select cache_size from pragma_cache_size),
  (select group_concat(name) from sqlite_temp_schema), (select count(*) from pragma_table_list where schema = 'temp'),
  last_insert_rowid(), changes(), total_changes()`;

const TABLES = `create table t (id integer primary key, x unique); create table keyed (x primary key) without rowid;
  create table parents (id integer primary key); create table children (parent references parents)`;

async function stateOf(place: Place): Promise<unknown> {
  const { results } = await pipeline(place, [{ type: "get_autocommit" }, stmt(STATE), CLOSE]);
  return [results[0]?.response, results[1]?.response?.result.rows];
}

async function prepared() {
  const { database, token } = await sqlWorld();
  const orders = await database("orders");
  await pipeline(orders, [{ type: "sequence", sql: TABLES }, CLOSE]);
  const reader = { url: orders.url, token: await token("orders", { authorization: "read-only" }) };
  return { orders, reader };
}

test("a pragma that is only described, or refused for its arguments, leaves the foreign keys of others on", async () => {
  const { orders, reader } = await prepared();
  const off = "pragma foreign_keys = off";
  const requests = [describeSql(off), stmt(off, { args: EXTRA }), describeSql(`explain ${off}`), stmt(`${off} selec`)];
  for (const place of [orders, reader])
    for (const request of requests) {
      await pipeline(place, [request, CLOSE]);
      expect(await column(orders, "pragma foreign_keys")).toEqual(["1"]);
      await expect(execute(orders, "insert into children values (99)")).rejects.toThrow("FOREIGN KEY");
    }
});

test("a new stream does not show which rows another stream has inserted", async () => {
  const { orders } = await prepared();
  await execute(orders, "insert into t values (4712, 'a')");
  const counters = "select last_insert_rowid() || changes() || total_changes()";
  expect(await column(orders, counters)).toEqual(["000"]);
  expect(await execute(orders, "insert into keyed values (1)")).toMatchObject({ last_insert_rowid: "0" });
  const { results } = await pipeline(orders, [stmt("insert into t values (7, 'b')"), stmt(counters), CLOSE]);
  expect(results[1]?.response?.result.rows).toMatchObject([[{ value: "711" }]]);
});

test("a query that has failed runs again with other arguments, and fails again with its own error", async () => {
  const { orders } = await prepared();
  for (const [sql, bad, reason] of [
    ["select json(?)", "[1", "malformed JSON"],
    ["select vector(?)", "[1", "vector: must end with ']'"],
    ["insert into t (x) values (json(?)) returning x", "[1", "malformed JSON"],
  ] as const)
    for (const stream of [1, 2]) {
      const [good, refused] = [`[${stream}]`, [{ type: "text", value: bad }]];
      for (const _ of [1, 2]) await expect(execute(orders, sql, refused), sql).rejects.toThrow(reason);
      expect((await execute(orders, sql, [{ type: "text", value: good }])).rows, sql).toHaveLength(1);
    }
});

test("a statement whose table has been dropped since it was prepared is described by an error", async () => {
  const { orders } = await prepared();
  const insert = "insert into f values (1)";
  const sent = [stmt("create table f (x)"), stmt(insert), stmt("drop table f"), describeSql(insert), CLOSE];
  const { results } = await pipeline(orders, sent);
  expect(results[3]?.error?.message).toContain("no such table: f");
});

test("any requests on one stream, also failing ones, leave the next stream as new as the first", {
  tags: "more",
}, async () => {
  const { orders } = await prepared();
  const fresh = await stateOf(orders);
  const statements = fc.constantFrom(
    ...[
      "insert into t (x) values (random())",
      "insert into t (x) values (1), (1)",
      "insert into keyed values (random())",
    ],
    ...[
      "insert or rollback into t values (1, 1)",
      "insert into children values (7)",
      "update t set x = x",
      "delete from t",
    ],
    ...["pragma foreign_keys = off", "pragma defer_foreign_keys = on", "explain pragma foreign_keys = 0"],
    ...["create temp table hidden (x)", "insert into hidden values (1)", "create temp view seen as select 1", "vacuum"],
    ...[
      "begin",
      "begin immediate",
      "begin readonly",
      "begin transaction readonly",
      "savepoint a",
      "commit",
      "rollback",
    ],
    ...[
      "create table if not exists f (x)",
      "drop table if exists f",
      "select 1",
      "selec",
      "",
      "select last_insert_rowid()",
    ],
    ...[
      "create virtual table f using fts5(x)",
      "insert into f values (1)",
      "pragma foreign_keys = off; select 1",
      "pragma foreign_keys = off selec",
    ],
  );
  const requests = statements.chain((sql) =>
    fc.constantFrom<object>(
      stmt(sql),
      stmt(sql, { args: EXTRA }),
      describeSql(sql),
      { type: "sequence", sql },
      { type: "batch", batch: { steps: [{ stmt: { sql } }] } },
    ),
  );
  const leavesNothing = async (sent: object[]) => {
    await pipeline(orders, [...sent, CLOSE]);
    expect(await stateOf(orders)).toEqual(fresh);
  };
  await fc.assert(fc.asyncProperty(fc.array(requests, { maxLength: 8 }), leavesNothing), { numRuns: 300, ...seeded });
});

test("counts no changed rows for a statement that changes none, such as VACUUM or a virtual table", async () => {
  const { orders } = await prepared();
  await execute(orders, "insert into t values (10, 'a'), (11, 'b')");
  const none = { affected_row_count: 0, last_insert_rowid: null, rows_written: 0 };
  for (const sql of [
    "vacuum",
    "create virtual table boxes using rtree(id, x0, x1)",
    "create virtual table texts using fts5(x)",
    "create table copied as select * from t",
    "alter table copied add column y",
    "create index i on t (x)",
    "pragma user_version = 3",
    "drop table copied",
    "insert into t select 1, 2 where 0",
  ])
    expect(await execute(orders, sql), sql).toMatchObject(none);
  await execute(orders, "create trigger noted after update on t begin insert into boxes values (new.id, 1, 2); end");
  expect(await execute(orders, "update t set x = 'c' where id = 11")).toMatchObject({
    affected_row_count: 1,
    last_insert_rowid: null,
  });
  expect(await execute(orders, "insert into texts values ('a')")).toMatchObject({
    affected_row_count: 1,
    last_insert_rowid: "1",
  });
});
