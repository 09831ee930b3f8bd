import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
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
