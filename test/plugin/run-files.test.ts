import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isFirstByRunFile } from "../../kit/plugin/run-files";

test("keeps one file for each running engine, and removes those of engines that have ended", () => {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-first-"));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const { pid } = spawnSync(process.execPath, ["--version"]);
  for (const name of [`pulumi-dbplatform-${pid}-1`, "pulumi-dbplatform-cache"]) writeFileSync(join(folder, name), "");
  expect(
    ["127.0.0.1:1", "127.0.0.1:1", "127.0.0.1:2"].map((address) => isFirstByRunFile("dbplatform", address)),
  ).toEqual([true, false, true]);
  const own = [1, 2].map((port) => `pulumi-dbplatform-${process.ppid}-${port}`);
  expect(readdirSync(folder).sort()).toEqual([...own, "pulumi-dbplatform-cache"].sort());
});
