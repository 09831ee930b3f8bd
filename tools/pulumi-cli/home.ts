import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { pinnedVersion } from "./version";

/** Where the npm package `pulumi` and the Automation API keep and look for the pinned CLI: its programs lie in `bin` below. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  return resolve(env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions", pinnedVersion);
}
