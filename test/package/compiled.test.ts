import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../../tools/run";

function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-compiled-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["dist", "package.json"]) cpSync(join(root, name), join(folder, name), { recursive: true });
  return folder;
}

/** Starts the reference API, waits until it is ready, and stops it. */
async function start(folder: string): Promise<void> {
  const server = spawn(process.execPath, [join(folder, "dist/dbplatform.js"), "api", "serve", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const ended = once(server, "exit");
  expect(JSON.parse(String((await once(server.stdout, "data"))[0]))).toHaveProperty("url");
  server.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
}

test("caches the compiled reference API beside the package, and lets only the user read the cache", async () => {
  const folder = installed();
  await start(folder);
  const compiled = join(folder, ".compile-cache");
  expect(statSync(compiled).mode & 0o777).toBe(0o700);
  expect(readdirSync(compiled, { recursive: true }).length).toBeGreaterThan(3);
  await start(folder);
});

test("starts the reference API even if the compile cache cannot be written", async () => {
  const folder = installed();
  writeFileSync(join(folder, ".compile-cache"), "");
  await start(folder);
});
