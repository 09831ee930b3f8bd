// @module-tag more

import { once } from "node:events";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { dumpOf, unreadDumpOf } from "./dumps";
import { column, dataFile, execute, type Place, sqlWorld } from "./sql";

const MIB = 1024 * 1024;

/** Inserts rows with a blob each, some at a time, so that no statement is stopped on a busy machine. */
async function fill(place: Place, rows: number, bytes: number): Promise<void> {
  await execute(place, "create table t (x)");
  for (let count = 0; count < rows; count += 1) await execute(place, `insert into t values (zeroblob(${bytes}))`);
}

const residentBytes = async (pid: number | string): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

/** Returns the largest memory of this process, which has the server, and of its processes that run SQL. */
async function memory(): Promise<{ server: number; engine: number }> {
  const ids = (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")).split(" ").filter(Boolean);
  const engines = await Promise.all(ids.map((id) => residentBytes(id).catch(() => 0)));
  return { server: await residentBytes(process.pid), engine: Math.max(0, ...engines) };
}

test("a dump of over 600 MiB takes less than 250 MiB of memory, and writes continue meanwhile", async () => {
  const { database } = await sqlWorld();
  const [orders, other] = await Promise.all([database("orders"), database("other")]);
  await fill(orders, 300, MIB);
  await execute(other, "create table t (x)");
  const before = await memory();
  const most = { ...before };
  const dump = await dumpOf(orders);
  let bytes = 0;
  let sinceSample = 0;
  let requests = 0;
  let isRunning = true;
  const others = [orders, other].map(async (place) => {
    for (; isRunning; requests += 1) {
      await execute(place, "insert into t values (1)");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  for await (const chunk of dump.body ?? []) {
    bytes += chunk.length;
    sinceSample += chunk.length;
    if (sinceSample < 10 * MIB) continue;
    sinceSample = 0;
    const { server, engine } = await memory();
    most.server = Math.max(most.server, server);
    most.engine = Math.max(most.engine, engine);
  }
  isRunning = false;
  await Promise.all(others);
  expect(bytes).toBeGreaterThan(600 * MIB);
  expect(requests).toBeGreaterThan(10);
  // The client of this test is in the process of the server.
  expect(most.server - before.server).toBeLessThan(250 * MIB);
  expect(most.engine - before.engine).toBeLessThan(250 * MIB);
  expect(await column(other, "select count(*) > 0 from t")).toEqual(["1"]);
});

test("a dump has blobs and texts of 64 MiB", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  const size = 64 * MIB - 100;
  await execute(orders, "create table t (x)");
  await execute(orders, `insert into t values (zeroblob(${size})), (printf('%.*c', ${size}, 'x'))`);
  const dump = await dumpOf(orders);
  const found = { zeros: 0, letters: 0 };
  for await (const chunk of dump.body ?? [])
    for (const byte of chunk)
      if (byte === 0x30) found.zeros += 1;
      else if (byte === 0x78) found.letters += 1;
  // The name of the column is an x as well.
  expect(found.zeros).toBe(2 * size);
  expect(found.letters - size).toBeLessThan(10);
});

test("a client that reads nothing of a dump for a minute is disconnected, and its files are removed", async () => {
  const data = dataFile();
  const { database } = await sqlWorld({ data });
  const orders = await database("orders");
  await fill(orders, 40, MIB);
  const copies = () => readdirSync(`${data}-sql`).filter((name) => name.startsWith("loading-"));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const dump = await unreadDumpOf(orders);
    expect(copies()).toHaveLength(1);
    while (copies().length > 0) {
      await vi.advanceTimersByTimeAsync(60_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    dump.resume();
    await expect(once(dump, "end")).rejects.toThrow("aborted");
  } finally {
    vi.useRealTimers();
  }
});
