import { join } from "node:path";
import type { Bench } from "../bench";
import type { Figures } from "../figures";
import type { Programs } from "./programs";
import { CONNECTIONS, Server, send } from "./server";

const CREATE = JSON.stringify({ name: "{unique}", group: "default" });

/** Measures writes by elapsed time, because a server that writes spends most of its time waiting for the disk. */
export async function writes({ folder, quick, rounds }: Bench, programs: Programs, figures: Figures): Promise<void> {
  const started = (program: string, name: string): Promise<Server> =>
    Server.start(programs, program, "api", "serve", "--json", "--data", join(folder, name));
  const ours = await started(programs.ours, "together.db");
  const inMemory = await Server.start(programs, programs.ours, "api", "serve", "--json");
  const floor = await started(programs.oneAtATime, "one-at-a-time.db");

  const perSecond = async ({ ready: { url, apiToken }, databases }: Server): Promise<number> => {
    const load = { url, apiToken, paths: [databases], body: CREATE, connections: CONNECTIONS };
    const { answers, seconds } = await send(programs, { ...load, seconds: quick ? 2 : 4 });
    return answers / seconds;
  };
  // Warms up all three servers, so that their code is compiled.
  for (const server of [ours, inMemory, floor]) await perSecond(server);
  for (let round = 0; round < rounds; round++) {
    const oneAtATime = await perSecond(floor);
    figures.add("reference API: durable writes, against one commit each", {
      ours: await perSecond(ours),
      floor: oneAtATime,
    });
    figures.add("reference API: writes in memory, against one commit each", {
      ours: await perSecond(inMemory),
      floor: oneAtATime,
    });
  }
  await ours.end();
  await inMemory.end();
  await floor.end();
}
