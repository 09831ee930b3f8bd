import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { root } from "../../tools/run";
import { adopt, ORGANIZATION, SIZE } from "../adopt/organization";
import { type EngineFixture, engineFixture } from "./engine-fixture";
import type { Stack } from "./stack";

/** Creates an empty project, into which the import writes its program. */
async function emptyProject(here: EngineFixture): Promise<{ folder: string; stack: Stack }> {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-adopt-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const plugins = `plugins:\n  providers:\n    - name: dbplatform\n      path: ${JSON.stringify(root)}\n`;
  writeFileSync(join(folder, "Pulumi.yaml"), `name: adopted\nruntime: yaml\n${plugins}`);
  writeFileSync(join(folder, "Main.yaml"), "resources: {}\n");
  // Skips checkpoints, because otherwise the file backend would write the state once for each of the two hundred
  // resources.
  const environment = { ...here.environment, PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
  return { folder, stack: await here.stack({ folder }, { environment }) };
}

/** Imports the resources in an import file, and adds the code that Pulumi generates to the program. */
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
  expect(here.writes()).toEqual([]);

  const { deployment } = await stack.exportState();
  writeFileSync(path("state.json"), JSON.stringify({ version: 3, deployment }));
  const stray = await here.database("stray");
  await outside.createApiToken({ tokenName: "stray", body: { organization: organizationSlug } });
  here.writes();
  const unmanaged = await adopt(environment, ["--unmanaged", "--json", path("state.json")]);
  const found: { name: string; id: string }[] = JSON.parse(unmanaged.stdout).unmanaged;
  expect(found.map(({ name }) => name)).toEqual(["stray", "stray"]);
  expect(found[0]?.id).toBe(stray);

  const rest = ["--include-deleted", "--type", "Group", "--type", "Database", "--out", "rest.json", path("state.json")];
  expect(await adopt(environment, rest, { cwd: folder })).toMatchObject({ code: 0 });
  await importInto(project, path("rest.json"));
  expect(here.writes()).toEqual([]);
  const restored = await stack.up();
  expect(restored, restored.output).toMatchObject({ code: 0 });
  expect(here.writes().sort()).toEqual(["restoreDatabase", "restoreDatabase", "restoreGroup"]);
  expect(Object.keys(await here.databases())).toEqual(expect.arrayContaining(["in-gone", "lost", "twice", "stray"]));
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
