// @module-tag more
// @module-tag all-drift-is-shown

import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { stateWillBeCompleted } from "../../kit/plugin/messages";
import { engineFixture } from "./engine-fixture";
import { SEED } from "./seed";

const KEY = Buffer.alloc(16, 7).toString("base64");

/** Declares a database, its configuration, a token, an encrypted database and an API token with one of the adapters. */
function declare(sdk: typeof plugin, other: string) {
  const moved = (type: string) => ({ aliases: [{ type: `${other}${type}` }] });
  const { dbId, name } = new sdk.Database("orders", { group: "default" }, moved("Database"));
  const { token } = new sdk.DatabaseToken("app", { database: dbId, keepers: { turn: "1" } }, moved("DatabaseToken"));
  new sdk.DatabaseConfiguration("orders", { database: dbId, sizeLimit: "1gb" }, moved("DatabaseConfiguration"));
  const { dbId: archive } = new sdk.Database(
    "archive",
    { group: "default", encryption: { cipher: "aes128gcm", key: KEY } },
    moved("Database"),
  );
  return { dbId, name, token, archive };
}

const DYNAMIC = "pulumi-nodejs:dynamic/dbplatform:";
const PLUGIN = "dbplatform:index:";

const byPlugin = async () => declare(plugin, DYNAMIC);
// The cast is safe, because the SDKs differ only in how they declare resource options.
const byDynamicProviders = async () => declare(dynamic as unknown as typeof plugin, PLUGIN);

test("moves from the dynamic providers to the plugin by aliases, and shows all drift afterwards", async () => {
  const here = await engineFixture();
  const stack = await here.stack(byDynamicProviders);
  await stack.deploy();
  const before = await stack.outputs();
  const { dbId, name } = before as { dbId: string; name: string };
  here.takeWrites();

  stack.program = byPlugin;
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0 });
  const [, diagnostics = ""] = preview.output.split("Diagnostics:");
  expect(diagnostics.split(stateWillBeCompleted({ isRead: true }))).toHaveLength(2);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual(before);
  expect(here.takeWrites()).toEqual([]);
  const state = JSON.stringify(await stack.exportState());
  for (const left of ["__provider", "__inputs", "__logicalName"]) expect(state).not.toContain(left);
  for (const secret of [KEY, String((before as { token: string }).token)]) expect(stack.filesWith(secret)).toEqual([]);
  expect(await stack.preview({ expectNoChanges: true } as never)).toMatchObject({ code: 0 });

  await here.outside.updateDatabaseConfiguration({
    organizationSlug: "acme",
    databaseName: name,
    body: { size_limit: "2gb" },
  });
  await here.deleteDatabase(String((before as { archive: string }).archive));
  here.takeWrites();
  expect(await stack.preview({ expectNoChanges: true } as never)).toMatchObject({ code: 7 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.takeWrites().sort()).toEqual(["restoreDatabase", "updateDatabaseConfiguration"]);
  expect(await here.databases()).toMatchObject({ [name]: dbId });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});

test("sees drift again after `driftDetection` is set back", async () => {
  const here = await engineFixture();
  const stack = await here.stack(byPlugin, { config: { "dbplatform:driftDetection": "on-refresh" } });
  await stack.deploy();
  const before = await stack.outputs();
  const { dbId, name, archive } = before as Record<string, string>;
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  await stack.setConfig("dbplatform:driftDetection", "always");
  await here.outside.updateDatabaseConfiguration({
    organizationSlug: "acme",
    databaseName: String(name),
    body: { size_limit: "2gb" },
  });
  await here.deleteDatabase(String(archive));
  here.takeWrites();
  // The first preview after the change already reads, and the first update puts everything right.
  const preview = await stack.preview();
  expect(preview.output).toContain(stateWillBeCompleted({ isRead: true }));
  expect(preview.output).toContain("can be restored");
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.takeWrites().sort()).toEqual(["restoreDatabase", "updateDatabaseConfiguration"]);
  expect(await stack.preview({ expectNoChanges: true } as never)).toMatchObject({ code: 0 });

  await here.deleteDatabase(String(dbId));
  expect(await stack.preview({ expectNoChanges: true } as never)).toMatchObject({ code: 7 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual(before);
});

test("replaces a database in the update after `driftDetection` was set back", async () => {
  const here = await engineFixture();
  let group = "default";
  const program = async () => ({ dbId: new plugin.Database("orders", { name: "orders", group }).dbId });
  const stack = await here.stack(program, { config: { "dbplatform:driftDetection": "on-refresh" } });
  await stack.deploy();
  const before = await here.databases();
  await stack.setConfig("dbplatform:driftDetection", "always");
  group = "other";
  expect(await stack.preview()).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ orders: expect.not.stringMatching(String(before.orders)) });
  expect(await stack.preview({ expectNoChanges: true } as never)).toMatchObject({ code: 0 });
});

test("previews that a database no longer exists, and creates it anew, after `driftDetection` is set back", async () => {
  const here = await engineFixture();
  const program = async () => ({ dbId: new plugin.Database("orders", { name: "orders", group: "default" }).dbId });
  const stack = await here.stack(program, { config: { "dbplatform:driftDetection": "on-refresh" } });
  await stack.deploy();
  const { dbId } = (await stack.outputs()) as { dbId: string };
  await stack.setConfig("dbplatform:driftDetection", "always");
  await here.deleteDatabase(dbId);
  await here.api.advance(6 * 86_400);
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0 });
  expect(preview.output).toContain("no longer exists");
  expect(await stack.up()).toMatchObject({ code: 0 });
  const now = await here.databases();
  expect(Object.keys(now)).toEqual(["orders"]);
  expect(now).not.toEqual({ orders: dbId });
  expect(await stack.preview({ expectNoChanges: true } as never)).toMatchObject({ code: 0 });
});

test("moves from the plugin to the dynamic providers by aliases", async () => {
  const here = await engineFixture({ seed: SEED });
  const stack = await here.stack(byPlugin);
  await stack.deploy();
  const before = await stack.outputs();
  here.takeWrites();
  stack.program = byDynamicProviders;
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual(before);
  expect(here.takeWrites()).toEqual([]);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await stack.refresh({ expectNoChanges: true })).toMatchObject({ code: 0 });
  await here.deleteDatabase(String((before as { dbId: string }).dbId));
  expect(await stack.preview({ refresh: true, expectNoChanges: true } as never)).toMatchObject({ code: 7 });
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toContain("restoreDatabase");
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({});
});

test("replaces a database that moves to the dynamic providers with another group", async () => {
  const here = await engineFixture();
  const stack = await here.stack(async () => void new plugin.Database("orders", { group: "default" }));
  await stack.deploy();
  const before = await here.databases();
  const aliases = [{ type: `${PLUGIN}Database` }];
  stack.program = async () => void new dynamic.Database("orders", { group: "other" }, { aliases });
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  const { databases } = await here.outside.listDatabases({ organizationSlug: "acme" });
  expect(databases.map(({ group }) => group)).toEqual(["other"]);
  expect(databases.map(({ DbId }) => DbId)).not.toEqual(Object.values(before));
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
