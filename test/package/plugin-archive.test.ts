import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { version } from "../../package.json";
import { type PublishedFile, packPlugin } from "../../tools/release/archives";
import { root } from "../../tools/run";
import { engineFixture } from "../engine/engine-fixture";
import { Stack } from "../engine/stack";
import { type DownloadServer, downloadServer } from "./stamped-release";

const folder = mkdtempSync(join(tmpdir(), "dbplatform-archives-"));
let packed: readonly PublishedFile[];
let server: DownloadServer;

beforeAll(async () => {
  packed = packPlugin(root, version, folder);
  server = await downloadServer();
  server.files = packed;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const namesIn = (archive: string): string[] => execFileSync("tar", ["-tzf", archive]).toString().trim().split("\n");

test("builds an archive of at most 600 KB for each platform, and a list of checksums", () => {
  const archives = packed.filter(({ path }) => path.endsWith(".tar.gz"));
  expect(archives).toHaveLength(6);
  expect(Math.max(...archives.map(({ bytes }) => bytes))).toBeLessThan(600_000);
  const checksums = packed.find(({ path }) => path.endsWith("checksums.txt"));
  expect(readFileSync(checksums?.path ?? "", "utf8")).toBe(
    archives.map(({ path, sha256 }) => `${sha256}  ${basename(path)}\n`).join(""),
  );
});

test("packs only the plugin into each archive, and adds a `.cmd` file for Windows", () => {
  for (const { path } of packed.filter(({ path }) => path.endsWith(".tar.gz"))) {
    const names = namesIn(path);
    expect(names.filter((name) => /package\.json|PulumiPlugin|adopt|dynamic|reference/.test(name))).toEqual([]);
    // The plugin reads this file when Pulumi asks for the schema.
    expect(names).toContain("./schema.json");
    expect(names.includes("./pulumi-resource-dbplatform.cmd")).toBe(path.includes("windows"));
  }
});

const PROGRAM = (address: string) => `name: downloaded
runtime: yaml
resources:
  orders:
    type: dbplatform:Database
    properties: { name: orders, group: default }
    options: { version: ${version}, pluginDownloadURL: "${address}" }
`;

test("downloads the plugin from the URL in the resource option `pluginDownloadURL`", { tags: "more" }, async () => {
  const here = await engineFixture();
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "Pulumi.yaml"), PROGRAM(server.address));
  const stack = await Stack.create({ environment: here.environment, program: { folder: project } });
  stack.setEnvironment({ PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" });
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  expect(Object.keys(await here.databases())).toEqual(["orders"]);
  expect(existsSync(join(stack.folder, "home/plugins", `resource-dbplatform-v${version}`))).toBe(true);
  stack.remove();
});
