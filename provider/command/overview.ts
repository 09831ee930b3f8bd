import { Command } from "commander";
import { version } from "../../package.json";

/** The command `dbplatform` without its parts, each of which is a program of its own. */
export const overview = new Command("dbplatform")
  .description("Commands for the Database Platform. Run `dbplatform help <command>` for the options of a command.")
  .version(version)
  .addHelpText(
    "after",
    `
Examples:
  $ eval "$(dbplatform api serve --background)"
  $ dbplatform restore --since 10m`,
  );

overview.command("adopt").summary("import an organization into Pulumi, or list what no stack manages");
overview.command("api").summary("run the platform's API on this machine");
overview.command("restore").summary("bring back what was deleted, whether or not a program declares it");
overview.command("scopes").summary("say what the API token of a run needs at least");
