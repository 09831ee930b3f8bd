import { spawn } from "node:child_process";
import { shellWord } from "../../platform/values/shell";

/**
 * Prints a command, runs it in a folder, and returns its output.
 *
 * @throws Error if the command fails; the output of the command is the error's `cause`.
 */
export type RunProgram = (program: string, args: readonly string[], folder: string) => Promise<string>;

export const run: RunProgram = (program, args, folder) =>
  new Promise((resolve, reject) => {
    console.log(`$ ${[program, ...args].map(shellWord).join(" ")}`);
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      process.stdout.write(text);
    });
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve(printed) : reject(new Error(`${program} ended with ${code}`, { cause: printed })),
    );
  });
