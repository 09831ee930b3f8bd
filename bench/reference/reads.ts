import { join } from "node:path";
import type { Bench } from "../bench";
import type { Figures } from "../figures";
import type { Programs } from "./programs";
import { CONNECTIONS, Server, send } from "./server";

/** Number of databases that are read in turn. Real callers seldom read the same database every time. */
const DATABASES = 200;

/**
 * Measures reads by the CPU time of the server. Elapsed time would include the load generator, which takes nearly as
 * long as the minimal server.
 */
export async function reads({ folder, quick, rounds }: Bench, programs: Programs, figures: Figures): Promise<void> {
  const ours = await Server.start(
    programs,
    programs.ours,
    "api",
    "serve",
    "--json",
    "--data",
    join(folder, "reads.db"),
  );
  const { organizationId, apiToken } = ours.ready;
  const paths: string[] = [];
  // Gives all names the same length, so that all responses have the same size.
  for (let number = 0; number < DATABASES; number++)
    paths.push(`/v3/organizations/${organizationId}/databases/${await ours.create(`database-${1000 + number}`)}`);
  const answer = JSON.stringify(await ours.ask(paths[0] ?? ""));
  const route = "/v3/organizations/:organizationId/databases/:databaseId";
  const floor = await Server.start(programs, programs.bare, route, answer);

  const perSecond = async (server: Server): Promise<number> => {
    const load = { url: server.ready.url, apiToken, paths, connections: CONNECTIONS, seconds: quick ? 1 : 3 };
    let answers = 0;
    const milliseconds = await server.processorTime(async () => {
      ({ answers } = await send(programs, load));
    });
    return answers / (milliseconds / 1000);
  };
  // Warms up both servers, so that their code is compiled.
  for (const server of [ours, floor]) await perSecond(server);
  for (let round = 0; round < rounds; round++)
    figures.add("reference API: reads, against the bare server", {
      ours: await perSecond(ours),
      floor: await perSecond(floor),
    });
  await ours.end();
  await floor.end();
}
