import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../run";

const STRYKER = ["@stryker-mutator/core@10.1.1", "@stryker-mutator/vitest-runner@10.1.1"];

/** Runs the sample of mutations in a clone of the last commit. Arguments are passed to Stryker. */
function main(args: readonly string[]): void {
  const clone = mkdtempSync(join(tmpdir(), "dbplatform-mutation-"));
  const inClone = (program: string, ...rest: string[]) => execFileSync(program, rest, { cwd: clone, stdio: "inherit" });
  try {
    inClone("git", "clone", "--quiet", root, ".");
    inClone("npm", "ci");
    inClone("npm", "install", "--no-save", "--ignore-scripts", ...STRYKER);
    inClone("npx", "--no-install", "stryker", "run", "tools/lab/mutation/stryker.config.mjs", ...args);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

main(process.argv.slice(2));
