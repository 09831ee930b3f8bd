import { Command } from "commander";
import { version } from "../../package.json";
import { PARTS } from "./parts";

/** The command `dbplatform` without its parts, each of which is a program of its own. */
const overview = new Command("dbplatform")
  .description("Commands for the Database Platform. Run `dbplatform help <command>` for the options of a command.")
  .version(version)
  .addHelpText(
    "after",
    `
Examples:
  $ eval "$(dbplatform api serve --background)"
  $ dbplatform restore --since 10m`,
  );

for (const [name, summary] of Object.entries(PARTS)) overview.command(name).summary(summary);

// Exported because esbuild removes unused code only from files that have an export.
export const finished = overview.parseAsync();
