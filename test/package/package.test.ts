// @module-tag secrets-stay-secret

import { execFile, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { credentials } from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import Ajv from "ajv";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { withPlugin } from "../../tools/project";
import { published } from "../../tools/release/archives";
import { packPackage } from "../../tools/release/package";
import { root } from "../../tools/run";
import { brokenLinksIn, linksIn } from "../docs/links";
import { Pulumi } from "../engine/cli";
import { engineFixture } from "../engine/engine-fixture";
import { leaksIn } from "../engine/secrets";
import { Stack } from "../engine/stack";
import { copyRepository } from "./stamped-release";

const folder = mkdtempSync(join(tmpdir(), "dbplatform-package-"));
const project = join(folder, "project");
let packed: string;
const { version, pulumi } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const npm = (cwd: string, ...args: string[]) => execFileSync("npm", args, { cwd, stdio: "pipe" }).toString();

/** Installs the package's tarball and Pulumi into an empty folder, as users do. */
beforeAll(() => {
  packed = packPackage(root, folder);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"name": "user", "private": true, "main": "index.ts"}');
  const names = ["@pulumi/pulumi@3", "typescript@6", "@types/node@24"];
  npm(project, "install", "--no-audit", "--no-fund", "--ignore-scripts", packed, ...names);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const REFERENCE_PROGRAM = `
import { type Fault, type ReferenceApi, type Seed, startReferenceApi } from "pulumi-dbplatform/reference";
const seed: Seed = {
  users: [{ username: "ada" }],
  organizations: [{ slug: "acme", members: [{ username: "ada", role: "owner" }], groups: [{ name: "default", deleted_at: "-2d" }] }],
};
const fault: Fault = { operation: "createDatabase", status: 503 };
// @ts-expect-error No such operation.
const wrong: Fault = { operation: "createDatabaze", status: 503 };
// @ts-expect-error No such role.
const nobody: Seed = { ...seed, organizations: [{ slug: "acme", members: [{ username: "ada", role: "chief" }] }] };
export async function story(): Promise<number> {
  const api: ReferenceApi = await startReferenceApi({ seed, faults: [fault, wrong], now: new Date() });
  await api.clock.set(null);
  const id: string = api.fault({ operation: "*", latency: 5 });
  api.removeFault(id);
  const token: string = await api.token({ role: "viewer" });
  await api.reset();
  await api.close();
  return api.journal().filter(({ status, fault: fired }) => status === 503 && fired).length + token.length + Object.keys(nobody).length;
}
`;

const compile = (...args: string[]): string =>
  execFileSync(process.execPath, [join(project, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", ...args], {
    cwd: project,
  }).toString();

type Described = { description?: string; properties?: object; items?: Described; anyOf?: Described[] };

/** Returns every property in the schema, at any depth, with its path. */
function propertiesOf(schema: Described, path = ""): [path: string, property: Described][] {
  const inside = [schema.items, ...(schema.anyOf ?? [])].flatMap((part) => (part ? propertiesOf(part, path) : []));
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]): [string, Described][] => [
    [`${path}/${name}`, property],
    ...propertiesOf(property, `${path}/${name}`),
  ]);
  return [...own, ...inside];
}

function shown(language: string): string {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(readme)?.[1] ?? "";
}

// A released package names a download server, which may not exist yet.
test.skipIf(pulumi.server)("`pulumi install` looks for the plugin of an unreleased package on no server", async () => {
  const here = await engineFixture();
  writeFileSync(join(project, "Pulumi.yaml"), withPlugin(shown("yaml")));
  writeFileSync(join(project, "index.ts"), shown("typescript"));
  const stack = await Stack.create({ environment: here.environment, program: { folder: project } });
  // Uses the real home folder, because npm finds its settings there.
  stack.setEnvironment({ HOME: homedir(), PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" });
  expect(await stack.cli("install")).toMatchObject({ code: 0 });
  stack.remove();
});

/** The options of the compiler by `moduleResolution`, with the tags of the test. Most programs resolve as `nodenext` does. */
const RESOLUTIONS = [
  ["nodenext", ["--module", "nodenext", "--moduleResolution", "nodenext"], []],
  ["node", ["--module", "commonjs", "--moduleResolution", "node10", "--ignoreDeprecations", "6.0"], ["more"]],
] as const;

for (const [name, options, tags] of RESOLUTIONS)
  test(`compiles programs with \`moduleResolution: ${name}\` against both SDKs and the reference API`, {
    tags: [...tags],
  }, () => {
    const dynamic = 'import { Database } from "pulumi-dbplatform/dynamic";\nnew Database("x", { group: "default" });\n';
    const files = [`${name}.ts`, `reference-${name}.ts`];
    for (const [index, text] of [shown("typescript") + dynamic, REFERENCE_PROGRAM].entries())
      writeFileSync(join(project, files[index] ?? ""), text);
    const checked = ["--types", "node", "--esModuleInterop", "--skipLibCheck", "false"];
    expect(compile(...checked, ...options, ...files)).toBe("");
  });

test("starts the reference API in a program, with its page and its OpenAPI description", () => {
  const script = `
    const { startReferenceApi } = require("pulumi-dbplatform/reference");
    (async () => {
      const api = await startReferenceApi();
      const get = async (path) => (await fetch(api.url + path, { headers: { Authorization: "Bearer " + api.apiToken } })).status;
      const paths = ["/v1/locations", "/openapi.json", "/_reference/health", "/", "/page/page.css", "/page/live.js", "/page/morphlex.min.js", "/docs", "/docs/redoc.js"];
      console.log(JSON.stringify(await Promise.all(paths.map(get))));
      await api.close();
    })();`;
  const printed = execFileSync(process.execPath, ["-e", script], { cwd: project }).toString();
  expect(JSON.parse(printed)).toEqual(Array(9).fill(200));
});

test("`dbplatform adopt` finds a database on the platform, and `npx` runs `dbplatform`", async () => {
  const here = await engineFixture();
  const dbId = await here.createDatabase("orders");
  const run = (...args: string[]) =>
    promisify(execFile)(join(project, "node_modules/.bin/dbplatform"), args, {
      env: { ...process.env, ...here.environment },
    });
  const { stdout } = await run("adopt", "--type", "Database");
  expect(JSON.parse(stdout).resources).toMatchObject([{ name: "ordersDatabase", id: dbId }]);
  expect((await run("--version")).stdout).toBe(`${version}\n`);
  // With one binary, npx needs the name of the package alone, and asks no registry.
  const npx = promisify(execFile)("npx", ["--offline", "pulumi-dbplatform", "--version"], { cwd: project });
  expect((await npx).stdout).toBe(`${version}\n`);
});

test("runs the vitest example as written", { tags: "more" }, () => {
  const example = join(folder, "vitest-example");
  cpSync(join(root, "examples/vitest"), example, { recursive: true });
  mkdirSync(join(example, "node_modules/@types"), { recursive: true });
  const linked = {
    "pulumi-dbplatform": join(project, "node_modules/pulumi-dbplatform"),
    "@types/node": join(project, "node_modules/@types/node"),
    vitest: join(root, "node_modules/vitest"),
    "@libsql/client": join(root, "node_modules/@libsql/client"),
  };
  mkdirSync(join(example, "node_modules/@libsql"));
  for (const [name, path] of Object.entries(linked)) symlinkSync(path, join(example, "node_modules", name));
  const run = (program: string, ...args: string[]) =>
    execFileSync(process.execPath, [program, ...args], {
      cwd: example,
      env: { ...process.env, NO_COLOR: "1" },
    }).toString();
  expect(run(join(root, "node_modules/vitest/vitest.mjs"), "run")).toMatch(/Tests +9 passed/);
  expect(run(join(project, "node_modules/typescript/bin/tsc"), "-p", ".")).toBe("");
});

test("the package's JSON schemas for seeds and faults are valid and describe every property", () => {
  for (const name of ["seed", "faults"]) {
    const path = require.resolve(`pulumi-dbplatform/${name}.schema.json`, { paths: [project] });
    const schema = JSON.parse(readFileSync(path, "utf8"));
    expect(new Ajv({ formats: { uuid: true } }).validateSchema(schema)).toBe(true);
    expect(propertiesOf(schema).filter(([, { description }]) => !description)).toEqual([]);
  }
});

test("Pulumi's run-plugin starts the plugin from a checkout through `PulumiPlugin.yaml`", async () => {
  const runner = join(root, "node_modules/@pulumi/pulumi/cmd/run-plugin/index.js");
  const plugin = spawn(process.execPath, [runner, root], { cwd: project, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void plugin.kill("SIGKILL"));
  const port = await new Promise((resolve) => plugin.stdout.once("data", (text) => resolve(String(text).trim())));
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const info = await new Promise<PluginInfo>((resolve, reject) =>
    client.getPluginInfo(new Empty(), (failure, answer) => (failure ? reject(failure) : resolve(answer))),
  );
  expect(info.getVersion()).toBe(version);
  client.close();
});

test("`pulumi do --package` rejects the package's folder, and installs nothing there", {
  tags: "more",
}, async () => {
  const installed = "./node_modules/pulumi-dbplatform";
  const files = () => readdirSync(join(project, installed));
  const before = files();
  const home = join(folder, "do-home");
  mkdirSync(home);
  const pulumi = (path: string) =>
    promisify(execFile)(join(Pulumi.bin, "pulumi"), ["do", "--package", path, "dbplatform:index:getGroup", "--help"], {
      cwd: project,
      env: { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" },
    });
  await expect(pulumi(installed)).rejects.toThrow("to have an executable named");
  expect(files()).toEqual(before);
  expect((await pulumi(`${installed}/pulumi-resource-dbplatform`)).stdout).toContain("getGroup");
});

test("the package contains a schema that `pulumi package add` accepts", { tags: "more" }, () => {
  const other = join(folder, "other-language");
  mkdirSync(other);
  writeFileSync(join(other, "Pulumi.yaml"), "name: other\nruntime: yaml\n");
  const environment = {
    PULUMI_HOME: join(folder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  const schema = join(project, "node_modules/pulumi-dbplatform/schema.json");
  execFileSync(join(Pulumi.bin, "pulumi"), ["package", "add", schema], {
    cwd: other,
    env: { ...process.env, ...environment },
    stdio: "pipe",
  });
  expect(readdirSync(join(other, "sdks/dbplatform"))).toEqual([`dbplatform-${version}.yaml`]);
});

test("the package can be loaded with `require` in plain JavaScript", () => {
  const script = 'const d = require("pulumi-dbplatform"); console.log(JSON.stringify(Object.keys(d)));';
  const names = execFileSync(process.execPath, ["-e", script], { cwd: project }).toString();
  const { resources, functions } = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));
  const declared = Object.keys({ ...resources, ...functions }).map((token) => token.split(":").at(-1));
  expect(JSON.parse(names)).toEqual(expect.arrayContaining([...declared, "Provider", "config"]));
});

test("the package contains its schema, docs and licences, but no tests, sources or source maps of the provider", () => {
  const installed = join(project, "node_modules/pulumi-dbplatform");
  const files = readdirSync(installed, { recursive: true }).map(String);
  const own = files.filter((file) => !file.startsWith("examples"));
  expect(own.filter((file) => /(^test|\.map$|(?<!\.d)\.ts$)/.test(file))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(["pulumi-resource-dbplatform", "pulumi-resource-dbplatform.cmd", "schema.json", "LICENSE"]),
  );
  expect(files).toEqual(expect.arrayContaining(["skills/dbplatform/SKILL.md", "docs/agents.md", "docs/restore.md"]));
  expect(files).toEqual(
    expect.arrayContaining([
      "dist/LICENCES.txt",
      "dist/platform/dist/assets/morphlex.LICENSE",
      "dist/platform/dist/assets/redoc.LICENSE",
      "dist/platform/dist/assets/redoc.standalone.js.LICENSE.txt",
    ]),
  );
});

test("the pages in the package link only to files and headings in the package", () => {
  const installed = join(project, "node_modules/pulumi-dbplatform");
  expect(linksIn(installed).length).toBeGreaterThan(100);
  expect(brokenLinksIn(installed)).toEqual([]);
});

test("the pages in the package name no file that the package lacks, except tests and files of the repository", () => {
  const installed = join(project, "node_modules/pulumi-dbplatform");
  const pages = readdirSync(installed, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".md"));
  const missing = pages.flatMap((page) =>
    [
      ...readFileSync(join(installed, page), "utf8").matchAll(
        /`((?!test\/)[\w.-]+(?:\/[\w.-]+)+)`(?! in the repository)/g,
      ),
    ].flatMap(([, path = ""]) =>
      existsSync(join(root, path)) && !existsSync(join(installed, path)) ? `${page}: ${path}` : [],
    ),
  );
  expect(missing).toEqual([]);
});

test("no script of the package refers to a source map, which the package lacks", () => {
  const dist = join(project, "node_modules/pulumi-dbplatform/dist");
  const scripts = readdirSync(dist, { recursive: true })
    .map(String)
    .filter((file) => /\.(js|ts)$/.test(file));
  expect(scripts.filter((file) => readFileSync(join(dist, file), "utf8").includes("\n//# sourceMappingURL="))).toEqual(
    [],
  );
});

test("`npm pack` in a checkout makes the file of a release, and changes nothing in the checkout", {
  tags: "more",
}, () => {
  const checkout = join(folder, "checkout");
  copyRepository(checkout);
  const textOf = (file: string) => readFileSync(join(checkout, file), "utf8");
  const changed = ["package.json", "README.md", "SECURITY.md"];
  const before = changed.map(textOf);
  const own = join(checkout, npm(checkout, "pack", "--silent").trim().split("\n").at(-1) ?? "");
  expect(changed.map(textOf)).toEqual(before);
  expect(existsSync(join(checkout, ".packing"))).toBe(false);
  const ofRelease = packPackage(checkout, mkdtempSync(join(folder, "release-")));
  expect(published(own).sha256).toBe(published(ofRelease).sha256);
});

test("the package's tarball is at most 1.7 MB", () => {
  expect(statSync(packed).size).toBeLessThan(1.7e6);
});

test("the package runs no script on installation, and depends only on Pulumi", () => {
  const { dependencies, ...others } = JSON.parse(
    readFileSync(join(project, "node_modules/pulumi-dbplatform/package.json"), "utf8"),
  );
  expect(Object.keys(dependencies)).toEqual(["@pulumi/pulumi"]);
  expect(Object.keys(others).filter((name) => /scripts|.Dependencies$|workspaces|imports/i.test(name))).toEqual([]);
  const { packages } = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
  expect(packages["node_modules/pulumi-dbplatform"].hasInstallScript).toBeUndefined();
});

test("the package contains no tokens, private keys or paths from the machine that built it", () => {
  const installed = join(project, "node_modules/pulumi-dbplatform");
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = files.filter(({ parentPath, name }) => {
    const text = readFileSync(join(parentPath, name), "utf8");
    return leaksIn(text).length > 0 || /PRIVATE KEY-----\s+\w{20}/.test(text) || text.includes(root);
  });
  expect(files.length).toBeGreaterThan(50);
  expect(holding.map(({ name }) => name)).toEqual([]);
});

test("the package contains a permissive licence text for each bundled dependency", () => {
  const text = readFileSync(join(project, "node_modules/pulumi-dbplatform/dist/LICENCES.txt"), "utf8");
  const listed = [...text.matchAll(/^─+\n\n(\S+) \d\S+ \((.*)\)\n\n(?=\S)/gm)];
  expect(listed.map(([, name]) => name)).toEqual(expect.arrayContaining(["hono", "undici", "zod"]));
  const permissive = /^(Apache-2\.0|MIT|ISC|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0)$/;
  const permits = (licence: string) =>
    licence
      .split(/ AND |[()]/)
      .filter(Boolean)
      .every((part) => permissive.test(part));
  expect(listed.filter(([, , licence = ""]) => !permits(licence)).map(([, ...found]) => found)).toEqual([]);
});
