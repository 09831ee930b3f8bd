import { Command } from "commander";
import { program } from "./command";

// Ignores a closed pipe, because a reader such as `head` closes the pipe when it has read enough.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

// Node.js 22 warns that its SQLite is experimental. In a JSON log, the warning would be the only line that is not JSON.
process.removeAllListeners("warning").on("warning", ({ name, stack }) => {
  if (name !== "ExperimentalWarning") process.stderr.write(`${stack}\n`);
});

// Without an export, esbuild would treat this file as CommonJS, which it does not tree-shake.
export const finished = new Command("dbplatform")
  .addCommand(program)
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
