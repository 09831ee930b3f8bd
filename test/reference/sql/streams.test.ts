import { expect, test, vi } from "vitest";
import * as messages from "../../../platform/reference/sql/messages";
import { CLOSE, column, execute, pipeline, post, sqlWorld, stmt } from "./sql";

test("a baton continues its stream only once, and only in the stream's own database", async () => {
  const { database } = await sqlWorld();
  const [orders, other] = [await database("orders"), await database("other")];
  const first = await pipeline(orders, [stmt("create temp table t as select 1 as x")]);
  const second = await pipeline(orders, [stmt("select x from t")], first.baton);
  expect(second.results[0]?.type).toBe("ok");
  const refused = async (place: typeof orders, baton: unknown) => {
    const answer = await post(place, "v2/pipeline", { baton, requests: [] });
    return [answer.status, (await answer.json()).message];
  };
  expect(await refused(orders, first.baton)).toEqual([400, messages.BATON_REUSED]);
  expect(await refused(orders, "nonsense")).toEqual([400, messages.BATON_INVALID]);
  expect(await refused(other, second.baton)).toEqual([400, messages.BATON_INVALID]);
  const last = await pipeline(orders, [CLOSE], second.baton);
  expect(last.baton).toBeNull();
});

test("rolls back a transaction on an idle stream, so that other streams can write", { tags: ["more"] }, async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const open = await pipeline(orders, [stmt("begin immediate"), stmt("insert into t values (1)")]);
  await expect(execute(orders, "insert into t values (2)")).rejects.toThrow("SQLITE_BUSY");
  await vi.waitFor(() => execute(orders, "insert into t values (3)"), { timeout: 60_000 });
  expect(await column(orders, "select x from t")).toEqual(["3"]);
  const late = await post(orders, "v3/pipeline", { baton: open.baton, requests: [] });
  expect([late.status, await late.json()]).toMatchObject([
    400,
    { message: messages.STREAM_EXPIRED, code: "STREAM_EXPIRED" },
  ]);
});

test("a write waits until another stream commits its transaction", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const open = await pipeline(orders, [stmt("begin immediate"), stmt("insert into t values (1)")]);
  const waiting = execute(orders, "insert into t values (2)");
  await pipeline(orders, [stmt("commit"), CLOSE], open.baton);
  await waiting;
  expect(await column(orders, "select x from t order by x")).toEqual(["1", "2"]);
});

test("a transaction whose first write waits for another writer sees the other writer's changes", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const first = await pipeline(orders, [stmt("begin immediate"), stmt("insert into t values (1)")]);
  const second = await pipeline(orders, [stmt("begin")]);
  const waiting = pipeline(orders, [stmt("insert into t select count(*) from t"), stmt("commit"), CLOSE], second.baton);
  await pipeline(orders, [stmt("commit"), CLOSE], first.baton);
  expect((await waiting).results.map(({ type }) => type)).toEqual(["ok", "ok", "ok"]);
  expect(await column(orders, "select x from t")).toEqual(["1", "1"]);
});

test("a stream sees a column that another stream has added to a table", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const open = await pipeline(orders, [stmt("insert into t values (1)")]);
  await execute(orders, "alter table t add column y");
  const { results } = await pipeline(
    orders,
    [stmt("select * from t"), stmt("insert into t values (1, 2)")],
    open.baton,
  );
  expect(results.map(({ type }) => type)).toEqual(["ok", "ok"]);
  expect(results[0]?.response?.result.cols.map(({ name }) => name)).toEqual(["x", "y"]);
});

test("a transaction begun with READONLY refuses writes until it ends, however it is spelled and ends", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x unique)");
  const insert = "insert into t values (random())";
  const spelled = [
    ...[
      "begin readonly",
      "BEGIN TRANSACTION READONLY",
      "begin/**/transaction -- a\n readonly;",
      "begin readonly transaction",
    ],
  ];
  for (const begin of spelled) {
    // The insert is known from before, so that it does not have to be prepared again.
    const statements = [insert, begin, insert, "savepoint a", insert, "release a", "rollback", "savepoint b", insert];
    const { results } = await pipeline(orders, [...statements.map((sql) => stmt(sql)), CLOSE]);
    const refused = [2, 4];
    expect(
      results.map(({ type, error }) => error?.code ?? type),
      begin,
    ).toEqual([...statements, CLOSE].map((_, index) => (refused.includes(index) ? "BLOCKED" : "ok")));
  }
  for (const sql of ["begin; readonly", "begin transaction readonly x", 'begin readonly "x"'])
    expect((await pipeline(orders, [{ type: "sequence", sql }, CLOSE])).results[0]?.type, sql).toBe("error");
  const script = `begin readonly; select 1; commit; begin transaction "readonly"; ${insert}; commit`;
  expect((await pipeline(orders, [{ type: "sequence", sql: script }, CLOSE])).results[0]?.type).toBe("ok");
  expect(await column(orders, "select count(*) from t")).toEqual([String(spelled.length + 1)]);
});
