import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { installExample } from "./project";
import { ensurePulumiCli } from "./pulumi-cli/ensure";
import { root, run } from "./run";
import { Stage } from "./stage";

const examples = readdirSync(join(root, "examples")).filter((name) =>
  existsSync(join(root, "examples", name, "Pulumi.yaml")),
);

/** Opens a shell, or runs the command that is given, in a copy of an example, against a reference API of its own. */
async function main([name = "", ...command]: readonly string[]): Promise<void> {
  if (!examples.includes(name)) throw new Error(`npm run example <name> [-- <command>]: ${examples.join(", ")}`);
  const { bin } = await ensurePulumiCli();
  if ((await run("tsx", ["tools/build.ts"])) !== 0) throw new Error("the build failed");
  const stage = new Stage(bin);
  const stop = () => stage.clear().finally(() => process.exit(130));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  try {
    installExample(name, stage.project);
    const seed = join(stage.project, "seed.yaml");
    const platform = await stage.platform(existsSync(seed) ? seed : undefined);
    await stage.run(platform, ["pulumi", "stack", "init", "dev"], "ignore");
    if (command.length === 0) {
      console.log(`\n${platform.url} shows what is on the platform. \`exit\` ends everything.`);
      command.push(process.env.SHELL || "sh");
    }
    process.exitCode = await stage.run(platform, command, "inherit");
  } finally {
    await stage.clear();
  }
}

main(process.argv.slice(2)).catch((failure) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exitCode = 1;
});
