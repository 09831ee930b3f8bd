import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { STREAM_ENDED } from "../../../platform/reference/sql/engine/messages";
import { CLOSE, column, dataFile, execute, type Place, pipeline, rowsOf, sqlWorld, stmt } from "./sql";

const MIB = 1024 ** 2;

const requestsOf = (...statements: string[]) => statements.map((sql) => stmt(sql));

/** Starts a server with the database `shop`, and a second database that may attach it. */
async function shopWorld() {
  const data = dataFile();
  const { api, database, owner, slug, token } = await sqlWorld({ data });
  const [shop, other] = [await database("shop"), await database("other")];
  await execute(shop, "create table t (x)");
  await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "shop", body: { allow_attach: true } });
  const body = { permissions: { read_attach: { databases: ["shop"] } } };
  const log = join(rowsOf(data), "databases", shop.id, "data-wal");
  return { api, database, shop, other: { ...other, token: await token("other", {}, body) }, log };
}

/**
 * Writes 5 MB up to 30 times, and runs a query on another stream after each write. Returns the error code of the first
 * query that fails.
 */
async function writeWhileReading(shop: Place, reader: Place, baton: string | null): Promise<string | undefined> {
  let next = baton;
  for (let written = 0; written < 30; written += 1) {
    await execute(shop, "insert into t values (zeroblob(5000000))");
    const answer = await pipeline(reader, requestsOf("select 1"), next);
    const { error } = answer.results[0] ?? {};
    if (error) {
      expect(error.message).toBe(STREAM_ENDED);
      return error.code;
    }
    next = answer.baton;
  }
  return undefined;
}

test.each(["that database", "a database that attaches it"])(
  "limits a database's log to about 64 MiB despite an open transaction in %s",
  async (kind) => {
    const { shop, other, log } = await shopWorld();
    const isOther = kind !== "that database";
    const reader = isOther ? other : shop;
    const reading = isOther
      ? [`attach "${shop.id}" as shop`, "begin", "select * from shop.t"]
      : ["begin", "select * from t"];
    const { baton } = await pipeline(reader, requestsOf(...reading));
    expect(await writeWhileReading(shop, reader, baton)).toBe("STREAM_EXPIRED");
    expect(statSync(log).size).toBeLessThan(80 * MIB);
    await execute(shop, "insert into t values (zeroblob(5000000))");
    expect(statSync(log).size).toBeLessThan(6 * MIB);
  },
);

const attach = (id: string) => [`attach "${id}" as shop`, "begin", "select count(*) from shop.t"];

test("ends older transactions, but not new ones, when an attached database's log grows too long", async () => {
  const { shop, other, log } = await shopWorld();
  const early = await pipeline(other, requestsOf(...attach(shop.id)));
  const write = "insert into t values (zeroblob(35000000))";
  await pipeline(shop, [...requestsOf("begin", write, write, "commit"), CLOSE]);
  const ended = await pipeline(other, requestsOf("select 1"), early.baton);
  expect(ended.results[0]?.error?.message).toBe(STREAM_ENDED);
  expect(statSync(log).size).toBeGreaterThan(64 * MIB);
  const late = await pipeline(other, requestsOf(...attach(shop.id)));
  expect((await pipeline(other, requestsOf("select 1"), late.baton)).results[0]?.type).toBe("ok");
});

test("limits the size of the log, even if each request commits a transaction and begins the next one", async () => {
  const { shop, log } = await shopWorld();
  const write = requestsOf("insert into t values (zeroblob(5000000))", "commit", "begin", "select count(*) from t");
  let answer = await pipeline(shop, requestsOf("begin"));
  for (let written = 0; written < 30 && answer.baton !== null; written += 1)
    answer = await pipeline(shop, write, answer.baton);
  expect(answer.results[0]?.error?.message).toBe(STREAM_ENDED);
  expect(statSync(log).size).toBeLessThan(6 * MIB);
});

test("a point-in-time copy excludes later rows, even if SQLite has restarted the write-ahead log", async () => {
  const { api, database, shop, other } = await shopWorld();
  const blocking = await pipeline(shop, requestsOf("begin", "select * from t"));
  await api.advance(60);
  await execute(shop, "insert into t values (zeroblob(6000000))");
  const timestamp = (await api.clock.now()).toISOString();
  const reading = await pipeline(other, requestsOf(...attach(shop.id)));
  // This commit writes the whole log back to `shop`, but the stream of the other database still reads the log.
  await pipeline(shop, [...requestsOf("commit"), CLOSE], blocking.baton);
  await pipeline(other, [...requestsOf("commit"), CLOSE], reading.baton);
  await api.advance(60);
  const write = "insert into t values (zeroblob(3000000))";
  await pipeline(shop, [...requestsOf(write, write, write), CLOSE]);
  const copy = await database("copy", { seed: { type: "database", name: "shop", timestamp } });
  expect(await column(copy, "select count(*) from t")).toEqual(["1"]);
});

test("copies an attached database to its history once during a read transaction, not at every commit", async () => {
  const { shop, other, log } = await shopWorld();
  const { results } = await pipeline(other, requestsOf(`attach "${shop.id}" as shop`, "begin", "select * from shop.t"));
  expect(results.map(({ type }) => type)).toEqual(["ok", "ok", "ok"]);
  await execute(shop, "insert into t values (zeroblob(5000000))");
  for (let x = 0; x < 10; x += 1) await execute(shop, "insert into t values (1)");
  expect(readdirSync(join(dirname(log), "past"))).toEqual(["1"]);
});
