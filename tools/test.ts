import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePulumiCli } from "./pulumi-cli/ensure";
import { build, run } from "./run";

const projects = (...names: string[]) => names.flatMap((name) => ["--project", name]);

/** The arguments for Vitest, by command. Each inner list is one run of Vitest. */
const EXTENTS = {
  test: [[...projects("memory", "built", "stories"), "--tags-filter=!more"]],
  more: [
    [...projects("memory", "built"), "--tags-filter=more"],
    [...projects("more", "more-stories", "file", "postgres")],
  ],
  full: [[]],
} as const;

interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
}

/**
 * Finds the Pulumi CLI, builds the package, and runs the selected tests. If no tests are selected, runs all tests of
 * the npm script.
 */
async function main(): Promise<void> {
  const extent = process.argv.includes("--full") ? "full" : process.argv.includes("--more") ? "more" : "test";
  const selected = process.argv.slice(2).filter((argument) => !["--full", "--more"].includes(argument));
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  const { bin } = await ensurePulumiCli({ signal: interrupt.signal });
  await build();

  const folder = mkdtempSync(join(tmpdir(), "dbplatform-tests-"));
  const env = { ...process.env, PULUMI_BIN: bin, ...(extent === "full" ? { TEST_FULL: "1" } : {}) };
  const begun = Date.now();
  let [passed, failed] = [0, 0];
  try {
    for (const arguments_ of selected.length > 0 ? [selected] : EXTENTS[extent]) {
      const results = join(folder, "results.json");
      const reporters = ["--reporter=default", "--reporter=tools/failures.ts", "--reporter=json"];
      const code = await run("vitest", ["run", ...reporters, `--outputFile.json=${results}`, ...arguments_], env);
      process.exitCode ||= code;
      const { numPassedTests, numFailedTests, numFailedTestSuites }: Results = JSON.parse(
        readFileSync(results, "utf8"),
      );
      passed += numPassedTests;
      failed += numFailedTests || (code === 0 ? 0 : numFailedTestSuites);
    }
    console.log(`\n${((Date.now() - begun) / 60_000).toFixed(1)} minutes`);
    console.log(`${passed} passed, ${failed} failed`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((failure) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exitCode = 1;
});
