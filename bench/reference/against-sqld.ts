import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { findSqld, Sqld } from "../../tools/lab/sqld";
import type { Bench } from "../bench";
import type { Figures } from "../figures";
import type { Programs } from "./programs";
import { SCRIPT, Server, send } from "./server";

const STARTS = 5;

/** How long a server may take to end its idle processes, in milliseconds. */
const MOST_IDLE_MS = 90_000;

const bodyOf = (sql: string): string =>
  JSON.stringify({ requests: [{ type: "execute", stmt: { sql } }, { type: "close" }] });

const LOADS = {
  "point query x1": { connections: 1, body: bodyOf("select id, name from items where id = 500") },
  "point query x32": { connections: 32, body: bodyOf("select id, name from items where id = 500") },
  "100 rows x8": { connections: 8, body: bodyOf("select id, name from items where id between 401 and 500") },
  "update x1": { connections: 1, body: bodyOf("update items set name = '{unique}' where id = 500") },
  "update x16": { connections: 16, body: bodyOf("update items set name = '{unique}' where id = 500") },
} as const;

type LoadName = keyof typeof LOADS;

/** Compares our SQL server with libSQL's own one, which is only available on Linux. Both sync every commit. */
export const sqldAtFull = (bench: Bench, programs: Programs, figures: Figures): Promise<void> =>
  compare(bench, { programs, figures, synchronous: "full" });

/** Compares the same while neither syncs a commit. Not part of the quick benchmark. */
export const sqldAtNormal = async (bench: Bench, programs: Programs, figures: Figures): Promise<void> =>
  bench.quick ? undefined : compare(bench, { programs, figures, synchronous: "normal" });

interface Compared {
  readonly programs: Programs;
  readonly figures: Figures;
  readonly synchronous: "full" | "normal";
}

async function compare({ folder, quick, rounds }: Bench, { programs, figures, synchronous }: Compared): Promise<void> {
  const found = await findSqld();
  if ("missing" in found) return console.error(`not measured against sqld: ${found.missing}`);
  const program = synchronous === "full" ? programs.ours : programs.normalSql;
  const serve = ["api", "serve", "--json", "--sql", "--data", join(folder, `${synchronous}.db`)] as const;
  const ours = await Server.start(programs, program, ...serve);
  const sqld = await Sqld.start(found.program, { synchronous });
  const { path, jwt } = await ours.createItems();
  const filled = await fetch(`${sqld.url}/v3/pipeline`, { method: "POST", body: JSON.stringify(SCRIPT) });
  if (!filled.ok) throw new Error(`sqld: ${filled.status} ${await filled.text()}`);
  const memory = () => ({ ours: residentMegabytes(ours.pid), floor: residentMegabytes(sqld.pid) });
  if (synchronous === "full") {
    await endOfChildren(ours.pid);
    figures.add("reference API: SQL, memory when idle, against sqld", memory());
    figures.add("reference API: SQL, first query after it was idle, against sqld", {
      ours: await timeOfQuery(ours.ready.url + path, jwt),
      floor: await timeOfQuery(`${sqld.url}/v3/pipeline`, jwt),
    });
  }

  const perSecond = async (name: LoadName, url: string, path: string): Promise<number> => {
    const load = { ...LOADS[name], url, apiToken: jwt, paths: [path], seconds: quick ? 1 : 2 };
    const { answers, seconds } = await send(programs, load);
    return answers / seconds;
  };
  const measure = async (name: LoadName): Promise<void> => {
    const [mine, theirs] = [
      () => perSecond(name, ours.ready.url, path),
      () => perSecond(name, sqld.url, "/v3/pipeline"),
    ];
    // Warms up both servers, so that their code is compiled.
    await mine();
    await theirs();
    for (let round = 0; round < rounds; round++) {
      const first = round % 2 === 0 ? await theirs() : undefined;
      const rate = await mine();
      figures.add(`reference API: SQL at ${synchronous}, ${name}, against sqld`, {
        ours: rate,
        floor: first ?? (await theirs()),
      });
    }
  };
  try {
    for (const name of Object.keys(LOADS) as LoadName[]) await measure(name);
  } catch (error) {
    // At `normal`, sqld has stopped answering and kept both cores busy, which would be in all later figures.
    console.error(`the rest is not measured against sqld at ${synchronous}: ${error}`);
  }
  if (synchronous === "full") figures.add("reference API: SQL, memory after load, against sqld", memory());
  await ours.end();
  await sqld.end();
  if (synchronous === "full")
    figures.add("reference API: SQL, start, against sqld", {
      ours: await fastest(async () => {
        const begun = performance.now();
        const started = await Server.start(programs, program, ...serve);
        const milliseconds = performance.now() - begun;
        await started.end();
        return milliseconds;
      }),
      floor: await fastest(async () => {
        const started = await Sqld.start(found.program);
        await started.end();
        return started.startMilliseconds;
      }),
    });
}

async function fastest(start: () => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let started = 0; started < STARTS; started++) best = Math.min(best, await start());
  return best;
}

/** Returns the resident memory of a process and all its child processes. */
function residentMegabytes(pid: number): number {
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return childrenOf(pid).reduce((sum, child) => sum + residentMegabytes(child), kilobytes / 1024);
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

/** Resolves when an idle server has ended its processes. */
async function endOfChildren(pid: number): Promise<void> {
  for (const until = performance.now() + MOST_IDLE_MS; childrenOf(pid).length > 0; await setTimeout(100))
    if (performance.now() > until) throw new Error("the server has not ended its idle processes");
}

/** Returns the time of one query on a new connection, in milliseconds. */
async function timeOfQuery(url: string, token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  const begun = performance.now();
  const answer = await fetch(url, { method: "POST", headers, body: LOADS["point query x1"].body });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
  return performance.now() - begun;
}
