import { Command } from "commander";
import { messageOf } from "../../kit/refusal";
import { MissingSettings } from "../../kit/settings";
import { missingFromEnvironment } from "./messages";

/** Runs a part of the command `dbplatform` with the arguments of this process. */
export async function runPart(part: Command): Promise<void> {
  // Ignores a closed pipe, because a reader such as `head` closes the pipe when it has read enough.
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  try {
    await new Command("dbplatform").addCommand(part).parseAsync();
  } catch (error) {
    const message = error instanceof MissingSettings ? missingFromEnvironment({ missing: error.settings }) : undefined;
    process.stderr.write(`${message ?? messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
