import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { expect, onTestFinished, test } from "vitest";
import { invalidEngineAddress } from "../../kit/plugin/messages";
import { root } from "../../tools/run";

const EXECUTABLE = "pulumi-resource-dbplatform";

function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of [EXECUTABLE, "dist", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  return folder;
}

async function start(folder: string, ...args: string[]): Promise<{ plugin: ChildProcess; port: number }> {
  const plugin = spawn(join(folder, EXECUTABLE), args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void plugin.kill("SIGKILL"));
  return { plugin, port: Number(await new Promise((resolve) => plugin.stdout.once("data", resolve))) };
}

/** Sends a first request, so that the plugin loads all its modules. */
function ask(port: number): Promise<unknown> {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  return new Promise((resolve, reject) =>
    client.getPluginInfo(new Empty(), (failure, answer) => (failure ? reject(failure) : resolve(answer))),
  );
}

test("writes the compile cache to a private folder in the package while the plugin is still running", async () => {
  const folder = installed();
  const { plugin, port } = await start(folder);
  await ask(port);
  const compiled = join(folder, ".compile-cache");
  await expect.poll(() => readdirSync(compiled, { recursive: true }).length).toBeGreaterThan(3);
  plugin.kill("SIGKILL");
  expect(statSync(compiled).mode & 0o777).toBe(0o700);
  const again = await start(folder);
  await ask(again.port);
});

test("starts the plugin even if the compile cache cannot be written", async () => {
  const folder = installed();
  writeFileSync(join(folder, ".compile-cache"), "");
  const { port } = await start(folder);
  await ask(port);
});

test("exits with a one-sentence error if the engine's address has no port", async () => {
  const plugin = spawn(join(root, EXECUTABLE), ["engine"], { stdio: ["ignore", "ignore", "pipe"] });
  const [[code], printed] = await Promise.all([once(plugin, "exit"), text(plugin.stderr)]);
  expect({ code, printed }).toEqual({ code: 1, printed: `${invalidEngineAddress({ address: "engine" })}\n` });
});

test("exits when its engine exits, even if the plugin never received a call", async () => {
  const engine = new Server();
  const port = await new Promise((resolve) =>
    engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_, bound) => resolve(bound)),
  );
  // Passes flags before the engine's address, as the engine does when it runs with `-v` and `--tracing`.
  const { plugin } = await start(root, "--logtostderr", "-v=11", `127.0.0.1:${port}`);
  const ended = once(plugin, "exit");
  engine.forceShutdown();
  expect(await ended).toEqual([0, null]);
});
