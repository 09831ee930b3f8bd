// @module-tag more
// @module-tag no-database-is-lost
// @module-tag tokens
// @module-tag previews-are-true

import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { RESTORE_BEFORE_REPLACEMENT, replacedIsGone, replacementOfRestoredRefused } from "../../kit/lifecycle/messages";
import { newObjectPlanned, restored, restorePlanned } from "../../kit/lifecycle/restore/messages";
import { emptyBecauseLost, nameInUseBesideDeleted, nameInUseByReplaced } from "../../kit/lifecycle/taken/messages";
import { dataLeftBehind } from "../../provider/resources/database/messages";
import { type EngineFixture, engineFixture } from "./engine-fixture";

const UNDO = "undo the change that replaces it";
const FIVE_DAYS = 5 * 24 * 3600;
const TITLE = 'database "orders"';

const ON_REFRESH = { "dbplatform:driftDetection": "on-refresh" };

const VARIANTS = [
  ["the plugin", plugin, {}],
  ["dynamic providers", dynamic as unknown as typeof plugin, {}],
  ["`driftDetection: on-refresh`", plugin, ON_REFRESH],
] as const;

const refuse = (here: EngineFixture, operation: "createDatabase" | "createGroup" | "createApiToken") =>
  here.api.fault({ operation, status: 422, body: { error: "quota" }, times: 99 });

interface Given {
  logical: string;
  args: plugin.DatabaseArgs & { name: string };
  import?: string;
  /** Gives the database an explicit provider. */
  isMoved?: boolean;
}

/** A stack with the database `orders` and its configuration, whose replacement has failed after the deletion. */
async function withFailedReplacement(
  { Database, DatabaseConfiguration, Provider }: Pick<typeof plugin, "Database" | "DatabaseConfiguration" | "Provider">,
  config: Record<string, string> = {},
) {
  const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
  const given: Given = { logical: "orders", args: { name: "orders", group: "default" } };
  const program = async () => {
    const { url: baseUrl, organization, apiToken } = here.api;
    const options = {
      ...(given.import === undefined ? {} : { import: given.import }),
      ...(given.isMoved ? { provider: new Provider("moved", { baseUrl, organization, apiToken }) as never } : {}),
    };
    const { id } = new Database(given.logical, { ...given.args }, options);
    new DatabaseConfiguration("orders", { database: id, blockReads: true });
  };
  const stack = await here.stack(program as never, { config });
  await stack.deploy();
  const { orders = "" } = await here.databases();
  given.args.group = "other";
  refuse(here, "createDatabase");
  const preview = await stack.preview();
  const failed = await stack.up();
  expect(failed.code).not.toBe(0);
  expect(await here.databases()).toEqual({});
  here.api.clearFaults();
  here.writes();
  return { here, stack, given, orders, preview, failed };
}

test("restores the old database when a failed replacement is taken back, also in a second attempt", async () => {
  const { here, stack, given, orders, preview, failed } = await withFailedReplacement(plugin);
  expect(preview.output).toContain(
    dataLeftBehind({ title: TITLE, id: orders, restorableUntil: "2026-03-06T12:00:00Z", isDeletedFirst: true }),
  );
  expect(failed.output).toContain("can be restored until 2026-03-06 12:00 UTC");
  expect(failed.output).toContain(UNDO);
  expect((await stack.preview()).output).toContain(UNDO);

  given.args.group = "default";
  // Pulumi itself refuses an import of the id that the interrupted replacement still has.
  given.import = orders;
  const imported = await stack.up();
  expect(imported.code).not.toBe(0);
  expect(imported.output).toContain("previously-imported resources that still specify an ID may not be replaced");
  delete given.import;

  expect((await stack.preview()).output).toContain(
    restorePlanned({ title: TITLE, id: orders, brings: "with its data" }),
  );
  expect(here.writes()).toEqual([]);
  here.api.fault({ operation: "restoreDatabase", status: 422, body: { error: "busy" }, times: 99 });
  expect((await stack.up({ continueOnError: true })).code).not.toBe(0);
  here.api.clearFaults();
  const up = await stack.up();
  expect(up).toMatchObject({ code: 0 });
  expect(up.output).toContain(restored({ title: TITLE, brings: "with its data" }));
  expect(up.output).not.toContain("warning");
  expect(here.writes()).toEqual(["restoreDatabase", "updateDatabaseConfiguration"]);
  expect(await here.databases()).toEqual({ orders });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});

test("creates the new database of a failed replacement that the program keeps", async () => {
  const { here, stack, orders } = await withFailedReplacement(plugin);
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(up.output).toContain(`\`import: "${orders}"\``);
  expect((await here.databases()).orders).not.toBe(orders);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test.each(VARIANTS.slice(1))(
  "replaces the database after a failed replacement that was taken back first, with %s",
  async (_, sdk, config) => {
    const { here, stack, given, orders, failed } = await withFailedReplacement(sdk, config);
    expect(failed.output).toContain(UNDO);
    const refused = await stack.up();
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain(RESTORE_BEFORE_REPLACEMENT);
    given.args.group = "default";
    here.api.fault({ operation: "restoreDatabase", status: 422, body: { error: "busy" }, times: 99 });
    expect((await stack.up({ continueOnError: true })).code).not.toBe(0);
    here.api.clearFaults();
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({ orders });
    given.args.group = "other";
    const up = await stack.up();
    expect(up.code, up.output).toBe(0);
    expect((await here.databases()).orders).not.toBe(orders);
  },
);

test.each(VARIANTS)(
  "keeps a restored database that the program moves to another provider, with %s",
  async (_, sdk, config) => {
    const { here, stack, given, orders } = await withFailedReplacement(sdk, config);
    Object.assign(given, { args: { name: "orders", group: "default" }, isMoved: true });
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({ orders });
    expect(here.writes()).toEqual(["restoreDatabase", "updateDatabaseConfiguration"]);
  },
);

test.each(VARIANTS)(
  "manages again a database of a failed replacement that was restored outside, with %s",
  async (_, sdk, config) => {
    const { here, stack, given, orders } = await withFailedReplacement(sdk, config);
    await here.outside.restoreDatabase({ organizationId: here.api.organizationId, databaseId: orders });
    here.writes();
    // The program keeps the change.
    const readsFirst = sdk === plugin && !("dbplatform:driftDetection" in config);
    const advice = readsFirst
      ? replacementOfRestoredRefused({ kind: "database" }).advice
      : nameInUseByReplaced({ kind: "database", name: "orders", id: orders, isRead: false }).advice;
    const kept = readsFirst ? await stack.preview() : await stack.up();
    expect(kept.code).not.toBe(0);
    expect(kept.output).toContain(advice);
    given.args.group = "default";
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({ orders });
    expect(here.writes()).toEqual(["updateDatabaseConfiguration"]);
    expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  },
);

test.each(VARIANTS)(
  "restores a group and its databases under their names after a failed replacement, with %s",
  async (_, sdk, config) => {
    const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
    const args = { name: "team", location: "aws-us-east-1", forceDestroy: true };
    const stack = await here.stack(
      async () => {
        const { id: group } = new sdk.Group("team", { ...args });
        new sdk.Database("orders", { name: "orders", group });
        new sdk.Database("generated", { group });
      },
      { config },
    );
    await stack.deploy();
    const before = await here.databases();
    args.location = "aws-eu-west-1";
    refuse(here, "createGroup");
    expect((await stack.up()).code).not.toBe(0);
    expect(await here.databases()).toEqual({});
    here.api.clearFaults();
    args.location = "aws-us-east-1";
    const { output } = await stack.preview();
    if (sdk === plugin)
      for (const [name, id] of Object.entries(before))
        expect(output).toContain(restorePlanned({ title: `database "${name}"`, id, brings: "with its data" }));
    expect(output).not.toContain("empty");
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual(before);
    expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  },
);

test("explains both ways out if another database has the name of a failed replacement", async () => {
  const { here, stack, given, orders } = await withFailedReplacement(plugin);
  const second = await here.database("orders", "other");
  const replaced = { title: TITLE, id: orders, isRestorable: true, secrets: [] };
  const { advice } = nameInUseBesideDeleted({ kind: "database", name: "orders", id: second, replaced });
  expect((await stack.preview()).output).toContain(advice);
  expect((await stack.up()).output).toContain(advice);
  given.args.group = "default";
  const back = await stack.preview();
  expect(back.code).not.toBe(0);
  expect(back.output).toContain(advice);

  // The first way: manage the other database.
  Object.assign(given, { logical: "orders-2", args: { name: "orders", group: "other" }, import: second });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ orders: second });
  // The second way: restore the old one.
  const old = { logical: "orders-old", args: { name: "orders-old", group: "default" }, import: orders };
  await stack.cli(
    "state",
    "delete",
    "--yes",
    "--target-dependents",
    "urn:pulumi:dev::test::dbplatform:index:Database::orders-2",
  );
  Object.assign(given, old);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ orders: second, "orders-old": orders });
});

test("says that the old database of a failed replacement can no longer be restored", async () => {
  const { here, stack, given, orders } = await withFailedReplacement(plugin);
  await here.api.advance(FIVE_DAYS + 1);
  given.args.group = "default";
  const lost = replacedIsGone({ title: TITLE, id: orders, isRestorable: true });
  expect((await stack.preview()).output).toContain(
    `${lost}. ${newObjectPlanned({ kind: "database", isRestorable: true, isDeclared: true })}`,
  );
  refuse(here, "createDatabase");
  expect((await stack.up()).output).toContain(lost);
});

test("says after a failed update that a database deleted more than five days ago is created empty", async () => {
  const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
  const stack = await here.stack(async () => {
    new plugin.Database("orders", { name: "orders", group: "default" });
  });
  await stack.deploy();
  await here.delete((await here.databases()).orders ?? "");
  await here.api.advance(FIVE_DAYS + 1);
  refuse(here, "createDatabase");
  expect((await stack.up()).code).not.toBe(0);
  const { output } = await stack.preview();
  expect(output).toContain("+ 1 to create");
  expect(output).toContain(emptyBecauseLost({ kind: "database", name: "orders", deletedAt: "2026-03-01T12:00:00Z" }));
});

test("copies a database into another group under another name, as the preview advises", async () => {
  const here = await engineFixture();
  const args: plugin.DatabaseArgs = { name: "orders", group: "default" };
  const stack = await here.stack(async () => {
    const { parent } = new plugin.Database("orders", { ...args });
    return { parent };
  });
  await stack.deploy();
  const { orders = "" } = await here.databases();
  Object.assign(args, { name: "orders-2", group: "other", seed: { database: orders } });
  expect((await stack.preview()).output).not.toContain("without its data");
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(Object.keys(await here.databases())).toEqual(["orders-2"]);
  expect(await stack.outputs()).toMatchObject({ parent: { dbId: orders } });
});

test("leads to a token with its value after the interrupted replacement of a token with its own name", async () => {
  const here = await engineFixture();
  const organizationSlug = here.api.organization;
  const args = { name: "ci", keepers: { version: "1" } };
  let leftover: string | undefined;
  const stack = await here.stack(async () => {
    const { token } = new plugin.ApiToken("ci", { ...args });
    if (leftover !== undefined) new plugin.ApiToken("leftover", { name: "ci" }, { import: leftover });
    return { token };
  });
  await stack.deploy();
  const tokens = async () => (await here.outside.listApiTokens({ organizationSlug })).tokens;
  const old = String((await tokens()).find(({ name }) => name === "ci")?.id);
  args.keepers = { version: "2" };
  refuse(here, "createApiToken");
  expect((await stack.up()).output).toContain(
    replacedIsGone({ title: 'API token "ci"', id: old, isRestorable: false }),
  );
  here.api.clearFaults();
  // The token that a killed update has created, but not recorded.
  const { id } = await here.outside.createApiToken({ tokenName: "ci", body: { organization: organizationSlug } });
  const replaced = { title: 'API token "ci"', id: old, isRestorable: false, secrets: ["token"] };
  const { advice } = nameInUseBesideDeleted({ kind: "API token", name: "ci", id, replaced });
  expect((await stack.preview()).output).toContain(advice);
  expect((await stack.up()).output).toContain(advice);

  args.name = "ci-2";
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual({ token: expect.stringMatching(/^eyJ/) });
  leftover = id;
  expect(await stack.up()).toMatchObject({ code: 0 });
  leftover = undefined;
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect((await tokens()).map(({ name }) => name)).toEqual(expect.arrayContaining(["ci-2"]));
  expect((await tokens()).map(({ name }) => name)).not.toContain("ci");
});
