import { Command } from "commander";
import { version } from "../../../package.json";
import { openapi } from "./openapi";
import { seed } from "./seed";
import { serve } from "./serve";
import { stop } from "./stop";
import { token } from "./token";

/** The command `dbplatform-api`. */
export const program = new Command("dbplatform-api")
  .description("Run the platform's API on your machine, for development, tests and teaching.")
  .version(version)
  .addCommand(serve)
  .addCommand(stop)
  .addCommand(token)
  .addCommand(seed)
  .addCommand(openapi)
  .addHelpText(
    "after",
    `
Examples:
  $ dbplatform-api serve                              in memory, on any free port
  $ dbplatform-api serve --port 8080 --data shop.db   stored in a file
  $ eval "$(dbplatform-api serve --background)"       in the background, with the environment for this shell
  $ dbplatform-api help serve                         all options of a command

Exit codes:
  0  success, or stopped by SIGINT or SIGTERM
  1  invalid option, file or data; standard error says why`,
  );
