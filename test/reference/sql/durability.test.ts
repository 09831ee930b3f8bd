// @module-tag the-reference-api

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type ReferenceApi, startReferenceApi } from "../../../platform/reference/server";
import { beginCommitList } from "../../../platform/reference/sql/engine/commit-list";
import { partsIn } from "../../../platform/reference/sql/engine/history-parts";
import { bundledCommand } from "../bundle";
import { CLOSE, column, databasesOn, dataFile, ENDLESS, execute, type Place, pipeline, stmt } from "./sql";

const root = join(__dirname, "../../..");
const command = bundledCommand();

/** Starts `dbplatform api serve --sql` on a data file, or in memory. */
async function serve(data: string): Promise<{ child: ChildProcess; api: ReferenceApi; errors: string[] }> {
  const args = [command, "api", "serve", "--sql", "--json", "--data", data];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const errors: string[] = [];
  child.stderr.on("data", (text) => errors.push(String(text)));
  const [line] = await once(child.stdout, "data");
  return { child, api: JSON.parse(String(line)) as ReferenceApi, errors };
}

/** Returns the ids of a process's child processes. */
const childrenOf = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ").map(Number);

test.runIf(process.platform === "linux")(
  "acknowledged commits survive kill -9 of the server, and no engine process is left running",
  async () => {
    const data = dataFile();
    const { child, api, errors } = await serve(data);
    expect(api.sql).toBe(`${api.url}/sql/{DbId}/`);
    const orders = await databasesOn(api).database("orders");
    await execute(orders, "create table t (x)");
    const writing = { answered: 0 };
    const writer = (async () => {
      for (;;) {
        await execute(orders, `insert into t values (${writing.answered + 1})`);
        writing.answered += 1;
      }
    })().catch(() => undefined);
    await vi.waitFor(() => expect(writing.answered).toBeGreaterThan(50), { timeout: 120_000 });
    const engines = await childrenOf(child.pid ?? 0);
    child.kill("SIGKILL");
    await Promise.all([writer, once(child, "exit")]);
    const isRunning = (pid: number): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await vi.waitFor(() => expect(engines.filter(isRunning)).toEqual([]), { timeout: 60_000 });
    expect(errors).toEqual([]);

    const again = await startReferenceApi({ data, sql: true });
    onTestFinished(() => again.close());
    const place = { ...orders, url: databasesOn(again).url(orders.id) };
    const kept = (await column(place, "select x from t order by x")).map(Number);
    expect(kept.length).toBeGreaterThanOrEqual(writing.answered);
    expect(kept).toEqual(kept.map((_, index) => index + 1));
    await pipeline(place, [stmt("begin immediate; "), CLOSE]);
    await execute(place, "delete from t");
  },
);

/** Writes numbered rows on sixteen streams at once. Each stream ends when a write fails, or once `stop` was called. */
function writersTo(place: Place) {
  const acknowledged = new Set<string>();
  const sent = new Set<string>();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  const write = async (writer: number): Promise<void> => {
    for (let row = 1; !isStopped; row += 1) {
      sent.add(`${writer}-${row}`);
      await execute(place, `insert into t values ('${writer}-${row}')`);
      acknowledged.add(`${writer}-${row}`);
    }
  };
  const ended = Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer).catch(() => undefined)));
  return { acknowledged, sent, stop, ended };
}

async function expectAcknowledged(place: Place, { acknowledged, sent }: ReturnType<typeof writersTo>): Promise<void> {
  const kept = (await column(place, "select x from t")).map(String);
  expect(kept).toHaveLength(new Set(kept).size);
  expect([...acknowledged].filter((row) => !kept.includes(row))).toEqual([]);
  expect(kept.filter((row) => !sent.has(row))).toEqual([]);
}

test.runIf(process.platform === "linux")(
  "writes that were committed together survive kill -9 of the server and of its engine process, each of them once",
  async () => {
    const data = dataFile();
    const { child, api } = await serve(data);
    const orders = await databasesOn(api).database("orders");
    await execute(orders, "create table t (x)");
    const writtenUntilKilled = async (most: number, victims: readonly number[]) => {
      const writing = writersTo(orders);
      await vi.waitFor(() => expect(writing.acknowledged.size).toBeGreaterThan(most), { timeout: 120_000 });
      for (const pid of victims) process.kill(pid, "SIGKILL");
      writing.stop();
      await writing.ended;
      return writing;
    };
    for (const rows of [50, 120]) {
      await expectAcknowledged(orders, await writtenUntilKilled(rows, await childrenOf(child.pid ?? 0)));
      await execute(orders, "delete from t");
    }
    const writing = await writtenUntilKilled(200, [child.pid ?? 0]);
    const again = await startReferenceApi({ data, sql: true });
    onTestFinished(() => again.close());
    await expectAcknowledged({ ...orders, url: databasesOn(again).url(orders.id) }, writing);
  },
);

test.runIf(process.platform === "linux")(
  "an engine process that runs an endless statement exits when its server is killed",
  async () => {
    const { child, api } = await serve(":memory:");
    const orders = await databasesOn(api).database("orders");
    await execute(orders, "select 1");
    const lost = execute(orders, ENDLESS).catch(() => undefined);
    const [engine = 0] = await childrenOf(child.pid ?? 0);
    child.kill("SIGKILL");
    await lost;
    await vi.waitFor(() => expect(() => process.kill(engine, 0)).toThrow(), { timeout: 4_000 });
  },
);

test("a past state is not left incomplete if a process is killed while removing it", { tags: "more" }, async () => {
  const past = join(dirname(dataFile()), "past");
  for (let part = 1; part <= 101; part += 1) {
    const folder = join(past, String(part));
    mkdirSync(folder, { recursive: true });
    beginCommitList(folder, { at: "2026-03-01T12:00:00.000Z", frames: 0 });
    for (const name of ["data", "data-wal"]) writeFileSync(join(folder, name), "");
  }
  const oldest = join(past, "1");
  // Adds many files, so that the folder takes a while to remove.
  for (let file = 0; file < 5_000; file += 1) writeFileSync(join(oldest, `file-${file}`), "");
  const before = readdirSync(oldest).length;
  const files = JSON.stringify(join(root, "platform/reference/sql/engine/history-parts.ts"));
  const program = `require(${files}).pruneParts(${JSON.stringify(past)})`;
  const child = spawn(process.execPath, ["--import", "tsx", "-e", program], { cwd: root, stdio: "inherit" });
  const ended = once(child, "exit");
  const left = async () => (await readdir(oldest).catch(() => [])).length;
  while (child.exitCode === null && (await left()) === before) await new Promise(setImmediate);
  child.kill("SIGKILL");
  await ended;
  expect(partsIn(past)).toHaveLength(100);
});
