import { Command } from "commander";
import { version } from "../../package.json";
import { FROM_LIVE } from "./messages";

/**
 * The parts of the command `dbplatform` that use the provider, by the arguments that name them. Each part is loaded only
 * when it is named.
 */
export const PARTS = {
  adopt: async () => (await import("../adopt/command.js")).adopt,
  "api seed from-live": async () => {
    const { fromLive } = await import("../twin/command.js");
    return new Command("api").addCommand(new Command("seed").addCommand(fromLive));
  },
  restore: async () => (await import("../restore/command.js")).restore,
  scopes: async () => (await import("../scopes/command.js")).scopes,
} as const satisfies Record<string, () => Promise<Command>>;

/** How the command of the reference API is called as a part of `dbplatform`. */
export const API_COMMAND = {
  words: "dbplatform api",
  npx: "npx pulumi-dbplatform api",
  client: { name: "Pulumi", firstCommand: "pulumi up" },
  otherSeedCommands: { "from-live": FROM_LIVE },
} as const;

/** The command `dbplatform` without its parts, each of which is a program of its own. */
export const overview = new Command("dbplatform")
  .description(
    "Commands for the Database Platform. Run `npx pulumi-dbplatform help <command>` for the options of a command.",
  )
  .version(version)
  .addHelpText(
    "after",
    `
Examples:
  $ eval "$(npx pulumi-dbplatform api serve --background)"
  $ npx pulumi-dbplatform restore --since 10m`,
  );

overview.command("adopt").summary("import an organization into Pulumi, or list what no stack manages");
overview.command("api").summary("run the platform's API on this machine");
overview.command("restore").summary("bring back what was deleted, whether or not a program declares it");
overview.command("scopes").summary("say what the API token of a run needs at least");

/**
 * Runs the command `dbplatform` with the arguments of this process.
 *
 * @param part The part that the arguments name. `undefined` if they name none.
 */
export async function runDbplatform(part: keyof typeof PARTS | undefined): Promise<void> {
  if (part === undefined) return void (await overview.parseAsync());
  const [{ runPart }, command] = await Promise.all([import("./run-part.js"), PARTS[part]()]);
  await runPart(command);
}
