import { Command } from "commander";
import { readContent } from "../seed/content";
import { selectBackgroundServer, stopBackgroundServer } from "./background";
import { seedValid, serverStopped } from "./messages";
import type { CommandName } from "./name";
import { portNumber, serve } from "./serve";
import { snapshot } from "./snapshot";
import { token } from "./token";

const stop = new Command("stop")
  .summary("stop a server in the background")
  .description(
    "Stop a server that runs in the background (`serve --background`), and wait until it has answered the requests in progress. Servers of other users, and servers in a terminal, are never stopped.",
  )
  .option("--port <number>", "port of the server; needed only if several run", portNumber)
  .action(async ({ port }: { readonly port?: number }) => {
    const server = await selectBackgroundServer("--port", port);
    await stopBackgroundServer(server);
    process.stdout.write(`${serverStopped(server)}\n`);
  });

function seed({ npx, otherSeedCommands = {} }: CommandName): Command {
  const seed = new Command("seed")
    .summary("commands for seed files")
    .description("Commands for the seed files of `serve --seed`.");

  for (const [name, summary] of Object.entries(otherSeedCommands)) seed.command(name).summary(summary);

  seed
    .command("check")
    .summary("check a seed file, and print every mistake in it")
    .description(
      "Check a seed file. Print how many objects it contains; or print every mistake with its line and property, and exit with 1.",
    )
    .argument("<file>", "YAML or JSON")
    .action(async (file: string) => {
      const { Seed } = await import("../seed/seed.js");
      const { users, organizations } = await readContent(file, Seed, "seed");
      const count = (kind: "groups" | "databases" | "tokens") =>
        organizations.reduce((sum, organization) => sum + organization[kind].length, 0);
      const counts = {
        users: users.length,
        organizations: organizations.length,
        groups: count("groups"),
        databases: count("databases"),
        tokens: count("tokens"),
      };
      process.stdout.write(`${seedValid({ file, counts })}\n`);
    })
    .addHelpText("after", `\nExample:\n  $ ${npx} seed check seed.yaml`);

  return seed;
}

const openapi = ({ npx }: CommandName) =>
  new Command("openapi")
    .summary("print the OpenAPI document")
    .description("Print the OpenAPI 3.1 document of the platform's API. A running server has it at /openapi.json.")
    .action(async () => {
      const { openApiDocument } = await import("../openapi/document.js");
      const { examples } = await import("../openapi/examples.js");
      process.stdout.write(`${JSON.stringify(openApiDocument(await examples()), null, 2)}\n`);
    })
    .addHelpText("after", `\nExample:\n  $ ${npx} openapi > openapi.json`);

/** The whole command. Its own name is the last of its words. */
export const program = (name: CommandName) =>
  new Command(name.words.split(" ").at(-1))
    .description("Run the platform's API on your machine, for development, tests and teaching.")
    .addCommand(serve(name))
    .addCommand(stop)
    .addCommand(token(name))
    .addCommand(snapshot(name))
    .addCommand(seed(name))
    .addCommand(openapi(name))
    .addHelpText(
      "after",
      `
Examples:
  $ ${name.npx} serve --port 8080 --data shop.db   stored in a file, until Ctrl-C
  $ eval "$(${name.npx} serve --background)"       in the background, with the environment for this shell

Exit codes:
  0  success, or stopped by SIGINT or SIGTERM
  1  invalid option, file or data; standard error says why`,
    );
