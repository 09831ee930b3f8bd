import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { root } from "../../tools/run";
import { Stack } from "../engine/stack";
import { world } from "../engine/world";

const folder = mkdtempSync(join(tmpdir(), "dbplatform-package-"));
const project = join(folder, "project");
const npm = (cwd: string, ...args: string[]) => execFileSync("npm", args, { cwd, stdio: "pipe" }).toString();

/** What a user does: installs the packed file beside Pulumi, in a folder of their own. */
beforeAll(() => {
  npm(root, "pack", "--pack-destination", folder);
  const [packed = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"name": "user", "private": true, "main": "index.ts"}');
  const names = ["@pulumi/pulumi@3", "typescript@6", "@types/node@24"];
  npm(project, "install", "--no-audit", "--no-fund", "--ignore-scripts", join(folder, packed), ...names);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first code block of that language in the README. */
function shown(language: string): string {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(readme)?.[1] ?? "";
}

test("installed from the packed file, the program of the README runs as it is shown", async () => {
  const here = await world();
  writeFileSync(join(project, "Pulumi.yaml"), shown("yaml"));
  writeFileSync(join(project, "index.ts"), shown("typescript"));
  const stack = await Stack.create({ environment: here.environment, program: { folder: project } });
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  expect(Object.keys(await here.databases())).toHaveLength(1);
  expect(await stack.cli("destroy", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  stack.remove();
});

test.each([
  ["nodenext", ["--module", "nodenext", "--moduleResolution", "nodenext"]],
  ["node", ["--module", "commonjs", "--moduleResolution", "node10", "--ignoreDeprecations", "6.0"]],
])("programs with `moduleResolution: %s` compile against it, through both doors", (name, options) => {
  const file = `${name}.ts`;
  const dynamic = 'import { Database } from "pulumi-dbplatform/dynamic";\nnew Database("x", { group: "default" });\n';
  writeFileSync(join(project, file), shown("typescript") + dynamic);
  const compile = () =>
    execFileSync(
      join(project, "node_modules/.bin/tsc"),
      ["--noEmit", "--strict", "--types", "node", ...options, file],
      {
        cwd: project,
      },
    ).toString();
  expect(compile()).toBe("");
});

test("started as `PulumiPlugin.yaml` says, by Pulumi's own run-plugin, it serves", async () => {
  const runner = join(project, "node_modules/@pulumi/pulumi/cmd/run-plugin/index.js");
  const installed = join(project, "node_modules/pulumi-dbplatform");
  const plugin = spawn(process.execPath, [runner, installed], { cwd: project, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void plugin.kill("SIGKILL"));
  const port = await new Promise((resolve) => plugin.stdout.once("data", (text) => resolve(String(text).trim())));
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const info = await new Promise<PluginInfo>((resolve, reject) =>
    client.getPluginInfo(new Empty(), (failure, answer) => (failure ? reject(failure) : resolve(answer))),
  );
  expect(info.getVersion()).toBe("0.1.0");
  client.close();
});

test("a plain JavaScript program can require it", () => {
  const script = 'const d = require("pulumi-dbplatform"); console.log(Object.keys(d).sort().join());';
  const names = execFileSync(process.execPath, ["-e", script], { cwd: project }).toString().trim();
  expect(names).toBe("ApiToken,Database,DatabaseConfiguration,Group,Provider,config");
});

test("it brings what is run and nothing else: no tests, sources or maps", () => {
  const installed = join(project, "node_modules/pulumi-dbplatform");
  const files = readdirSync(installed, { recursive: true }).map(String);
  expect(files.filter((file) => /(^test|\.map$|(?<!\.d)\.ts$)/.test(file))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(["PulumiPlugin.yaml", "pulumi-resource-dbplatform", "schema.json", "LICENSE"]),
  );
});
