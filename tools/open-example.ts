import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { installExample } from "./project";
import { root } from "./run";
import { TemporaryProject } from "./temporary-project";

export const examples: readonly string[] = readdirSync(join(root, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Stack names for examples that require a certain format. */
const STACKS: Readonly<Record<string, string>> = { "pull-request": "pr-17" };

/**
 * Copies an example, starts a reference API for the copy, and runs a command in the copy. If no command is given, opens
 * a shell. Returns the exit code.
 *
 * @param bin Path of the folder with the Pulumi CLI.
 */
export async function openExample(name: string, command: readonly string[], bin: string): Promise<number> {
  const stage = new TemporaryProject(bin);
  const stop = () => stage.clear().finally(() => process.exit(130));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  try {
    installExample(name, stage.project);
    const seed = join(stage.project, "seed.yaml");
    const platform = await stage.platform(existsSync(seed) ? seed : undefined);
    if (existsSync(join(stage.project, "Pulumi.yaml")))
      await stage.run(platform, ["pulumi", "stack", "init", STACKS[name] ?? "dev"], "ignore");
    if (command.length > 0) return await stage.run(platform, command, "inherit");
    console.log(
      `\n${platform.url} shows what is on the platform, and ${platform.sql} is the address of a database. \`exit\` ends everything.`,
    );
    return await stage.run(platform, [process.env.SHELL || "sh"], "inherit");
  } finally {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(signal, stop);
    await stage.clear();
  }
}
