import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Bench } from "../bench";
import type { Figures } from "../figures";
import { residentMegabytes } from "../resident-memory";
import type { Programs } from "./programs";
import { ITEMS, Server } from "./server";

/** How long a server may take to end its idle processes, in milliseconds. */
const MOST_IDLE_MS = 90_000;

/** How long a server without SQL has had nothing to do, in milliseconds. */
const SETTLED_MS = 10_000;

/** Measures the memory of a server that has nothing to do, and with SQL the time of the next query. */
export async function idle({ folder }: Bench, programs: Programs, figures: Figures): Promise<void> {
  const server = await Server.start(programs, "--sql", "--data", join(folder, "idle.db"));
  const path = `/sql/${await server.create("orders")}/v3/pipeline`;
  const { jwt } = (await server.ask(`${server.databases}/orders/auth/tokens`, {})) as { jwt: string };
  const send = (request: object) => server.ask(path, { requests: [request, { type: "close" }] }, jwt);
  await send({ type: "sequence", sql: ITEMS });

  await endOfSqlProcesses(server);
  figures.add("reference API: memory when idle with SQL", { ours: residentMegabytes(server.pid) });
  const begun = performance.now();
  await send({ type: "execute", stmt: { sql: "select id, name from items where id = 500" } });
  figures.add("reference API: first query after it was idle", { ours: performance.now() - begun });
  await server.end();

  const withoutSql = await Server.start(programs, "--data", join(folder, "idle-without-sql.db"));
  await withoutSql.create("orders");
  await setTimeout(SETTLED_MS);
  figures.add("reference API: memory when idle without SQL", { ours: residentMegabytes(withoutSql.pid) });
  await withoutSql.end();
}

/** Resolves when an idle server has ended the processes that run its SQL. */
async function endOfSqlProcesses({ pid }: Server): Promise<void> {
  const parents = () => execFileSync("ps", ["-A", "-o", "ppid="]).toString().split("\n").map(Number);
  for (const until = performance.now() + MOST_IDLE_MS; parents().includes(pid); await setTimeout(100))
    if (performance.now() > until) throw new Error("the server has not ended its idle processes");
}
