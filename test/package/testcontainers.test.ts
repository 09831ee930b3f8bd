import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packPackage } from "../../tools/release/package";
import { root } from "../../tools/run";
import { full } from "../full";

/** Copies the example in a language, and returns a function that runs programs in the copy. */
function example(language: string) {
  const folder = mkdtempSync(join(tmpdir(), "testcontainers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, "examples/testcontainers", language), folder, { recursive: true });
  return (program: string, ...args: string[]) => execFileSync(program, args, { cwd: folder, encoding: "utf8" });
}

// They need a container engine to run, which the workflow has.
test.runIf(full)("the example of testcontainers in TypeScript compiles", () => {
  const run = example("typescript");
  const packed = packPackage(root, mkdtempSync(join(tmpdir(), "testcontainers-packed-")));
  onTestFinished(() => rmSync(dirname(packed), { recursive: true }));
  run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", packed);
  expect(run("node_modules/.bin/tsc", "-p", ".")).toBe("");
});

test.runIf(full)("the example of testcontainers in Go compiles", () => {
  const run = example("go");
  expect(run("go", "vet", "./...")).toBe("");
  expect(run("gofmt", "-l", ".")).toBe("");
});

test.runIf(full)("the example of testcontainers in Python is found by pytest", () => {
  const run = example("python");
  run("python3", "-m", "venv", "venv");
  run("venv/bin/pip", "install", "--quiet", "--requirement", "requirements.txt");
  expect(run("venv/bin/python", "-m", "pytest", "--collect-only", "--quiet", "test_recovery.py")).toContain(
    "test_deleted_database_comes_back_with_its_rows_within_five_days",
  );
});
