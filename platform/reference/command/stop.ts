import { Command } from "commander";
import { backgroundFolder } from "./background/paths";
import { backgroundServers, portOf } from "./background/servers";
import { nothingToStop, severalToStop, stopped } from "./messages";
import { portNumber } from "./serve";

export const stop = new Command("stop")
  .summary("stop a server in the background")
  .description(
    "Stop a server that runs in the background (`serve --background`), and wait until it has answered the requests in progress. Servers of other users, and servers in a terminal, are never stopped.",
  )
  .option("--port <number>", "port of the server; needed only if several run", portNumber)
  .action(async ({ port }: { readonly port?: number }) => {
    const servers = (await backgroundServers()).filter((server) => port === undefined || portOf(server.url) === port);
    const [server, ...others] = servers;
    if (!server) throw new Error(nothingToStop({ folder: await backgroundFolder(), wantedPort: port }));
    if (others.length > 0) throw new Error(severalToStop({ ports: servers.map(({ url }) => portOf(url)) }));
    await server.stop();
    process.stdout.write(`${stopped(server)}\n`);
  });
