// @module-tag more
// @module-tag no-database-is-lost
// @module-tag no-false-differences
// @module-tag clear-messages

import { join } from "node:path";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { nothingDeleted } from "../../kit/lifecycle/messages";
import { newObjectPlanned, ownerDeleted, stillDeleted } from "../../kit/lifecycle/restore/messages";
import { emptyByOption, nameInUseByReplaced, nameInUseInStack } from "../../kit/lifecycle/taken/messages";
import type { OpenReferenceApi } from "../../platform/reference/server";
import { configurationOfRetained, referenceToDeleted } from "../../provider/resources/database/messages";
import { groupNotEmpty } from "../../provider/resources/group/messages";
import { full } from "../full";
import { archive } from "../lifecycle/archive";
import { engineFixture } from "./engine-fixture";

const organizationSlug = "acme";
const urnOf = (type: string, name: string) => `urn:pulumi:dev::test::dbplatform:index:${type}::${name}`;

test("supports `ignoreChanges`, `aliases`, `additionalSecretOutputs`, `protect` and `retainOnDelete`", async () => {
  const here = await engineFixture();
  const { outside } = here;
  const ignored = { allowedIps: ["10.0.0.0/8"], blockReads: false };
  const guarded = { name: "guarded", group: "default" };
  let logicalName = "before";
  let keeps = true;
  const stack = await here.stack(async () => {
    const { dbId } = new dbplatform.Database(
      "hidden",
      { name: "hidden", group: "default" },
      { additionalSecretOutputs: ["hostname", "url", "httpUrl"] },
    );
    new dbplatform.DatabaseConfiguration("hidden", { database: dbId, ...ignored }, { ignoreChanges: ["allowedIps"] });
    new dbplatform.Database(logicalName, { group: "default" }, { aliases: [{ name: "before" }] });
    const tenants = { name: "tenants", location: "aws-us-east-1" };
    new dbplatform.Group("tenants", tenants, { ignoreChanges: ["archived"] });
    new dbplatform.Database("guarded", { ...guarded }, { protect: true });
    if (!keeps) return;
    const kept = new dbplatform.Database("kept", { name: "kept", group: "default" }, { retainOnDelete: true });
    new dbplatform.DatabaseConfiguration("kept", { database: kept.dbId, blockWrites: true });
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const before = await here.databases();
  const { database: hidden } = await outside.retrieveDatabase({ organizationSlug, databaseName: "hidden" });
  expect(stack.filesWith(hidden.Hostname)).toEqual([]);

  // A property in `ignoreChanges` keeps the value that was set outside Pulumi.
  const { groups } = await outside.listGroups({ organizationSlug });
  await archive(here.api as OpenReferenceApi, groups.find(({ name }) => name === "tenants")?.uuid ?? "");
  const at = { organizationSlug, databaseName: "hidden" };
  await outside.updateDatabaseConfiguration({ ...at, body: { allowed_ips: ["192.0.2.1"] } });
  // A resource with an alias keeps its generated name when its logical name changes.
  logicalName = "after";
  here.takeWrites();
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual([]);

  // If the program changes a property in `ignoreChanges` and another property, the update sends only the other
  // property.
  Object.assign(ignored, { allowedIps: ["198.51.100.1"], blockReads: true });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual(["updateDatabaseConfiguration"]);
  expect(await outside.retrieveDatabaseConfiguration(at)).toMatchObject({
    allowed_ips: ["192.0.2.1"],
    block_reads: true,
  });

  guarded.group = "other";
  keeps = false;
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toMatch(/guarded.*protect|protect.*guarded/s);

  // Reverts the change that `protect` prevented. The next update drops the database `kept` and its configuration from
  // the state, but leaves both unchanged on the platform.
  guarded.group = "default";
  here.takeWrites();
  const dropped = await stack.up();
  expect(dropped).toMatchObject({ code: 0 });
  expect(dropped.output).toContain(configurationOfRetained({ assignments: ["blockWrites: true"] }));
  expect(here.takeWrites()).toEqual([]);
  const kept = await outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName: "kept" });
  expect(kept).toMatchObject({ block_writes: true });

  expect((await stack.destroy()).code).not.toBe(0);
  expect(await here.databases()).toEqual({ guarded: before.guarded, kept: before.kept });
});

test.each(["deletedAt", "*"])(
  "with `ignoreChanges: [%j]`, warns about a deleted database and does not restore it",
  async (ignored) => {
    const here = await engineFixture();
    const options: CustomResourceOptions = { ignoreChanges: [ignored] };
    const stack = await here.stack(async () => {
      new dbplatform.Database("orders", { name: "orders", group: "default" }, { ...options });
    });
    await stack.deploy();
    const { orders = "" } = await here.databases();
    await here.deleteDatabase(orders);
    here.takeWrites();
    for (const { code, output } of [await stack.preview(), await stack.up()]) {
      expect(code).toBe(0);
      expect(output).toContain(
        stillDeleted({ kind: "database", title: 'database "orders"', id: orders, restorable: undefined }).split(
          ". ",
        )[0],
      );
      expect(output).not.toContain("`pulumi up` restores");
    }
    expect(here.takeWrites()).toEqual([]);
    options.ignoreChanges = [];
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({ orders });

    // After the recovery window, no option keeps the engine from creating what the program declares.
    options.ignoreChanges = [ignored];
    await here.deleteDatabase(orders);
    await here.api.advance(6 * 86_400);
    const planned = newObjectPlanned({ kind: "database", isRestorable: true, isDeclared: false });
    expect((await stack.preview()).output).toContain(planned);
  },
);

test("follows an update plan: uses the planned names, and makes only the planned changes", async () => {
  const here = await engineFixture();
  const deleted = await here.createDatabase("lost");
  await here.deleteDatabase(deleted);
  const stack = await here.stack(async () => {
    new dbplatform.Database("made", { group: "default" });
    new dbplatform.Database("lost", { name: "lost", group: "default" }, { import: deleted });
  });
  const plan = join(stack.folder, "plan.json");
  expect(await stack.preview({ plan })).toMatchObject({ code: 0 });
  expect(await stack.up({ plan })).toMatchObject({ code: 0 });
  const before = await here.databases();
  expect(before).toMatchObject({ lost: deleted });
  if (!full) return;

  expect(await stack.preview({ plan })).toMatchObject({ code: 0 });
  await here.deleteDatabase(deleted);
  here.takeWrites();
  const changed = await stack.up({ plan });
  expect(changed.code).not.toBe(0);
  expect(here.takeWrites()).toEqual([]);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(before);
});

test.skipIf(!full)("restores, changes and deletes only the resources that `--target` selects", async () => {
  const here = await engineFixture();
  const { outside } = here;
  const stack = await here.stack(async () => {
    const dbIds = ["one", "two"].map((name) => {
      const { dbId } = new dbplatform.Database(name, { name, group: "default" });
      new dbplatform.DatabaseConfiguration(name, { database: dbId, blockWrites: true });
      return dbId;
    });
    return { dbIds };
  });
  await stack.deploy();
  const { dbIds } = (await stack.outputs()) as { dbIds: [string, string] };
  const before = await here.databases();
  for (const dbId of dbIds) await here.deleteDatabase(dbId);
  here.takeWrites();

  // If `--target` selects only the configuration of a deleted database, the update neither applies the configuration
  // nor restores the database.
  await stack.up({ target: [urnOf("DatabaseConfiguration", "one")] });
  expect(here.takeWrites()).toEqual([]);
  expect(await stack.up({ target: [urnOf("Database", "one")] })).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual(["restoreDatabase"]);
  expect(await here.databases()).toEqual({ one: dbIds[0] });

  const configuration = { organizationSlug, databaseName: "one" };
  await outside.updateDatabaseConfiguration({ ...configuration, body: { block_writes: false } });
  here.takeWrites();
  expect(await stack.up({ target: [urnOf("Database", "two")] })).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual(["restoreDatabase"]);
  expect(await here.databases()).toEqual(before);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await outside.retrieveDatabaseConfiguration(configuration)).toMatchObject({ block_writes: true });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  expect(await stack.destroy({ target: [urnOf("Database", "two")], targetDependents: true })).toMatchObject({
    code: 0,
  });
  expect(await here.databases()).toEqual({ one: dbIds[0] });
});

test.skipIf(!full)("with `deletedWith`, destroys a group with databases only after `forceDestroy` is set", async () => {
  const here = await engineFixture();
  const args: dbplatform.GroupArgs = { name: "tenants", location: "aws-us-east-1" };
  const options: CustomResourceOptions = {};
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { ...args });
    new dbplatform.Database("inside", { name: "inside", group: group.id }, { deletedWith: group, ...options });
    return { groupId: group.id };
  });
  await stack.deploy();
  const before = await here.databases();
  const refused = await stack.destroy();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(
    groupNotEmpty({ name: "tenants", contained: [{ name: "inside", id: String(before.inside) }] }),
  );
  expect(await here.databases()).toEqual(before);

  // The database is no longer in the state, so the error message shows how to import it.
  const taken = await stack.up();
  expect(taken.output).toContain(`\`import: "${before.inside}"\``);
  options.import = before.inside ?? "";
  args.forceDestroy = true;
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(before);
  options.import = undefined as never;
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({});
});

test("with paths in `ignoreChanges`, leaves changes made outside alone, and applies the program's other changes", async () => {
  const here = await engineFixture();
  const { outside } = here;
  const names = ["first", "each", "all"] as const;
  const paths = { first: "allowedIps[0]", each: "allowedIps[*]", all: "*" };
  let allowedIps = ["10.0.0.0/8", "192.0.2.1"];
  const stack = await here.stack(async () => {
    for (const name of names) {
      const { dbId } = new dbplatform.Database(name, { name, group: "default" });
      const ignoreChanges = [paths[name]];
      new dbplatform.DatabaseConfiguration(name, { database: dbId, allowedIps }, { ignoreChanges });
    }
  });
  await stack.deploy();
  const listOf = async (databaseName: string) =>
    (await outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName })).allowed_ips;
  for (const databaseName of names)
    await outside.updateDatabaseConfiguration({
      organizationSlug,
      databaseName,
      body: { allowed_ips: ["203.0.113.7", "192.0.2.1"] },
    });
  here.takeWrites();
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual([]);
  allowedIps = ["10.0.0.0/8", "192.0.2.1", "198.51.100.1"];
  expect(await stack.up()).toMatchObject({ code: 0 });
  const changed = ["203.0.113.7", "192.0.2.1", "198.51.100.1"];
  expect([await listOf("first"), await listOf("each"), await listOf("all")]).toEqual([
    changed,
    changed,
    changed.slice(0, 2),
  ]);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("takes keys of maps in `replaceOnChanges` and `hideDiffs`, but no elements of lists", async () => {
  const here = await engineFixture();
  let turn = "1";
  let allowedIps = ["10.0.0.0/8"];
  const stack = await here.stack(async () => {
    const { dbId } = new dbplatform.Database("orders", { name: "orders", group: "default" });
    new dbplatform.DatabaseConfiguration(
      "orders",
      { database: dbId, allowedIps },
      { replaceOnChanges: ["allowedIps[0]", "allowedIps[*]"] },
    );
    new dbplatform.SigningKeyRotation(
      "turns",
      { database: dbId, triggers: { turn, other: "1" } },
      { replaceOnChanges: ["triggers.turn"], hideDiffs: ["triggers.turn"] },
    );
  });
  await stack.deploy();
  turn = "second";
  allowedIps = ["192.0.2.1"];
  const { code, output } = await stack.preview({ diff: true });
  expect(code).toBe(0);
  expect(output).toContain("+-dbplatform:index:SigningKeyRotation: (replace)");
  expect(output).toContain("~ dbplatform:index:DatabaseConfiguration: (update)");
  expect(output).not.toContain("second");
});

test.skipIf(!full)("with `replaceOnChanges`, replaces a configuration or a group instead of updating it", async () => {
  const here = await engineFixture();
  const { outside } = here;
  const wish = { sizeLimit: "1gb" };
  const args: dbplatform.GroupArgs = { name: "tenants", location: "aws-us-east-1" };
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { ...args }, { replaceOnChanges: ["name"] });
    const { dbId } = new dbplatform.Database("orders", { name: "orders", group: group.id });
    const options = { replaceOnChanges: ["sizeLimit"] };
    new dbplatform.DatabaseConfiguration("orders", { database: dbId, ...wish }, options);
    return { groupId: group.id, dbId };
  });
  await stack.deploy();
  const first = await stack.outputs();
  wish.sizeLimit = "2gb";
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual(first);
  const at = { organizationSlug, databaseName: "orders" };
  expect(await outside.retrieveDatabaseConfiguration(at)).toMatchObject({ size_limit: "2gb" });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  args.name = "customers";
  expect(await stack.up()).toMatchObject({ code: 0 });
  const second = await stack.outputs();
  expect(second.groupId).not.toBe(first.groupId);
  expect(await here.databases()).toEqual({ orders: second.dbId });
  expect(await outside.retrieveDatabaseConfiguration(at)).toMatchObject({ size_limit: "2gb" });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("a forced replacement of a resource with an alias tells what it does, and deletes nothing in vain", async () => {
  const { stack: open, databases } = await engineFixture();
  let logicalName = "orders";
  const args = { name: "orders", group: "default" };
  const options: CustomResourceOptions = { deleteBeforeReplace: true, replacementTrigger: "1" };
  const stack = await open(async () => {
    new dbplatform.Database(logicalName, { ...args }, { ...options });
  });
  await stack.deploy();
  const { orders: id = "" } = await databases();
  logicalName = "renamed";
  Object.assign(options, { aliases: [{ name: "orders" }], replacementTrigger: "2" });
  args.group = "missing";
  expect((await stack.up()).output).toContain(nothingDeleted({ kind: "database" }));
  expect(await databases()).toEqual({ orders: id });
  args.group = "default";
  const loss = emptyByOption({ kind: "database", title: 'database "orders"', id, isSeeded: false });
  expect(await stack.preview()).toMatchObject({ code: 0, output: expect.stringContaining(loss) });
  expect(await stack.up()).toMatchObject({ code: 0, output: expect.stringContaining(loss) });
  expect(await databases()).toEqual({ orders: expect.not.stringMatching(id) });
});

test("refuses to replace a database whose logical name changed, and prints the alias to add", async () => {
  const here = await engineFixture();
  const declared: { name: string; options: CustomResourceOptions } = { name: "orders", options: {} };
  const stack = await here.stack(async () => {
    new dbplatform.Database(declared.name, { name: "orders", group: "default" }, { ...declared.options });
  });
  await stack.deploy();
  const databases = await here.databases();
  declared.name = "purchases";
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(
    nameInUseInStack({
      kind: "database",
      name: "orders",
      id: String(databases.orders),
      urn: urnOf("Database", "orders"),
    }).advice,
  );
  declared.options = { aliases: [{ name: "orders" }] };
  here.takeWrites();
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual([]);
  expect(await here.databases()).toEqual(databases);
});

test("with `--target` on the configuration of a deleted database, says how to include the database", async () => {
  const here = await engineFixture();
  const args = { blockWrites: true, blockReads: false };
  const stack = await here.stack(async () => {
    const { dbId } = new dbplatform.Database("orders", { name: "orders", group: "default" });
    new dbplatform.DatabaseConfiguration("orders", { database: dbId, ...args });
  });
  await stack.deploy();
  const { orders = "" } = await here.databases();
  await here.deleteDatabase(orders);
  const target = [urnOf("DatabaseConfiguration", "orders")];
  here.takeWrites();
  for (const { code, output } of [await stack.preview({ target }), await stack.up({ target })]) {
    expect(code).toBe(0);
    expect(output).toContain(
      ownerDeleted({ kind: "database configuration", container: { kind: "database", id: orders, message: "" } }),
    );
  }
  args.blockReads = true;
  const refused = await stack.preview({ target });
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(referenceToDeleted({ id: orders, deletion: "", isInStack: false }));
  expect(here.takeWrites()).toEqual([]);
  const both = [...target, urnOf("Database", "orders")];
  expect(await stack.up({ target: both, refresh: true })).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual(["restoreDatabase", "updateDatabaseConfiguration"]);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("`up --replace` replaces a database whose name is generated, but not one whose name is fixed", async () => {
  const { stack: open, databases } = await engineFixture();
  let args: { name?: string; keepData?: boolean } = {};
  const stack = await open(async () => {
    const { urn, parent } = new dbplatform.Database("orders", { group: "default", ...args });
    return { urn, copied: parent.apply((original) => original?.dbId ?? "") };
  });
  await stack.deploy();
  const { urn } = (await stack.outputs()) as { urn: string };
  const before = await databases();
  expect(await stack.up({ replace: [urn], target: [urn] })).toMatchObject({ code: 0 });
  const after = await databases();
  expect(Object.keys(after)).toHaveLength(1);
  expect(Object.values(after)).not.toEqual(Object.values(before));

  args = { keepData: true };
  await stack.deploy();
  const kept = await stack.up({ replace: [urn], target: [urn] });
  expect(kept).toMatchObject({ code: 0, output: expect.not.stringContaining("without its data") });
  expect(await stack.outputs()).toMatchObject({ copied: Object.values(after)[0] });

  args = { name: "orders" };
  await stack.deploy();
  const named = await databases();
  const forced = await stack.up({ replace: [urn], target: [urn] });
  expect(forced.code).not.toBe(0);
  expect(forced.output).toContain("`deleteBeforeReplace: true`");
  expect(forced.output).toContain(
    nameInUseByReplaced({ kind: "database", name: "orders", id: String(named.orders), isRead: true }).answer,
  );
  expect(await databases()).toEqual(named);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await databases()).toEqual(named);
});
