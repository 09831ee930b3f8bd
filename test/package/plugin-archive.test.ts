import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VERSION } from "../../provider/version";
import { type Published, packPlugin } from "../../tools/release/archives";
import { packPackage } from "../../tools/release/package";
import { root } from "../../tools/run";
import { engineFixture } from "../engine/engine-fixture";
import { Stack } from "../engine/stack";

const folder = mkdtempSync(join(tmpdir(), "dbplatform-archives-"));
let packed: readonly Published[];
let address: string;

/** Serves the archives by file name, like a download server for plugins. */
const server = createServer(({ url = "" }, response) => {
  const file = packed.find(({ path }) => `/${basename(path)}` === url);
  response
    // Sends the length, because Pulumi accepts no download without one.
    .writeHead(file ? 200 : 404, { "content-length": file?.bytes ?? 0 })
    .end(file && readFileSync(file.path));
});

beforeAll(async () => {
  packed = packPlugin(root, VERSION, folder);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

test("puts only the plugin into each archive, and a command file into the archives for Windows", () => {
  for (const { path } of packed.filter(({ path }) => path.endsWith(".tar.gz"))) {
    const names = namesIn(path);
    expect(names.filter((name) => /package\.json|PulumiPlugin|adopt|dynamic|reference/.test(name))).toEqual([]);
    // The plugin reads the schema when Pulumi asks for it.
    expect(names).toContain("./schema.json");
    expect(names.includes("./pulumi-resource-dbplatform.cmd")).toBe(path.includes("windows"));
  }
});

/** Programs that create the database "orders" and do not say where to find the plugin. */
const PROGRAMS = {
  "a YAML": () => ({
    "Pulumi.yaml": `name: downloaded
runtime: yaml
resources:
  orders:
    type: dbplatform:Database
    properties: { name: orders, group: default }
    options: { version: ${VERSION}, pluginDownloadURL: "${address}" }
`,
  }),
  "a JavaScript": () => ({
    "Pulumi.yaml": "name: downloaded\nruntime: nodejs\n",
    "package.json": '{ "name": "downloaded", "private": true, "main": "index.js" }',
    "index.js": `const { Database } = require("pulumi-dbplatform");
new Database("orders", { name: "orders", group: "default" });
`,
  }),
};

test.each(Object.entries(PROGRAMS))(
  "%s program downloads the plugin, and restores a database deleted outside Pulumi",
  { tags: "more" },
  async (language, files) => {
    const here = await engineFixture();
    const project = join(folder, language);
    mkdirSync(project);
    for (const [name, text] of Object.entries(files())) writeFileSync(join(project, name), text);
    if ("index.js" in files()) {
      const packages = [packPackage(root, folder, address), "@pulumi/pulumi@3"];
      const options = ["--no-audit", "--no-fund", "--ignore-scripts"];
      execFileSync("npm", ["install", ...options, ...packages], { cwd: project, stdio: "pipe" });
    }
    const stack = await Stack.create({ environment: here.environment, program: { folder: project } });
    stack.setEnvironment({ PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" });
    expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    const databases = await here.databases();
    await here.outside.deleteDatabase({ organizationSlug: "acme", databaseName: "orders" });
    expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual(databases);
    expect(await stack.cli("destroy", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    expect(existsSync(join(stack.folder, "home/plugins", `resource-dbplatform-v${VERSION}`))).toBe(true);
    stack.remove();
  },
);
