import { access, constants, realpath } from "node:fs/promises";
import { delimiter, join, sep } from "node:path";
import { clean, gte } from "semver";
import { MINIMUM, PINNED } from "../versions";
import { homeFolder } from "./home";
import { run } from "./run";

export interface PulumiCli {
  readonly bin: string;
  readonly version: string;
  readonly how: "path" | "home" | "downloaded" | "built";
}

const suffix = process.platform === "win32" ? ".exe" : "";
const timeToAnswer = 10_000;

/**
 * Returns the first Pulumi CLI on PATH that is new enough. Its language host for Node.js must be in the same folder or
 * on PATH.
 */
export async function findOnPath(env: NodeJS.ProcessEnv): Promise<PulumiCli | undefined> {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const bin of folders) {
    if (!(await isProgram(bin, "pulumi")) || (await isLauncher(bin))) continue;
    const version = await versionIn(bin, env);
    if (version && gte(version, MINIMUM.cli) && (await anyHasHost([bin, ...folders]))) {
      return { bin, version, how: "path" };
    }
  }
  return undefined;
}

export async function findAtHome(env: NodeJS.ProcessEnv): Promise<PulumiCli | undefined> {
  const bin = join(homeFolder(env), "bin");
  return (await isWhole(bin, env)) ? { bin, version: PINNED.cli, how: "home" } : undefined;
}

/**
 * Returns whether the CLI in a folder is complete. Runs the CLI to find out, because other installers write its files
 * one by one.
 */
export async function isWhole(bin: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return (await anyHasHost([bin])) && (await versionIn(bin, env)) === PINNED.cli;
}

async function anyHasHost(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    if (await isProgram(folder, "pulumi-language-nodejs")) return true;
  }
  return false;
}

async function isProgram(folder: string, name: string): Promise<boolean> {
  return access(join(folder, name + suffix), constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Returns whether `pulumi` is the npm package's launcher instead of the CLI. The launcher's `pulumi version` would
 * start a download without a timeout.
 */
async function isLauncher(bin: string): Promise<boolean> {
  const program = await realpath(join(bin, `pulumi${suffix}`));
  return [bin, program].some((path) => path.split(sep).includes("node_modules"));
}

async function versionIn(bin: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (!(await isProgram(bin, "pulumi"))) return undefined;
  const answer = await run(join(bin, `pulumi${suffix}`), ["version"], {
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeout: timeToAnswer,
  }).catch(() => "");
  return clean(answer) ?? undefined;
}
