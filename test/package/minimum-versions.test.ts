import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { CLI_PACKAGE, cliFlags } from "../../tools/pulumi-cli/build";
import { packPackage } from "../../tools/release/package";
import { root } from "../../tools/run";
import { MINIMUM } from "../../tools/versions";
import { Pulumi } from "../engine/cli";
import { engineFixture } from "../engine/engine-fixture";
import { Stack } from "../engine/stack";
import { full } from "../full";

const folder = mkdtempSync(join(tmpdir(), "dbplatform-minimum-"));
const project = join(folder, "project");
const modules = join(project, "node_modules");
const run = (cwd: string, program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd, stdio: "pipe", env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" } });

/**
 * Declares one database with the plugin and one with the dynamic provider. Imports a database if the environment
 * contains its id.
 */
const PROGRAM = `
import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";

const imported = (id: string | undefined) => (id === undefined ? {} : { import: id });
const { ONE, TWO } = process.env;
new plugin.Database("one", { name: "one", group: "default" }, imported(ONE));
new dynamic.Database("two", { name: "two", group: "default" }, imported(TWO));
export const asked = [plugin.getOrganizationOutput().slug, dynamic.getOrganizationOutput().slug];
export const node = process.versions.node;
`;

/**
 * Installs the package's tarball with the oldest versions of Node.js and Pulumi's SDK that package.json allows. With
 * these versions, npm accepts only TypeScript 5.
 */
beforeAll(() => {
  mkdirSync(project);
  const described = { name: "user", private: true, main: "index.ts", allowScripts: { node: true } };
  writeFileSync(join(project, "package.json"), JSON.stringify(described));
  const names = [`@pulumi/pulumi@${MINIMUM.sdk}`, `node@${MINIMUM.node}`, "typescript@5", "@types/node@22"];
  run(project, "npm", "install", "--no-audit", "--no-fund", packPackage(root, folder), ...names);
  const plugins = "plugins:\n  providers:\n    - name: dbplatform\n      path: node_modules/pulumi-dbplatform\n";
  writeFileSync(join(project, "Pulumi.yaml"), `name: minimum\nruntime: nodejs\n${plugins}`);
  writeFileSync(join(project, "index.ts"), PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Builds the oldest supported CLI, and copies the language hosts that the other tests use, because older hosts cannot
 * be built.
 */
function oldestCli(): string {
  const cli = join(folder, "cli");
  const bin = join(cli, "bin");
  mkdirSync(bin, { recursive: true });
  run(cli, "go", "mod", "init", "oldest-cli");
  run(cli, "go", "get", "-tool", `${CLI_PACKAGE}@v${MINIMUM.cli}`);
  run(cli, "go", "build", "-mod=mod", "-trimpath", "-buildvcs=false", ...cliFlags(MINIMUM.cli), "-o", bin, CLI_PACKAGE);
  const hosts = readdirSync(Pulumi.bin).filter((name) => name.startsWith("pulumi-language-"));
  for (const host of hosts) copyFileSync(join(Pulumi.bin, host), join(bin, host));
  return bin;
}

async function story(): Promise<void> {
  const here = await engineFixture();
  const stack = await Stack.create({ environment: here.environment, program: { folder: project } });
  onTestFinished(() => stack.remove());
  const first = [join(modules, ".bin"), join(modules, "@pulumi/pulumi")];
  stack.setEnvironment({ PATH: [...first, dirname(join(Pulumi.bin, "pulumi")), process.env.PATH].join(delimiter) });
  const succeeds = async (...args: string[]) => {
    const { code, output } = await stack.cli(...args);
    expect(code, output).toBe(0);
  };

  await succeeds("preview");
  expect(here.takeWrites()).toEqual([]);
  await succeeds("up", "--yes");
  expect(await stack.outputs()).toEqual({ asked: ["acme", "acme"], node: MINIMUM.node });
  const { one = "", two = "", ...others } = await here.databases();
  expect(others).toEqual({});
  await succeeds("preview", "--expect-no-changes");

  for (const dbId of [one, two]) await here.deleteDatabase(dbId);
  const drift = await stack.cli("preview", "--expect-no-changes");
  expect(drift.code).toBe(7);
  expect(drift.output).toContain('warning: Database "one" was deleted');
  await succeeds("up", "--yes", "--refresh", "--run-program");
  expect(await here.databases()).toEqual({ one, two });
  await succeeds("destroy", "--yes");
  expect(await here.databases()).toEqual({});

  stack.setEnvironment({ ONE: one, TWO: two });
  await succeeds("up", "--yes");
  expect(await here.databases()).toEqual({ one, two });
  await succeeds("up", "--yes", "--refresh", "--expect-no-changes");
  await succeeds("destroy", "--yes");
}

test(
  "creates, restores, imports and destroys databases on the oldest supported Node.js and SDK",
  { tags: "more" },
  story,
);

test.runIf(full)("creates, restores, imports and destroys databases with the oldest supported CLI", async () => {
  vi.stubEnv("PULUMI_BIN", oldestCli());
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(String(run(folder, join(Pulumi.bin, "pulumi"), "version")).trim()).toBe(`v${MINIMUM.cli}`);
  await story();
});

test("prints no warning on the oldest supported Node.js", { tags: "more" }, () => {
  const { stdout, stderr } = spawnSync(join(modules, ".bin/node"), [
    join(modules, ".bin/dbplatform"),
    "api",
    "openapi",
  ]);
  expect([String(stdout).slice(0, 1), String(stderr)]).toEqual(["{", ""]);
});

test("compiles a program with the oldest supported SDK", { tags: "more" }, () => {
  const options = ["--noEmit", "--strict", "--skipLibCheck", "false", "--types", "node", "--target", "es2022"];
  const resolved = ["--module", "nodenext", "--moduleResolution", "nodenext"];
  expect(run(project, join(modules, ".bin/tsc"), ...options, ...resolved, "index.ts").toString()).toBe("");
});
