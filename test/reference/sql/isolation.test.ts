// @module-tag more

import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Client, createClient } from "@libsql/client/http";
import { expect, onTestFinished, test, vi } from "vitest";
import { STREAM_LOST } from "../../../platform/reference/sql/messages";
import {
  CLOSE,
  column,
  dataFile,
  ENDLESS,
  execute,
  type Place,
  pipeline,
  rowsOf,
  SLOW,
  sqlWorld,
  startProcesses,
  stmt,
} from "./sql";

const COUNT = "select count(*) as n from t";
const INSERT = "insert into t values (1)";

const clientOf = ({ url, token: authToken }: Place): Client => {
  const client = createClient({ url, authToken });
  onTestFinished(() => client.close());
  return client;
};

async function clients() {
  const { database } = await sqlWorld();
  await startProcesses(await database("started"));
  // Both run in the same process until a statement is slow.
  const [orders, other] = [await database("orders"), await database("other")];
  for (const place of [orders, other]) await execute(place, "create table t (x)");
  return { orders: clientOf(orders), other: clientOf(other), places: { orders, other } };
}

/** Starts an endless statement, and returns whether it is still running. */
function endless(client: Client, sql = ENDLESS): { isRunning: boolean; ended: Promise<void> } {
  const state = { isRunning: true, ended: Promise.resolve() };
  const stopped = expect(client.execute(sql)).rejects.toMatchObject({ code: "SQLITE_INTERRUPT" });
  state.ended = stopped.finally(() => {
    state.isRunning = false;
  });
  return state;
}

const countIn = async (client: Client): Promise<unknown> => (await client.execute(COUNT)).rows[0]?.n;

// Runs each statement five times: together with the endless one, which may be in the same process already.
const times = <T>(work: () => Promise<T>): Promise<T>[] => Array.from({ length: 5 }, work);

test("@libsql/client reads and writes the same and other databases beside an endless read", async () => {
  const { orders, other } = await clients();
  const statement = endless(orders);
  await Promise.all(
    [orders, other].flatMap((client) => [COUNT, INSERT].flatMap((sql) => times(() => client.execute(sql)))),
  );
  await orders.batch([INSERT, COUNT], "write");
  const transaction = await orders.transaction("write");
  await transaction.execute(INSERT);
  await transaction.commit();
  expect(statement.isRunning).toBe(true);
  await statement.ended;
  expect([await countIn(orders), await countIn(other)]).toEqual([7, 5]);
});

test("beside an endless write, reads do not wait, and writes run once after it was stopped", async () => {
  const { orders, other } = await clients();
  const statement = endless(orders, `insert into t ${ENDLESS}`);
  const writes = times(() => orders.execute(INSERT));
  await Promise.all([...times(() => orders.execute(COUNT)), ...times(() => other.execute(INSERT))]);
  expect((await orders.batch([COUNT, COUNT], "read")).map(({ rows }) => rows[0]?.n)).toEqual([0, 0]);
  expect(statement.isRunning).toBe(true);
  await Promise.all([statement.ended, ...writes]);
  expect([await countIn(orders), await countIn(other)]).toEqual([5, 5]);
});

test("beside an endless write, reads do not wait for an endless read either", async () => {
  const { orders } = await clients();
  const write = endless(orders, `insert into t ${ENDLESS}`);
  await orders.execute(COUNT);
  const read = endless(orders);
  await Promise.all(times(() => orders.execute(COUNT)));
  expect(write.isRunning).toBe(true);
  await Promise.all([write.ended, read.ended]);
});

test("requests and transactions that write after a slow read run once", async () => {
  const { orders } = await clients();
  await orders.batch([SLOW, SLOW, SLOW, INSERT, COUNT], "deferred");
  const transaction = await orders.transaction("deferred");
  await transaction.execute(SLOW);
  await transaction.execute(INSERT);
  await transaction.commit();
  await orders.executeMultiple(`${SLOW}; ${INSERT}`);
  expect(await countIn(orders)).toBe(3);
});

test("a dump is loaded and exported although an endless statement interrupts both", async () => {
  const data = dataFile();
  const { database, owner, slug } = await sqlWorld({ data });
  const other = clientOf(await database("other"));
  const text = `create table t (x);\n${"insert into t values (1);\n".repeat(30_000)}`;
  const uploading = owner.ok("uploadDump", { ...slug, body: { file: new File([text], "dump.sql") } });
  const rows = `${data}-sql`;
  const isLoading = () =>
    readdirSync(rows).some((name) => /^loading-/.test(name) && existsSync(join(rows, name, "data")));
  await vi.waitFor(() => expect(isLoading()).toBe(true), { timeout: 60_000, interval: 1 });
  await endless(other).ended;
  const { dump_url: url } = await uploading;
  const copy = await database("copy", { seed: { type: "dump", url } });
  const get = async () =>
    (await fetch(`${copy.url}dump`, { headers: { Authorization: `Bearer ${copy.token}` } })).text();
  const first = times(get);
  const statement = endless(other);
  for (const exported of await Promise.all([...first, ...times(get)]))
    expect(exported.split("\n")).toHaveLength(30_005);
  await statement.ended;
});

test("beside an open transaction, reads do not wait for an endless statement, and writes run after it", async () => {
  const { orders, other, places } = await clients();
  const open = await pipeline(places.other, [stmt("begin immediate"), stmt(INSERT)]);
  const statement = endless(orders);
  const writes = times(() => other.execute(INSERT));
  await Promise.all(times(() => other.execute(COUNT)));
  expect(statement.isRunning).toBe(true);
  await Promise.all([statement.ended, ...writes]);
  await expect(pipeline(places.other, [stmt("commit"), CLOSE], open.baton)).rejects.toThrow(STREAM_LOST);
  expect(await countIn(other)).toBe(5);
});

test("a stream without a transaction or other state survives an endless statement in its process", async () => {
  const { orders, places } = await clients();
  const idle = await pipeline(places.orders, [stmt(COUNT)]);
  await endless(orders).ended;
  const { results } = await pipeline(
    places.orders,
    [stmt(INSERT), stmt("select last_insert_rowid()"), CLOSE],
    idle.baton,
  );
  expect(results[1]?.response?.result.rows).toEqual([[{ type: "integer", value: "1" }]]);
});

test("copies stay exact and no commit is lost while a database moves between processes", async () => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x, filling)");
  const moments: string[] = [];
  for (let x = 1; x <= 5; x += 1) {
    // On a busy machine, this may be stopped.
    const slow = execute(orders, SLOW).catch(() => undefined);
    await execute(orders, COUNT);
    await api.advance(60);
    // Every second insert begins a new part of the history.
    await execute(orders, `insert into t values (${x}, zeroblob(${x % 2 ? 10 : 5_000_000}))`);
    moments.push((await api.clock.now()).toISOString());
    if (x % 3 === 0) await slow;
  }
  expect(await column(orders, "select x from t")).toEqual(moments.map((_, at) => String(at + 1)));
  for (const [index, timestamp] of moments.entries()) {
    const copy = await database(`copy-${index}`, { seed: { type: "database", name: "orders", timestamp } });
    expect(await column(copy, "select count(*) from t"), timestamp).toEqual([String(index + 1)]);
  }
});

test("exporting a database does not release the locks that keep other processes from removing its log", async () => {
  const data = dataFile();
  const { database } = await sqlWorld({ data });
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  await execute(orders, INSERT);
  const authorization = { Authorization: `Bearer ${orders.token}` };
  expect((await fetch(`${orders.url}export/1`, { headers: authorization })).status).toBe(200);
  // An engine process that closes the database does the same.
  const readElsewhere = (): unknown => {
    const file = new DatabaseSync(join(rowsOf(data), "databases", orders.id, "data"));
    try {
      return file.prepare(COUNT).get()?.n;
    } finally {
      file.close();
    }
  };
  readElsewhere();
  await execute(orders, INSERT);
  expect(readElsewhere()).toBe(2);
});

test.runIf(process.platform === "linux")(
  "ends all processes that are not needed, and keeps rows and streams",
  async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { orders, other } = await clients();
    let written = 0;
    do {
      await Promise.all([SLOW, INSERT].map((sql) => orders.execute(sql)));
      written += 1;
    } while ((await children()).length < 2);
    const transaction = await orders.transaction("write");
    await transaction.execute(INSERT);
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(async () => expect(await children()).toHaveLength(1), { timeout: 60_000 });
    await transaction.commit();
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(async () => expect(await children()).toEqual([]), { timeout: 60_000 });
    expect([await countIn(orders), await countIn(other)]).toEqual([written + 1, 0]);
  },
);

/** Returns the ids of this process's child processes. */
const children = async (): Promise<string[]> =>
  (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")).trim().split(" ").filter(Boolean);
