import { Command } from "commander";
import { version } from "../../package.json";
import { program } from "./command";
import type { CommandName } from "./name";

// Ignores a closed pipe, because a reader such as `head` closes the pipe when it has read enough.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

// Node.js 22 warns that its SQLite is experimental. In a JSON log, the warning would be the only line that is not JSON.
process.removeAllListeners("warning").on("warning", ({ name, stack }) => {
  if (name !== "ExperimentalWarning") process.stderr.write(`${stack}\n`);
});

export async function runCommand(name: CommandName): Promise<void> {
  const command = program(name);
  const [first, ...others] = name.words.split(" ");
  const whole = others.length === 0 ? command.version(version) : new Command(first).addCommand(command);
  await whole.parseAsync().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
