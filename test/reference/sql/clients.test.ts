// @module-tag the-reference-api

import { createClient } from "@libsql/client";
import { type Client, type Config, createClient as createHttpClient } from "@libsql/client/http";
import { createClient as createSocketClient } from "@libsql/client/ws";
import { connect, type Transaction } from "@tursodatabase/serverless";
import { expect, onTestFinished, test } from "vitest";
import { refuse } from "../../../platform/reference/messages";
import { IN_READ_ONLY } from "../../../platform/reference/sql/engine/messages";
import { NOT_WRITING } from "../../../platform/reference/sql/messages";
import { execute, sqlWorld } from "./sql";

type Connecting = (config: Config) => Client;

/** Returns the address of a database as clients of the public service write it. */
const libsqlAddress = (url: string): string => `${url.replace("http:", "libsql:")}?tls=0`;

const TRANSPORTS: readonly [transport: string, connecting: Connecting][] = [
  ["HTTP", createHttpClient],
  ["WebSockets", ({ url, ...config }) => createSocketClient({ url: libsqlAddress(url), ...config })],
];

test.each(TRANSPORTS)(
  "@libsql/client over %s connects, queries, and runs a batch and a transaction",
  async (_transport, connecting) => {
    const { database } = await sqlWorld();
    const { url, token: authToken } = await database("orders");
    const client = connecting({ url, authToken });
    await client.batch([
      "create table items (id integer primary key, name text)",
      "insert into items (name) values ('a')",
    ]);
    const transaction = await client.transaction("write");
    await transaction.execute({ sql: "insert into items (name) values (?)", args: ["b"] });
    expect((await client.execute("select count(*) as n from items")).rows[0]?.n).toBe(1);
    await transaction.commit();
    const undone = await client.transaction("write");
    await undone.execute("delete from items");
    await undone.rollback();
    const { rows, columns } = await client.execute("select name from items order by id");
    expect([columns, rows.map(({ name }) => name)]).toEqual([["name"], ["a", "b"]]);
    const inserted = await client.execute("insert into items (name) values ('c')");
    expect([inserted.rowsAffected, inserted.lastInsertRowid]).toEqual([1, 3n]);
    await expect(client.execute("insert into items (id) values (1)")).rejects.toMatchObject({
      code: "SQLITE_CONSTRAINT",
    });
    client.close();
  },
);

test("@tursodatabase/serverless connects, queries, and runs a transaction", async () => {
  const { database } = await sqlWorld();
  const { url, token: authToken } = await database("orders");
  const client = connect({ url, authToken });
  await client.exec("create table items (id integer primary key, name text); insert into items (name) values ('a')");
  const add = await client.prepare("insert into items (name) values (?)");
  const addAll = client.transaction(async (names: string[]) => {
    for (const name of names) await add.run([name]);
  });
  await addAll(["b", "c"]);
  const rows = await (await client.prepare("select name from items order by id")).all();
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(["a", "b", "c"]);
  await expect(client.exec("select * from nowhere")).rejects.toThrow("no such table");
});

async function connected(connecting: Connecting, settings: Partial<Config> = {}) {
  const { database } = await sqlWorld();
  const { url, token: authToken } = await database("orders");
  const client = connecting({ url, authToken, ...settings });
  onTestFinished(() => client.close());
  return client;
}

test.each(TRANSPORTS)(
  "@libsql/client over %s runs each batch in one transaction, whatever the transaction mode",
  async (_transport, connecting) => {
    const client = await connected(connecting);
    const insert = (id: number) => ({ sql: "insert into t values (:id)", args: { id } });
    await client.batch(["create table t (id integer primary key)", insert(1)], "deferred");
    await expect(client.batch([insert(2), insert(1), insert(3)], "write")).rejects.toMatchObject({
      name: "LibsqlBatchError",
      code: "SQLITE_CONSTRAINT",
      statementIndex: 1,
    });
    const results = await client.batch(["select id from t", "select count(*) from t"], "read");
    expect(results.map(({ rows }) => rows.map((row) => row[0]))).toEqual([[1], [1]]);
  },
);

test.each(TRANSPORTS)(
  "@libsql/client over %s cannot write in a read transaction or a read batch",
  async (_transport, connecting) => {
    const client = await connected(connecting);
    await client.executeMultiple("create table t (id integer primary key); insert into t values (1)");
    const refused = { code: "BLOCKED", message: expect.stringContaining(IN_READ_ONLY) };
    await expect(client.batch(["insert into t values (2)"], "read")).rejects.toMatchObject(refused);
    const reading = await client.transaction("read");
    expect((await reading.execute("select id from t")).rows).toHaveLength(1);
    for (const sql of [
      "insert into t values (2)",
      "drop table t",
      "create temp table u (x)",
      "pragma user_version = 1",
    ])
      await expect(reading.execute(sql), sql).rejects.toMatchObject(refused);
    await reading.commit();
    await client.execute("insert into t values (3)");
    expect((await client.execute("select id from t")).rows.map(({ id }) => id)).toEqual([1, 3]);
  },
);

test.each(TRANSPORTS)(
  "@libsql/client over %s reads with a read-only token in transactions of every mode, and a refused write ends them",
  async (_transport, connecting) => {
    const { database, token } = await sqlWorld();
    const orders = await database("orders");
    await execute(orders, "create table t as select 1 as x");
    const authToken = await token("orders", { authorization: "read-only" });
    const client = connecting({ url: orders.url, authToken });
    onTestFinished(() => client.close());
    const refused = { code: "BLOCKED", message: expect.stringContaining(NOT_WRITING) };
    for (const mode of ["write", "deferred", "read"] as const) {
      const [read] = await client.batch(["select x from t", "select 2"], mode);
      expect(read?.rows).toMatchObject([{ x: 1 }]);
      await expect(client.batch(["select x from t", "insert into t values (2)"], mode)).rejects.toMatchObject(refused);
      const reading = await client.transaction(mode);
      expect((await reading.execute("select x from t")).rows).toHaveLength(1);
      await reading.commit();
      const writing = await client.transaction(mode);
      await writing.execute("select x from t");
      await expect(writing.execute("insert into t values (2)")).rejects.toMatchObject(refused);
      await expect(writing.execute("select x from t")).rejects.toMatchObject({
        code: expect.stringMatching(/^(TRANSACTION_CLOSED|STREAM_EXPIRED)$/),
      });
    }
    expect((await client.execute("select count(*) as n from t")).rows).toMatchObject([{ n: 1 }]);
  },
);

test.each(TRANSPORTS)(
  "@libsql/client over %s disables foreign keys for a migration, and enables them again afterwards",
  async (_transport, connecting) => {
    const client = await connected(connecting);
    await client.executeMultiple(`
    create table parents (id integer primary key);
    create table children (parent references parents);
    insert into parents values (1); insert into children values (1);
  `);
    await client.migrate(["drop table parents", "create table parents (id integer primary key, name text)"]);
    expect((await client.execute("select count(*) as n from children")).rows[0]?.n).toBe(1);
    await expect(client.execute("insert into children values (7)")).rejects.toThrow("FOREIGN KEY");
    await expect(client.executeMultiple("insert into parents values (2, 'b'); selec")).rejects.toMatchObject({
      code: "SQL_PARSE_ERROR",
    });
    expect((await client.execute("select id from parents")).rows).toHaveLength(1);
  },
);

test.each(TRANSPORTS)(
  "@libsql/client over %s returns integers as the JavaScript type of its choice",
  async (_transport, connecting) => {
    for (const [intMode, one, refusal] of [
      ["number", 1, RangeError],
      ["bigint", 1n, undefined],
      ["string", "1", undefined],
    ] as const) {
      const client = await connected(connecting, { intMode });
      expect((await client.execute("select 1")).rows[0]?.[0]).toBe(one);
      const largest = client.execute({ sql: "select ?", args: [2n ** 63n - 1n] });
      if (refusal) await expect(largest).rejects.toThrow(refusal);
      else expect(String((await largest).rows[0]?.[0])).toBe("9223372036854775807");
    }
  },
);

test.each(TRANSPORTS)(
  "@libsql/client over %s sends and receives blobs, floats, strings and null",
  async (_transport, connecting) => {
    const client = await connected(connecting);
    const blob = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const args = [blob, new Uint8Array(), 0.1, "zo\u00eb \u{1f600}", null, true];
    const { rows } = await client.execute({ sql: "select ?, ?, ?, ?, ?, ?", args });
    expect(Array.from(rows[0] ?? { length: 0 })).toEqual([blob.buffer, new ArrayBuffer(0), 0.1, args[3], null, 1]);
  },
);

test.each(TRANSPORTS)(
  "@libsql/client over %s can start many transactions at once; the server runs them one after another",
  async (_transport, connecting) => {
    const client = await connected(connecting);
    await client.executeMultiple("create table t (n); insert into t values (0)");
    const adding = Array.from({ length: 12 }, async () => {
      const transaction = await client.transaction("write");
      const { rows } = await transaction.execute("select n from t");
      await transaction.execute({ sql: "update t set n = ?", args: [Number(rows[0]?.n) + 1] });
      await transaction.commit();
    });
    await Promise.all(adding);
    expect((await client.execute("select n from t")).rows[0]?.n).toBe(12);
  },
);

test.each(TRANSPORTS)(
  "@libsql/client over %s cannot write in a transaction whose snapshot is out of date",
  async (_transport, connecting) => {
    const client = await connected(connecting);
    await client.executeMultiple("create table t (n); insert into t values (0)");
    const reading = await client.transaction("deferred");
    await reading.execute("select n from t");
    await client.execute("update t set n = 1");
    await expect(reading.execute("update t set n = 2")).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    reading.close();
    await expect(reading.commit()).rejects.toMatchObject({ code: "TRANSACTION_CLOSED" });
    expect((await client.execute("select n from t")).rows[0]?.n).toBe(1);
  },
);

test("@tursodatabase/serverless streams many rows, runs batches, and reports the violated constraint", async () => {
  const { database } = await sqlWorld();
  const { url, token: authToken } = await database("orders");
  const client = connect({ url, authToken });
  await client.batch(
    ["create table t (id integer primary key)", "insert into t values (9007199254740993)"],
    "immediate",
  );
  await client.run(
    "with recursive n(x) as (select 1 union all select x + 1 from n limit 5000) insert into t select x from n",
  );
  let sum = 0;
  for await (const { id } of client.iterate("select id from t where id < ?", 6000)) sum += id;
  expect(sum).toBe((5000 * 5001) / 2);
  const large = (await client.prepare("select max(id) from t")).safeIntegers().pluck();
  expect(await large.get()).toBe(9007199254740993n);
  await expect(client.run("insert into t values (?)", 1)).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT" });
  expect(client.inTransaction).toBe(false);
  const undone = client.transactionAsync(async (transaction: Transaction) => {
    await transaction.run("delete from t");
    throw new Error("undo");
  });
  await expect(undone()).rejects.toThrow("undo");
  expect(await (await client.prepare("select count(*) from t")).pluck().get()).toBe(5001);
  await client.close();
});

test("@libsql/client for Node.js uses WebSockets for ws: alone, and HTTP for libsql:", async () => {
  const { database } = await sqlWorld();
  const { url, token: authToken } = await database("orders");
  for (const [address, protocol] of [
    [url, "http"],
    [libsqlAddress(url), "http"],
    [url.replace("http:", "ws:"), "ws"],
    [`${url.replace("http:", "ws:")}?authToken=${authToken}`, "ws"],
  ] as const) {
    const client = createClient({ url: address, authToken });
    onTestFinished(() => client.close());
    expect([client.protocol, (await client.execute("select 7 as x")).rows[0]?.x]).toEqual([protocol, 7]);
  }
});

test("@libsql/client over WebSockets connects again after the connection was lost", async () => {
  const { api, database } = await sqlWorld();
  const { url, token: authToken } = await database("orders");
  const client = createSocketClient({ url: libsqlAddress(url), authToken });
  onTestFinished(() => client.close());
  await client.execute("create table t (x)");
  const transaction = await client.transaction("write");
  await transaction.execute("insert into t values (1)");
  api.fault({ operation: "sql", reset: "before" });
  await expect(transaction.execute("insert into t values (2)")).rejects.toMatchObject({
    code: "HRANA_WEBSOCKET_ERROR",
  });
  expect((await client.execute("select count(*) as n from t")).rows[0]?.n).toBe(0);
});

test("@libsql/client over WebSockets reports why its token is rejected", async () => {
  const { database } = await sqlWorld();
  const { url } = await database("orders");
  const client = createSocketClient({ url: libsqlAddress(url), authToken: "a.b.c" });
  onTestFinished(() => client.close());
  await expect(client.execute("select 1")).rejects.toThrow(refuse.sqlTokenUnknown().message);
});

test.each([
  ["@libsql/client", createClient],
  ["@libsql/client/http", createHttpClient],
])("%s shows that the last slash of an address is missing", async (_name, connecting) => {
  const { api, database } = await sqlWorld();
  const { url, token: authToken } = await database("orders");
  const client = connecting({ url: url.slice(0, -1), authToken });
  onTestFinished(() => client.close());
  const { message } = refuse.notADatabaseAddress();
  await expect(client.execute("select 1")).rejects.toThrow(message);
  await expect(client.batch(["select 1"])).rejects.toThrow(message);
  for (const path of ["/sql", "/sql/", `${new URL(url).pathname.slice(0, -1)}v2/pipeline`, "/sql/v3/cursor"]) {
    const answer = await fetch(api.url + path, { method: "POST", headers: { Origin: "https://studio.example" } });
    expect([answer.status, await answer.json()], path).toEqual([404, { error: message, message }]);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  }
});

test("replicas are told that there are none, and what to use instead", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const { message } = refuse.noReplicas();
  for (const [method, path] of [
    ["GET", "sync/1/1/2"],
    ["POST", "sync/1/1/2"],
    ["GET", "export/7"],
    ["POST", "pull-updates"],
    ["POST", "wal_log.ReplicationLog/Hello"],
    ["POST", "/proxy.Proxy/Describe"],
  ] as const) {
    const answer = await fetch(orders.url + path, { method });
    expect([answer.status, await answer.json()], path).toEqual([404, { error: message, message }]);
  }
  const headers = { "Content-Type": "application/grpc-web" };
  const grpc = await fetch(`${orders.url}wal_log.ReplicationLog/Hello`, { method: "POST", headers });
  expect([grpc.status, grpc.headers.get("grpc-status")]).toEqual([200, "12"]);
  expect(decodeURIComponent(grpc.headers.get("grpc-message") ?? "")).toBe(message);
});
