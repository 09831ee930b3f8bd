import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { compileGensdk } from "../../tools/gensdk";
import { progressLines } from "../../tools/pulumi-cli/progress";

/** Puts a program in the place of Go, which takes minutes. */
function installGo(script: string): void {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-go-"));
  writeFileSync(join(folder, "go"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "go"), 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
}

test("says how long compiling the code generators takes the first time, and when it is done", async () => {
  installGo('test "$1 $2 $3" = "build -v -o"');
  const said: string[] = [];
  await compileGensdk(progressLines((line) => said.push(line)));
  expect(said).toEqual([
    expect.stringMatching(/^Pulumi's code generators .*the first time.* minutes.*\.\.\.$/),
    expect.stringMatching(/: done in /),
  ]);
});

test("fails with the last lines of Go if the code generators do not compile", async () => {
  installGo("echo no required module >&2; exit 1");
  await expect(compileGensdk(progressLines(() => {}))).rejects.toThrow("go ended with status 1\nno required module");
});
