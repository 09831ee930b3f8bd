import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../../tools/run";
import { full } from "../full";

test.runIf(full)("npm builds the package when a project installs it from a git repository", () => {
  const project = mkdtempSync(join(tmpdir(), "dbplatform-git-"));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  writeFileSync(join(project, "package.json"), '{"name": "user", "private": true}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", `git+file://${root}`], { cwd: project, stdio: "pipe" });
  const script = 'console.log(typeof require("pulumi-dbplatform").Database)';
  expect(execFileSync(process.execPath, ["-e", script], { cwd: project }).toString()).toBe("function\n");
});
