import { expect, test } from "vitest";
import { refuse } from "../../../platform/reference/messages";
import { NOT_INTERACTIVE } from "../../../platform/reference/sql/engine/messages";
import { NOT_WRITING, TOKEN_MISSING } from "../../../platform/reference/sql/messages";
import { column, execute, type Place, sendStatements as send, sqlWorld } from "./sql";

const run = async (place: Place, ...statements: readonly unknown[]) =>
  JSON.parse((await send(place, { statements }))[1]);

const results = (columns: readonly string[], rows: readonly unknown[][]) => ({ results: { columns, rows } });

test("runs no statement of a request that cannot be parsed, or whose transaction stays open", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const insert = "insert into t values (1)";
  for (const [statements, refused] of [
    [[insert, "selec"], { code: "SQL_PARSE_ERROR" }],
    [[insert, "select 1; select 2"], { code: "SQL_MANY_STATEMENTS" }],
    [["begin", insert], { message: NOT_INTERACTIVE }],
  ] as const) {
    const [status, text] = await send(orders, { statements });
    expect([status, JSON.parse(text)]).toMatchObject([400, refused]);
  }
  expect(await column(orders, "select count(*) from t")).toEqual(["0"]);
  // The transaction is rolled back after an error, too.
  const [begun, , failed, last] = await run(orders, "begin", insert, "select * from nowhere", "commit");
  expect([begun, failed, last]).toMatchObject([results([], []), { error: "no such table: nowhere" }, null]);
  expect(await column(orders, "select count(*) from t")).toEqual(["0"]);
  const disabled = await run(orders, "pragma foreign_keys", "pragma foreign_keys = off", "pragma foreign_keys");
  expect(disabled).toMatchObject([results(["foreign_keys"], [[1]]), {}, results(["foreign_keys"], [[0]])]);
});

test("checks tokens, rights and bodies of statements as at the other addresses, with and without the last slash", async () => {
  const { database, token } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const reader = { ...orders, token: await token("orders", { authorization: "read-only" }) };
  const query = { statements: ["select 1"] };
  const one = [results(["1"], [[1]])];
  expect(JSON.parse((await send({ ...orders, url: orders.url.slice(0, -1) }, query))[1])).toMatchObject(one);
  expect(await run(reader, "select 1")).toMatchObject(one);
  expect(await run(reader, "select 1", "insert into t values (1)")).toMatchObject([
    one[0],
    { error: expect.stringContaining(NOT_WRITING) },
  ]);
  expect((await send(reader, { statements: ["begin immediate", "insert into t values (1)", "commit"] }))[0]).toBe(403);
  const unauthorized = await fetch(orders.url, { method: "POST", body: JSON.stringify(query) });
  expect([unauthorized.status, await unauthorized.json()]).toMatchObject([401, { error: TOKEN_MISSING }]);
  for (const body of [
    "",
    "{",
    "{}",
    "[]",
    { statements: "select 1" },
    { statements: [1] },
    { statements: [{ sql: "select 1" }] },
    { statements: [{ q: "select ?", params: [[1]] }] },
    { statements: [{ q: "select ?", params: [{ base64: "A" }] }] },
    { statements: [{ q: "select ?", params: 1 }] },
    '{"statements":[{"q":"select ?","params":[1e999]}]}',
  ])
    expect((await send(orders, body))[0], JSON.stringify(body)).toBe(400);
  const [status, text] = await send(orders, `{"statements":${"[".repeat(200_000)}${"]".repeat(200_000)}}`);
  expect([status, JSON.parse(text)]).toMatchObject([400, { message: refuse.bodyTooDeep({ depth: 32 }).message }]);
  const large = '{"statements":[{"q":"select ?","params":[9223372036854775808]}]}';
  expect(JSON.parse((await send(orders, large))[1])).toMatchObject([
    { error: expect.stringContaining("9223372036854775808") },
  ]);
});
