import { request } from "node:http";
import { expect, test } from "vitest";
import { name, version } from "../../../platform/package.json";
import { choice, fieldMissing, fieldWrong } from "../../../platform/reference/requests/messages";
import { sqlNotFound } from "../../../platform/reference/sql/messages";
import { CLOSE, column, execute, type Place, pipeline, post, sqlWorld, stmt } from "./sql";

interface Steps {
  readonly step_results: unknown[];
  readonly step_errors: ({ code: string } | null)[];
}

test("returns values with exactly the type and content that were sent", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const values = [
    { type: "null" },
    { type: "integer", value: "-9223372036854775808" },
    { type: "integer", value: "9223372036854775807" },
    { type: "float", value: 0.1 },
    { type: "float", value: 1e300 },
    { type: "text", value: "zoë \u{1f600} \u0000 end" },
    { type: "blob", base64: "AP/+" },
    { type: "blob", base64: "" },
    { type: "blob", base64: "AQ" },
  ];
  const { rows } = await execute(orders, `select ${values.map(() => "?").join()}`, values);
  expect(rows).toEqual([values]);
  const types = await execute(orders, "select typeof(?), typeof(?)", [
    { type: "float", value: 1 },
    { type: "integer", value: "1" },
  ]);
  expect(types.rows[0]?.map(({ value }) => value)).toEqual(["real", "integer"]);
  const text = await (
    await post(orders, "v3/pipeline", { requests: [stmt("select 9e999, -9e999, -0.0"), CLOSE] })
  ).text();
  expect(text.match(/"value":[^}]+/g)).toEqual(['"value":null', '"value":null', '"value":-0.0']);
});

test("binds parameters by position, number and name, and rejects missing or extra values", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const text = (value: string) => ({ type: "text", value });
  const args = [text("a"), text("b")];
  const named = (name: string, value: string) => ({ name, value: text(value) });
  const bind = async (sql: string, given: object) => {
    const [result] = (await pipeline(orders, [stmt(sql, given), CLOSE])).results;
    return result?.error?.code ?? result?.response?.result.rows[0]?.map(({ value }) => value);
  };
  expect(await bind("select ?, '?', ?", { args })).toEqual(["a", "?", "b"]);
  expect(await bind("select ?2, ?1", { args })).toEqual(["b", "a"]);
  expect(await bind("select ?3, ?1", { args: [...args, text("c")] })).toEqual(["c", "a"]);
  expect(await bind("select :x, ?1, :y", { named_args: [named("y", "2"), named("x", "1")] })).toEqual(["1", "1", "2"]);
  expect(
    await bind("select :x, @y, $z, :x", { named_args: [named("x", "1"), named("@y", "2"), named("z", "3")] }),
  ).toEqual(["1", "2", "3", "1"]);
  for (const name of ["a", ":a", "@a", "$a"])
    expect(await bind("select :a, @a", { named_args: [named(name, "1")] }), name).toEqual(["1", "1"]);
  expect(await bind("select :a, @a", { named_args: [named("a", "1"), named("@a", "2")] })).toEqual(["1", "2"]);
  expect(await bind("select :x, :y -- :no", { args })).toEqual(["a", "b"]);
  expect(await bind("select ?", {})).toBe("ARGS_INVALID");
  expect(await bind("select ?", { args })).toBe("ARGS_INVALID");
  expect(await bind("select ?", { named_args: [named("x", "1")] })).toBe("ARGS_INVALID");
  expect(await bind("select :x, :y", { args: [text("1")], named_args: [named("y", "2")] })).toBe("ARGS_INVALID");
  expect(await bind("select ?", { args: [{ type: "integer", value: "9223372036854775808" }] })).toBe("ARGS_INVALID");
});

test("a result includes columns, declared types, row counts and the last row id", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table items (id integer primary key, name text)");
  expect(await execute(orders, "insert into items (name) values ('a'), ('b')")).toMatchObject({
    affected_row_count: 2,
    last_insert_rowid: "2",
  });
  expect(await execute(orders, "select id, name, 1 as one from items")).toMatchObject({
    cols: [
      { name: "id", decltype: "INTEGER" },
      { name: "name", decltype: "TEXT" },
      { name: "one", decltype: null },
    ],
    affected_row_count: 0,
    last_insert_rowid: null,
  });
  const [silent] = (await pipeline(orders, [stmt("select * from items", { want_rows: false }), CLOSE])).results;
  expect(silent?.response?.result.rows).toEqual([]);
  expect((await execute(orders, "update items set name = 'c' returning id")).rows).toHaveLength(2);
});

test("a failed statement returns the public service's error code, and the next statement runs", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x unique)");
  const failing = {
    "selec 1": "SQL_PARSE_ERROR",
    "select * from nowhere": "SQLITE_UNKNOWN",
    "select nope from t": "SQL_INPUT_ERROR",
    "": "SQL_NO_STATEMENT",
    "-- nothing": "SQL_NO_STATEMENT",
    "select 1; select 2": "SQL_MANY_STATEMENTS",
    "\0": "SQL_PARSE_ERROR",
    "insert into t values (1), (1)": "SQLITE_CONSTRAINT",
    "select abs(-9223372036854775808)": "SQLITE_UNKNOWN",
  };
  for (const [sql, code] of Object.entries(failing)) {
    const { results } = await pipeline(orders, [stmt(sql), stmt("select 1;  -- one"), CLOSE]);
    expect(results.map(({ type, error }) => error?.code ?? type)).toEqual([code, "ok", "ok"]);
  }
  const [twice] = (await pipeline(orders, [stmt("insert into t values (1), (1)"), CLOSE])).results;
  expect(twice?.error).toMatchObject({ extended_code: "SQLITE_CONSTRAINT_UNIQUE" });
});

test("a batch runs each step only if its condition holds", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const step = (sql: string, condition?: object) => ({ stmt: { sql }, condition });
  const ok = (at: number) => ({ type: "ok", step: at });
  const batch = {
    steps: [
      step("begin"),
      step("create table t (x)", ok(0)),
      step("insert into nowhere values (1)", ok(1)),
      step("commit", ok(2)),
      step("rollback", { type: "not", cond: { type: "is_autocommit" } }),
      step("select 7", {
        type: "and",
        conds: [
          { type: "error", step: 2 },
          { type: "or", conds: [ok(3), ok(4)] },
        ],
      }),
    ],
  };
  const { results } = await pipeline(orders, [{ type: "batch", batch }, CLOSE]);
  const steps = results[0]?.response?.result as unknown as Steps | undefined;
  expect(steps?.step_results.map((each) => each !== null)).toEqual([true, true, false, false, true, true]);
  expect(steps?.step_errors.map((each) => each?.code)).toEqual([
    undefined,
    undefined,
    "SQLITE_UNKNOWN",
    undefined,
    undefined,
    undefined,
  ]);
  const skipped = {
    steps: [
      step("select 1", { type: "not", cond: { type: "is_autocommit" } }),
      step("select 2", { type: "error", step: 0 }),
    ],
  };
  const [both] = (await pipeline(orders, [{ type: "batch", batch: skipped }, CLOSE])).results;
  const ran = both?.response?.result as unknown as Steps | undefined;
  expect(ran?.step_results.map((each) => each !== null)).toEqual([false, true]);
  const forward = { steps: [step("select 1", ok(0))] };
  expect((await post(orders, "v3/pipeline", { requests: [{ type: "batch", batch: forward }] })).status).toBe(400);
});

test("runs sequences and stored SQL, describes statements, and returns the autocommit state", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const { results } = await pipeline(orders, [
    { type: "store_sql", sql_id: 7, sql: "replaced" },
    { type: "store_sql", sql_id: 7, sql: "select x from t where x > :least" },
    { type: "sequence", sql: "create table t (x int); create trigger tr after insert on t begin select 1; end; begin" },
    { type: "describe", sql_id: 7 },
    { type: "get_autocommit" },
    { type: "close_sql", sql_id: 7 },
    CLOSE,
  ]);
  expect(results.map(({ type }) => type)).toEqual(Array(7).fill("ok"));
  expect(results[3]?.response?.result).toEqual({
    params: [{ name: ":least" }],
    cols: [{ name: "x", decltype: "INT" }],
    is_explain: false,
    is_readonly: true,
  });
  expect(results[4]?.response).toEqual({ type: "get_autocommit", is_autocommit: false });
  expect((await post(orders, "v3/pipeline", { requests: [{ type: "describe", sql_id: 7 }] })).status).toBe(400);
});

test("describes a statement as read-only exactly if SQLite does", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const described = async (statements: readonly string[]) => {
    const { results } = await pipeline(orders, [...statements.map((sql) => ({ type: "describe", sql })), CLOSE]);
    return results.slice(0, -1).map(({ response }) => response?.result);
  };
  const writing = [
    ...["insert into t values (?)", "update t set x = 1 where 0", "begin immediate", "begin/**/exclusive", "vacuum"],
    ...["drop table if exists nope", "drop index if exists nope", "create table if not exists t (x)", "analyze"],
    ...[
      "pragma journal_mode",
      "pragma user_version = 1",
      "create temp table u (x)",
      "explain insert into t values (1)",
    ],
    "explain query plan delete from t",
  ];
  expect(await described(writing)).toMatchObject(writing.map(() => ({ is_readonly: false })));
  const reading = [
    ...["select * from t where x = :x", "begin", "begin readonly", "commit", "savepoint a", "explain select 1"],
    ...[
      "pragma user_version",
      "pragma foreign_keys = on",
      "with recursive c(x) as (select 1 union select x from c) select x from c",
    ],
  ];
  expect(await described(reading)).toMatchObject(reading.map(() => ({ is_readonly: true })));
});

test("a cursor request returns lines of JSON, even if the request path begins with two slashes", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const steps = [{ stmt: { sql: "select 1 as x union select 2" } }, { stmt: { sql: "selec" } }];
  const answer = await post(orders, "/v3/cursor", { baton: null, batch: { steps } });
  const lines = (await answer.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ type }) => type)).toEqual([
    undefined,
    "step_begin",
    "row",
    "row",
    "step_end",
    "step_error",
    "replication_index",
  ]);
  expect(lines[0].baton).toEqual(expect.any(String));
});

test("runs a statement or a batch by version 1 of the protocol, each on a stream of its own", async () => {
  const { database, token } = await sqlWorld();
  const orders = await database("orders");
  const send = async (path: string, body: object, place: Place = orders) => {
    const answer = await post(place, path, body);
    return [answer.status, JSON.parse(await answer.text())];
  };
  const run = (sql: string, rest: object = {}, place: Place = orders) =>
    send("v1/execute", { stmt: { sql, want_rows: true, ...rest } }, place);
  await run("create table t (id integer primary key, x unique)");
  const args = [{ type: "text", value: "}},{" }];
  expect(await run("insert into t (x) values (?)", { args, named_args: [] })).toMatchObject([
    200,
    { result: { affected_row_count: 1, last_insert_rowid: "1" } },
  ]);
  expect(await run("select x from t")).toMatchObject([200, { result: { cols: [{ name: "x" }], rows: [args] } }]);
  expect(await (await post(orders, "v1/execute", { stmt: { sql: "select -0.0" } })).text()).toContain('"value":-0.0');
  expect(await run("select last_insert_rowid()")).toMatchObject([200, { result: { rows: [[{ value: "0" }]] } }]);
  const steps = [
    { stmt: { sql: "begin", want_rows: false } },
    { stmt: { sql: "insert into t (x) values ('b')" }, condition: { type: "ok", step: 0 } },
    { stmt: { sql: "insert into t (x) values ('b')" }, condition: { type: "ok", step: 1 } },
    { stmt: { sql: "commit" }, condition: { type: "ok", step: 2 } },
  ];
  const [status, { result }] = await send("v1/batch", { batch: { steps } });
  expect(status).toBe(200);
  expect(result.step_errors.map((error: { code: string } | null) => error?.code)).toEqual([
    undefined,
    undefined,
    "SQLITE_CONSTRAINT",
    undefined,
  ]);
  expect(await column(orders, "select count(*) from t")).toEqual(["1"]);
  const reader = { url: orders.url, token: await token("orders", { authorization: "read-only" }) };
  expect(await run("insert into t values (9, 9)", {}, reader)).toMatchObject([400, { code: "BLOCKED" }]);
  expect(await run("selec")).toMatchObject([
    400,
    { code: "SQL_PARSE_ERROR", message: expect.stringContaining("selec") },
  ]);
  expect(await run("insert into t (x) values (?)", { args })).toMatchObject([400, { code: "SQLITE_CONSTRAINT" }]);
  expect(await send("v1/execute", { stmt: { sql_id: 7 } })).toMatchObject([
    400,
    { message: sqlNotFound({ sqlId: 7 }) },
  ]);
  expect((await send("v1/execute", {}))[0]).toBe(400);
  expect((await run("select 1", {}, { ...orders, token: "a.b.c" }))[0]).toBe(401);
});

test("answers health and version checks without a token, and returns 404 for unknown paths", async () => {
  const { database } = await sqlWorld();
  const { url } = await database("orders");
  const status = async (path: string) => (await fetch(url + path)).status;
  expect(await Promise.all(["v2", "v3", "v2/", "health", "version"].map(status))).toEqual([200, 200, 200, 200, 200]);
  expect(await (await fetch(`${url}version`)).text()).toBe(`${name} ${version}`);
  expect(await Promise.all(["v3-protobuf", "v4", "", "v2/pipeline"].map(status))).toEqual([404, 404, 404, 404]);
});

test("rejects malformed and oversized requests", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  expect((await post(orders, "v2/pipeline", { requests: [CLOSE, stmt("select 1")] })).status).toBe(400);
  for (const body of ["{", "[]", '{"requests":[{"type":"drop"}]}', '{"requests":[{"type":"execute","stmt":{}}]}'])
    expect((await post(orders, "v2/pipeline", body)).status, body).toBe(400);
  const large = JSON.stringify({ requests: [stmt(`select '${"x".repeat(33 * 1024 * 1024)}'`)] });
  expect((await post(orders, "v2/pipeline", large)).status).toBe(413);
});

test("names an unknown kind of request, value or condition, and the kinds that exist", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const refusal = async (request: object) =>
    (await (await post(orders, "v3/pipeline", { requests: [request] })).json()).error;
  const kinds = choice({
    choices: ["close", "execute", "batch", "sequence", "describe", "store_sql", "close_sql", "get_autocommit"].map(
      (kind) => `"${kind}"`,
    ),
  });
  expect(await refusal({ type: "nope" })).toBe(`requests[0].type ${fieldWrong({ accepted: kinds, given: '"nope"' })}`);
  expect(await refusal({})).toBe(`requests[0].type ${fieldMissing({ accepted: kinds })}`);
  const value = await refusal(stmt("select ?", { args: [{ value: 1 }] }));
  expect(value).toContain('requests[0].stmt.args[0].type is required and must be "null", "integer"');
  const batch = { steps: [{ stmt: { sql: "select 1" }, condition: { type: "maybe" } }] };
  expect(await refusal({ type: "batch", batch })).toContain('condition.type must be "ok", "error"');
});

test("rejects a blob that is not base64, instead of storing other bytes", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  for (const base64 of ["A", "AQ-_", "AQ ID"]) {
    const body = { requests: [stmt("select ?", { args: [{ type: "blob", base64 }] })] };
    expect((await post(orders, "v3/pipeline", body)).status, base64).toBe(400);
  }
});

test("runs statements with a literal of 12 million characters and with 4 million comments", {
  tags: "more",
}, async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const long = "it''s :x ".repeat(1_300_000);
  expect(await column(orders, `select length('${long}')`)).toEqual(["10400000"]);
  expect(await column(orders, `${"-- ?\n".repeat(4_000_000)}select 1`)).toEqual(["1"]);
});

test("reads a comment of any length up to its end", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  for (const length of [16_384, 32_768]) {
    // The engine passes a script to SQLite in parts of this length. The first part ends in the comment.
    const start = "create table if not exists t (x) -- ";
    const sql = `${start}${" ".repeat(length - start.length - 1)};insert into t values (1)\n; select 1`;
    await pipeline(orders, [{ type: "sequence", sql }, CLOSE]);
    expect(await column(orders, "select x from t"), `${length}`).toEqual([]);
  }
});

test("finds a database by the hostname in the `Host` header", async () => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const answered = new Promise<number>((resolve) => {
    const headers = { Host: orders.host, Authorization: `Bearer ${orders.token}` };
    const sent = request(`${api.url}/v2/pipeline`, { method: "POST", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.end(JSON.stringify({ requests: [stmt("select * from t"), CLOSE] }));
  });
  expect(await answered).toBe(200);
});
