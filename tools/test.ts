import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePulumiCli } from "./pulumi-cli/ensure";
import { run } from "./run";

/** Makes sure of the CLI, builds, runs every test (or those that the arguments select), and counts. */
async function main(): Promise<void> {
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  const { bin } = await ensurePulumiCli({ signal: interrupt.signal });
  if ((await run("tsx", ["tools/build.ts"])) !== 0) throw new Error("the build failed");

  const folder = mkdtempSync(join(tmpdir(), "dbplatform-tests-"));
  const [runs, results] = [join(folder, "engine-runs"), join(folder, "results.json")];
  writeFileSync(runs, "");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
    const env = { ...process.env, PULUMI_BIN: bin, ENGINE_RUNS_FILE: runs };
    process.exitCode = await run("vitest", ["run", ...reporters, ...process.argv.slice(2)], env);
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(results, "utf8"));
    console.log(`\n${statSync(runs).size} engine runs`);
    console.log(
      `${numPassedTests} passed, ${numFailedTests || (process.exitCode === 0 ? 0 : numFailedTestSuites)} failed`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((failure) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exitCode = 1;
});
