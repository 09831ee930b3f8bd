// @module-tag more

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import type { Seed } from "../../../platform/reference/seed/seed";
import { gensdk } from "../../../tools/gensdk";
import { linkModules } from "../../../tools/project";
import { root } from "../../../tools/run";
import { SCHEMA_FILE } from "../../../tools/schema";
import { examplesIn } from "../../sdk/schema-examples";
import { type EngineFixture, engineFixture } from "../engine-fixture";
import type { Run, Stack } from "../stack";
import { serveGoHost } from "./go-host";
import { pythonHost } from "./python-host";

/** The data that the examples expect: two groups, and databases named "orders", one of which is deleted. */
const SEED: Seed = {
  users: [{ username: "ada" }, { username: "max" }],
  organizations: [
    {
      slug: "acme",
      plan: "scaler",
      members: [{ username: "ada", role: "owner" }],
      groups: [{ name: "default" }, { name: "shared" }, { name: "old", deleted_at: "-1d" }],
      databases: [{ name: "orders" }, { name: "orders-old", deleted_at: "-1d" }],
    },
  ],
};

/** The first run is slow, because it downloads packages and compiles Pulumi's SDKs. */
const FIRST_BUILD = { timeout: 600_000 };

const UP = ["up", "--yes", "--skip-preview"] as const;

/** Creates a folder that is removed when the test ends. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-examples-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a project with the given runtime and a folder of migrations. The project uses the plugin in this repository. */
function projectOf(runtime: string, more: object = {}): string {
  const folder = temporaryFolder();
  cpSync(join(root, "examples/migrations/drizzle"), join(folder, "drizzle"), { recursive: true });
  const plugins = { providers: [{ name: "dbplatform", path: root }] };
  writeFileSync(join(folder, "Pulumi.yaml"), stringify({ name: "examples", runtime, plugins, ...more }));
  return folder;
}

/**
 * Runs an example that calls a function, then an example that creates databases. Deletes these databases outside
 * Pulumi, and restores them by running the example again. At last, runs the example that migrates one of them.
 */
async function playStory(here: EngineFixture, stack: Stack, run: (example: string) => Promise<Run>): Promise<void> {
  expect(await run("getDatabases")).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toMatchObject({ databases: [{ name: "orders" }], truncated: false });
  expect(await run("Database")).toMatchObject({ code: 0 });
  const { orders: _, ...made } = await here.databases();
  expect(Object.keys(made).map((name) => name.split("-")[0])).toEqual(["orders", "search", "staging"]);
  for (const dbId of Object.values(made)) await here.deleteDatabase(dbId);
  expect(await run("Database")).toMatchObject({ code: 0 });
  expect(await here.databases()).toMatchObject(made);
  const { code, output } = await run("DatabaseMigrations");
  expect(code, output).toBe(0);
  expect(output).toMatch(/Applied the pending migrations to database "orders-/);
}

type Program = Readonly<Record<"variables" | "resources" | "outputs", Readonly<Record<string, unknown>> | undefined>>;

/** Returns all YAML examples as one program. Resource names get prefixes, because several examples declare "orders". */
function allYaml(): object {
  const programs = Object.entries(examplesIn("yaml")).map(([example, text]): Program => {
    const prefix = example.toLowerCase();
    const prefixed = parse(text.replaceAll("${", `\${${prefix}`));
    return Object.fromEntries(
      Object.entries(prefixed).map(([section, entries]) => [
        section,
        Object.fromEntries(Object.entries(entries as object).map(([name, value]) => [prefix + name, value])),
      ]),
    ) as Program;
  });
  const all = (section: keyof Program) => Object.assign({}, ...programs.map((program) => program[section]));
  return { variables: all("variables"), resources: all("resources"), outputs: all("outputs") };
}

test("runs the YAML examples of all resources and functions", async () => {
  const here = await engineFixture({ seed: SEED, sql: true });
  const stack = await here.stack({ folder: projectOf("yaml", allYaml()) });
  const { code, output } = await stack.cli(...UP);
  expect(code, output).toBe(0);
  expect(await stack.outputs()).toMatchObject({
    getauditlogschanges: expect.arrayContaining([expect.objectContaining({ code: "db-create" })]),
    getdatabasehostname: expect.stringMatching(/^orders-acme\./),
    getdeleteddatabasesrestorable: [expect.objectContaining({ name: "orders-old" })],
    getdeletedgroupsrestorable: [expect.objectContaining({ name: "old" })],
  });
  const names = Object.keys(await here.databases());
  expect(names.filter((name) => /orders-|staging-/.test(name)).length).toBeGreaterThan(5);
});

test("runs the TypeScript examples, and restores deleted databases", async () => {
  const here = await engineFixture({ seed: SEED, sql: true });
  const folder = projectOf("nodejs");
  linkModules(folder);
  copyFileSync(join(root, "examples/quickstart/tsconfig.json"), join(folder, "tsconfig.json"));
  const stack = await here.stack({ folder });
  await playStory(here, stack, (example) => {
    writeFileSync(join(folder, "index.ts"), examplesIn("typescript")[example] ?? "");
    return stack.cli(...UP);
  });
});

/** Returns a program with two mistakes, which mypy finds. It contains the advice of the documentation. */
function mistakes(): string {
  const page = readFileSync(join(root, "docs/python.md"), "utf8");
  const [, applied = ""] = /```python\n(names = .*?)```/s.exec(page) ?? [];
  return `import pulumi
import pulumi_dbplatform as dbplatform

dbplatform.ApiToken("ci", group="default", scopes=[dbplatform.Scope.READ])
dbplatform.ApiToken("ci", group="default", scopes=["raed"])  # type: ignore[list-item]
${applied}
texts: pulumi.Output[list[str]] = names
numbers: pulumi.Output[list[int]] = names  # type: ignore[assignment]
`;
}

test("type-checks and runs the Python examples, and restores deleted databases", FIRST_BUILD, async () => {
  const here = await engineFixture({ seed: SEED, sql: true });
  const tools = temporaryFolder();
  gensdk(["python", SCHEMA_FILE, join(tools, "sdk")]);
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: tools, stdio: "pipe" });
  const environment = join(tools, "environment");
  run("python3", "-m", "venv", environment);
  const installed = (name: string) => join(environment, "bin", name);
  run(installed("pip"), "install", "--quiet", "--disable-pip-version-check", "./sdk", "mypy");
  const programs = Object.entries(examplesIn("python"));
  for (const [name, program] of programs) writeFileSync(join(tools, `${name}.py`), program);
  run(installed("mypy"), ...programs.map(([name]) => `${name}.py`));
  // Mypy reports a comment that ignores no error.
  writeFileSync(join(tools, "mistakes.py"), mistakes());
  run(installed("mypy"), "--warn-unused-ignores", "mistakes.py");

  const folder = projectOf("python");
  const stack = await here.stack({ folder });
  const path = [pythonHost(tools), join(environment, "bin"), stack.environment.PATH];
  stack.setEnvironment({ PATH: path.join(delimiter) });
  await playStory(here, stack, (example) => {
    copyFileSync(join(tools, `${example}.py`), join(folder, "__main__.py"));
    return stack.cli(...UP);
  });
});

test("compiles and runs the Go examples, and restores deleted databases", FIRST_BUILD, async () => {
  const here = await engineFixture({ seed: SEED, sql: true });
  const tools = temporaryFolder();
  gensdk(["go", SCHEMA_FILE, tools]);
  for (const file of ["go.mod", "go.sum"]) copyFileSync(join(root, "tools/pulumi-cli", file), join(tools, file));
  const programs = Object.entries(examplesIn("go"));
  for (const [name, program] of programs) {
    mkdirSync(join(tools, "programs", name), { recursive: true });
    writeFileSync(join(tools, "programs", name, "main.go"), program);
  }
  const [, path = ""] = /"(\S+)\/dbplatform"/.exec(programs[0]?.[1] ?? "") ?? [];
  const env = { ...process.env, CGO_ENABLED: "0" };
  const go = (...args: string[]) => execFileSync("go", args, { cwd: tools, env, stdio: "pipe" });
  go("mod", "edit", "-module", path);
  go("build", "-mod=mod", "-o", `${join(tools, "built")}/`, "./programs/...");

  let shown = "";
  const client = await serveGoHost(() => join(tools, "built", shown));
  const stack = await here.stack({ folder: projectOf("go") });
  await playStory(here, stack, (example) => {
    shown = example;
    return stack.cli(...UP, `--client=${client}`);
  });
});
