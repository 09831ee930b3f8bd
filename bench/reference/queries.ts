import type { Bench } from "../bench";
import type { Figures } from "../figures";
import type { Programs } from "./programs";
import { CONNECTIONS, ITEMS, Server, send } from "./server";

const QUERY = {
  type: "execute",
  stmt: { sql: "select id, name from items where id = ?", args: [{ type: "integer", value: "500" }] },
};
const BODY = JSON.stringify({ requests: [QUERY, { type: "close" }] });

/** Measures queries by elapsed time instead of CPU time, because our server runs SQL in a separate process. */
export async function queries({ quick, rounds }: Bench, programs: Programs, figures: Figures): Promise<void> {
  const ours = await Server.start(programs, programs.ours, "api", "serve", "--json", "--sql");
  const floor = await Server.start(programs, programs.bareSql, ITEMS);
  const { path, jwt } = await ours.createItems();

  const perSecond = async ({ ready: { url } }: Server, path: string): Promise<number> => {
    const load = { url, apiToken: jwt, paths: [path], body: BODY, connections: CONNECTIONS };
    const { answers, seconds } = await send(programs, { ...load, seconds: quick ? 1 : 3 });
    return answers / seconds;
  };
  const measured = { ours: () => perSecond(ours, path), floor: () => perSecond(floor, "/v3/pipeline") };
  // Warms up both servers, so that their code is compiled.
  for (const perSecond of Object.values(measured)) await perSecond();
  for (let round = 0; round < rounds; round++)
    figures.add("reference API: SQL queries, against node:sqlite behind a bare handler", {
      ours: await measured.ours(),
      floor: await measured.floor(),
    });
  await ours.end();
  await floor.end();
}
