import { enableCompileCache } from "node:module";
import type { CommandName } from "./name";

/**
 * Runs the command with the arguments of this process.
 *
 * @param compileCache Path of the folder that keeps compiled code.
 */
export async function run(name: CommandName, compileCache: string): Promise<void> {
  // Only this user may write to the compile cache, because the server executes the code in the cache.
  const mask = process.umask(0o077);
  enableCompileCache(compileCache);
  process.umask(mask);
  // The import is dynamic, because only modules that are loaded after `enableCompileCache` has been called are cached.
  const { runCommand } = await import("./run.js");
  await runCommand(name);
}
