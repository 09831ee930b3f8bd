import { program } from "./command";

// A reader such as `head` closes the pipe when it has read enough, which is not a failure.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

// Without an export, esbuild treats this file as CommonJS and removes no unused code.
export const finished = program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
