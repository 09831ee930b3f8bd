import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePulumiCli } from "./pulumi-cli/ensure";
import { run } from "./run";

/** Engine runs are dear: more of them belong into the full run. */
const MOST_ENGINE_RUNS = 450;

/** Makes sure of the CLI, builds, runs every test (or those that the arguments select), and counts. */
async function main(): Promise<void> {
  const full = process.argv.includes("--full");
  const selected = process.argv.slice(2).filter((argument) => argument !== "--full");
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  const { bin } = await ensurePulumiCli({ signal: interrupt.signal });
  if ((await run("tsx", ["tools/build.ts"])) !== 0) throw new Error("the build failed");

  const folder = mkdtempSync(join(tmpdir(), "dbplatform-tests-"));
  const [runs, results] = [join(folder, "engine-runs"), join(folder, "results.json")];
  writeFileSync(runs, "");
  const begun = Date.now();
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
    const env = { ...process.env, PULUMI_BIN: bin, ENGINE_RUNS_FILE: runs, ...(full ? { TEST_FULL: "1" } : {}) };
    process.exitCode = await run("vitest", ["run", ...reporters, ...selected], env);
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(results, "utf8"));
    const engineRuns = statSync(runs).size;
    console.log(`\n${engineRuns} engine runs, ${((Date.now() - begun) / 60_000).toFixed(1)} minutes`);
    if (!full && engineRuns > MOST_ENGINE_RUNS) {
      console.error(`More than ${MOST_ENGINE_RUNS}: some of them belong into \`npm run test:full\`.`);
      process.exitCode = 1;
    }
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
