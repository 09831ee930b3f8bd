import { spawn } from "node:child_process";
import { join } from "node:path";

export const root = join(__dirname, "..");

/** Runs a program in the root folder of the repository, prints its output and returns its exit code. */
export function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/**
 * Builds the files in dist/.
 *
 * @throws Error if the build fails.
 */
export async function build(): Promise<void> {
  if ((await run("tsx", ["tools/build.ts"])) !== 0) throw new Error("the build failed");
}
