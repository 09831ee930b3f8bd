import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startReferenceApi } from "../../platform/reference/server";
import { UNLISTED, unlistedTypes } from "../../provider/adopt/messages";
import { root } from "../../tools/run";
import { environmentOf } from "../engine/engine-fixture";
import { creation, inDefault } from "../scopes/previews";

/** Runs a command whose standard output has no reader. */
async function unread(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [join(root, "dist/dbplatform.js"), command, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  return { code, stderr };
}

test("`dbplatform adopt` prints its notes and succeeds if the reader of its output closes the pipe", async () => {
  const api = await startReferenceApi();
  onTestFinished(() => api.close());
  const types = ["DatabaseMigrations", "DatabaseToken", "GroupToken", "SigningKeyRotation"];
  const { code, stderr } = await unread("adopt", [], environmentOf(api));
  expect({ code, first: stderr.split("\n")[0] }).toEqual({
    code: 0,
    first: unlistedTypes({ types, reason: UNLISTED }),
  });
  expect(stderr).not.toContain("EPIPE");
});

test("`dbplatform scopes` succeeds if the reader of its output closes the pipe", async () => {
  const folder = mkdtempSync(join(tmpdir(), "closed-pipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const preview = join(folder, "preview.json");
  writeFileSync(preview, JSON.stringify({ steps: [creation("Database", "orders", inDefault)] }));
  expect(await unread("scopes", [preview])).toEqual({ code: 0, stderr: "" });
});
