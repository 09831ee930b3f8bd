import { Command } from "commander";
import { version } from "../../../package.json";
import { openapi } from "./openapi";
import { seed } from "./seed";
import { serve } from "./serve";
import { token } from "./token";

/** The command `dbplatform-api`. */
export const program = new Command("dbplatform-api")
  .description("The platform's API on your machine, for programs, tests and lessons.")
  .version(version)
  .addCommand(serve)
  .addCommand(token)
  .addCommand(seed)
  .addCommand(openapi)
  .addHelpText(
    "after",
    `
Examples:
  $ dbplatform-api serve                              in memory, on any free port
  $ dbplatform-api serve --port 8080 --data shop.db   kept in a file
  $ dbplatform-api help serve                         every option of a command

Exit codes:
  0  done, or ended by SIGINT or SIGTERM
  1  an option, a file or the data is wrong; standard error says why`,
  );
