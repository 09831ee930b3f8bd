// @module-tag no-database-is-lost

import type { CustomResourceOptions } from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { keptDespiteImport } from "../../kit/lifecycle/messages";
import { restoredDatabaseNameTaken } from "../../provider/resources/database/messages";
import { type EngineFixture, engineFixture } from "./engine-fixture";
import type { Stack } from "./stack";

const _organizationSlug = "acme";

interface Declaration {
  readonly name: string;
  readonly group: string;
}

/** Creates a stack with a live, protected database `orders`, and a deleted older database of the same name. */
async function stackWithOlderNamesake(here: EngineFixture, config: Readonly<Record<string, string>> = {}) {
  const older = await here.database("orders");
  await here.delete(older);
  const args = { name: "orders", group: "default" };
  const options: CustomResourceOptions = { protect: true };
  const others: Record<string, [Declaration, CustomResourceOptions]> = {};
  const stack = await here.stack(
    async () => {
      const { dbId } = new dbplatform.Database("orders", { ...args }, { ...options });
      for (const [name, [more, how]] of Object.entries(others)) new dbplatform.Database(name, { ...more }, { ...how });
      return { dbId };
    },
    { config },
  );
  await stack.deploy();
  const { dbId: live } = (await stack.outputs()) as { dbId: string };
  here.writes();
  return { stack, args, options, others, older, live };
}

const ON_REFRESH = { "dbplatform:driftDetection": "on-refresh" };

const isSettled = async (stack: Stack) =>
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });

test("keeps the old database when its resource imports a different one, even if the first update fails", async () => {
  const here = await engineFixture();
  const { stack, args, options, others, live } = await stackWithOlderNamesake(here, ON_REFRESH);
  const other = await here.database("other");
  Object.assign(args, { name: "other" });
  options.import = other;
  others.failing = [{ name: "failing", group: "none" }, {}];
  const failed = await stack.up();
  expect(failed.code).not.toBe(0);
  expect((await stack.exportState()).deployment.resources).toContainEqual(
    expect.objectContaining({ id: live, delete: true }),
  );
  delete others.failing;
  const up = await stack.up();
  expect(up.code).toBe(0);
  expect(up.output).toContain(`Kept database "orders" (${live})`);
  expect(await here.databases()).toEqual({ orders: live, other });
});

test("repairs a stack whose state marks a live database as replaced after a failed import", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const { stack, args, options, older, live } = await stackWithOlderNamesake(here, ON_REFRESH);
  options.import = older;
  const failed = await stack.up();
  expect(failed.output).toContain(restoredDatabaseNameTaken({ name: "orders", id: live }));
  await stack.setConfig("dbplatform:driftDetection", "always");
  const preview = await stack.preview();
  expect(preview.code).not.toBe(0);
  expect(preview.output).toContain(restoredDatabaseNameTaken({ name: "orders", id: live }));
  expect(preview.output).not.toContain("outside of this stack");
  args.name = "orders-old";
  const up = await stack.up();
  expect(up.code).toBe(0);
  expect(up.output).toContain(`\`import: "${live}"\``);
  expect(await here.databases()).toEqual({ orders: live, "orders-old": older });
  await isSettled(stack);
});

test("with an alias, refuses an import that deletes a live database unless another resource imports it", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const { stack, args, options, others, older, live } = await stackWithOlderNamesake(here);
  const declared = { logicalName: "renamed" };
  Object.assign(args, { name: "orders-old" });
  Object.assign(options, { aliases: [{ name: "orders" }], import: older });
  stack.program = async () => {
    new dbplatform.Database(declared.logicalName, { ...args }, { ...options });
    for (const [name, [more, how]] of Object.entries(others)) new dbplatform.Database(name, { ...more }, { ...how });
  };
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(`could not delete database "orders" (${live}): this update also imports ${older}`);
  expect(await here.databases()).toEqual({ orders: live, "orders-old": older });

  others.kept = [{ name: "orders", group: "default" }, { import: live }];
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ orders: live, "orders-old": older });
  await isSettled(stack);
});

test("keeps a live database when an import with an alias is refused and the update is run again", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const { stack, args, options, older, live } = await stackWithOlderNamesake(here);
  Object.assign(args, { name: "orders-old" });
  Object.assign(options, { aliases: [{ name: "orders" }], import: older });
  stack.program = async () => {
    new dbplatform.Database("renamed", { ...args }, { ...options });
  };
  const refused = await stack.up();
  expect(refused.output).toContain("if the import replaced it, that run keeps it on the platform");
  const again = await stack.up();
  expect(again.code).toBe(0);
  expect(again.output).toContain(
    keptDespiteImport({ title: 'database "orders"', id: live, importedId: older, isDeclared: true }),
  );
  expect(await here.databases()).toEqual({ orders: live, "orders-old": older });
});
