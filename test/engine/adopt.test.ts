// @module-tag more

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as dbplatform from "pulumi-dbplatform";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { restorableBriefly } from "../../provider/adopt/messages";
import { adopt, ORGANIZATION, SIZE } from "../adopt/organization";
import { type EngineFixture, engineFixture } from "./engine-fixture";
import type { Stack } from "./stack";
import { yamlProject } from "./yaml-project";

const DAY = 86_400;

/** Creates an empty project into which resources can be imported. */
async function emptyProject(here: EngineFixture): Promise<{ folder: string; stack: Stack }> {
  const folder = yamlProject("adopted", "");
  writeFileSync(join(folder, "Main.yaml"), "resources: {}\n");
  // Skips checkpoints, because the file backend would otherwise write the state once for each of the two hundred
  // resources.
  const environment = { ...here.environment, PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
  return { folder, stack: await here.stack({ folder }, { environment }) };
}

/** Imports the resources in an import file, and adds the generated code to the program. */
async function importInto({ folder, stack }: Awaited<ReturnType<typeof emptyProject>>, file: string): Promise<string> {
  const out = join(folder, "written.yaml");
  const imported = await stack.cli("import", "--file", file, "--out", out, "--yes", "--skip-preview");
  expect(imported, imported.output).toMatchObject({ code: 0 });
  expect(imported.output).not.toContain("failed to validate");
  const written = readFileSync(out, "utf8");
  const main = join(folder, "Main.yaml");
  const resources = { ...parse(readFileSync(main, "utf8")).resources, ...parse(written).resources };
  writeFileSync(main, stringify({ resources }));
  rmSync(out);
  return written;
}

test("imports two hundred objects without drift, lists unmanaged objects, and restores deleted objects", async () => {
  const here = await engineFixture({ seed: ORGANIZATION });
  const { api, outside, environment } = here;
  const organizationSlug = api.organization;
  const project = await emptyProject(here);
  const { folder, stack } = project;
  const path = (name: string) => join(folder, name);

  expect(await adopt(environment, ["--out", "all.json"], { cwd: folder })).toMatchObject({ code: 0 });
  const program = await importInto(project, path("all.json"));
  expect(program.match(/type: dbplatform:/g)).toHaveLength(SIZE);
  expect(program).toMatch(/group: \$\{defaultGroup\.id\}/);
  expect(program).toMatch(/database: \$\{classDatabase\.id\}/);
  expect(program).toMatch(/parent: \$\{shopGroup\}/);
  expect(program).not.toMatch(/token:|eyJ/);
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual([]);

  const { deployment } = await stack.exportState();
  writeFileSync(path("state.json"), JSON.stringify({ version: 3, deployment }));
  const stray = await here.createDatabase("stray");
  await outside.createApiToken({ tokenName: "stray", body: { organization: organizationSlug } });
  here.takeWrites();
  const unmanaged = await adopt(environment, ["--unmanaged", "--json", path("state.json")]);
  const found: { name: string; id: string }[] = JSON.parse(unmanaged.stdout).unmanaged;
  expect(found.map(({ name }) => name)).toEqual(["stray", "stray"]);
  expect(found[0]?.id).toBe(stray);

  const rest = ["--include-deleted", "--type", "Group", "--type", "Database", "--out", "rest.json", path("state.json")];
  expect(await adopt(environment, rest, { cwd: folder })).toMatchObject({ code: 0 });
  await importInto(project, path("rest.json"));
  expect(here.takeWrites()).toEqual([]);
  const restored = await stack.up();
  expect(restored, restored.output).toMatchObject({ code: 0 });
  expect(here.takeWrites().sort()).toEqual(["restoreDatabase", "restoreDatabase", "restoreGroup"]);
  expect(Object.keys(await here.databases())).toEqual(expect.arrayContaining(["in-gone", "lost", "twice", "stray"]));
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("a preview writes no import file for existing objects, because their names are in use", async () => {
  const here = await engineFixture();
  const id = await here.createDatabase("orders");
  const stack = await here.stack(async () => {
    new dbplatform.Database("orders", { name: "orders", group: "default" });
  });
  const file = join(stack.folder, "import.json");
  const { code, output } = await stack.preview({ importFile: file } as never);
  expect({ code, isWritten: existsSync(file) }).toEqual({ code: 1, isWritten: false });
  expect(output).toContain(`\`import: "${id}"\``);
});

test("for each deleted object, names the stack in which `pulumi up` restores the object", async () => {
  const here = await engineFixture();
  const { api, outside, environment } = here;
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-adopt-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const shop = await here.stack(async () => {
    const group = new dbplatform.Group("shop", { name: "shop", location: "aws-us-east-1" });
    new dbplatform.Database("carts", { name: "carts", group: group.id });
  });
  const orders = await here.stack(async () => {
    new dbplatform.Database("orders", { name: "orders", group: "default" });
  });
  const states: string[] = [];
  for (const [name, stack] of Object.entries({ shop, orders })) {
    await stack.deploy();
    const { deployment } = await stack.exportState();
    states.push(join(folder, `${name}.json`));
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ version: 3, deployment }));
  }
  await here.deleteDatabase(await here.createDatabase("stray"));
  await here.deleteDatabase((await here.databases()).orders ?? "");
  await outside.deleteGroup({ organizationSlug: api.organization, groupName: "shop" });
  // A minute more, because the platform's clock is accurate only to the second.
  await api.advance(3 * DAY + 60);
  here.takeWrites();

  const args = ["--deleted", "--json", "--fail-within", "48h"];
  const { code, stdout, stderr } = await adopt(environment, [...args, ...states]);
  expect(code, stderr).toBe(7);
  const found: { name: string; id: string; restorableUntil: string; secondsLeft: number; stacks: string[] }[] =
    JSON.parse(stdout).deleted;
  const [ofShop, ofOrders] = await Promise.all([shop, orders].map(stackIn));
  expect(Object.fromEntries(found.map(({ name, stacks }) => [name, stacks]))).toEqual({
    stray: [],
    orders: [ofOrders],
    shop: [ofShop],
    carts: [ofShop],
  });
  for (const object of found.filter(({ name }) => name !== "carts"))
    expect(stderr).toContain(restorableBriefly({ ...object, type: object.name === "shop" ? "Group" : "Database" }));
  expect(here.takeWrites()).toEqual([]);

  expect(await shop.up()).toMatchObject({ code: 0 });
  expect(await orders.up()).toMatchObject({ code: 0 });
  const left = await adopt(environment, ["--deleted", "--json", ...states]);
  expect(JSON.parse(left.stdout).deleted).toMatchObject([{ name: "stray", stacks: [] }]);

  async function stackIn(stack: Stack): Promise<string> {
    const { output } = await stack.cli("stack", "--show-name");
    const { output: urn } = await stack.cli("stack", "--show-urns");
    return `${/urn:pulumi:[^:]+::([^:]+)::/.exec(urn)?.[1]}/${output.trim()}`;
  }
});
