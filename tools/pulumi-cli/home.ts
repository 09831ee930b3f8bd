import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { PINNED } from "../versions";

/**
 * Returns the folder in which the npm package `pulumi` and the Automation API look for the pinned CLI. The CLI itself
 * is in the subfolder `bin`.
 */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  return resolve(env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions", PINNED.cli);
}
