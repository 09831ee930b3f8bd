import { run } from "./run";

/** Runs the tests that need neither a build nor the Pulumi CLI. Arguments select a subset of these tests. */
async function main(): Promise<void> {
  const selected = process.argv.slice(2).filter((argument) => argument !== "--watch");
  const mode = process.argv.includes("--watch") ? "watch" : "run";
  process.exitCode = await run("vitest", [mode, "--project", "memory", ...selected]);
}

void main();
