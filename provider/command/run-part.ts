import { Command } from "commander";
import { messageOf } from "../../kit/refusal";
import { MissingSettings } from "../../kit/settings";
import { missingFromEnvironment } from "./messages";
import { ignoreClosedPipe } from "./output";

/** Runs a part of the command `dbplatform` with the arguments of this process. */
export async function runPart(part: Command): Promise<void> {
  ignoreClosedPipe();
  try {
    await new Command("dbplatform").addCommand(part).parseAsync();
  } catch (error) {
    const message = error instanceof MissingSettings ? missingFromEnvironment({ missing: error.settings }) : undefined;
    process.stderr.write(`${message ?? messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
