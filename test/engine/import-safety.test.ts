// @module-tag more
// @module-tag no-database-is-lost

import type { CustomResourceOptions } from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { keptDespiteImport } from "../../kit/lifecycle/messages";
import { engineFixture } from "./engine-fixture";

test("with an alias, refuses an import that deletes a live database, and keeps it if the update is run again", async () => {
  const here = await engineFixture();
  const older = await here.createDatabase("orders");
  await here.deleteDatabase(older);
  const declare = (logicalName: string, args: dbplatform.DatabaseArgs, options: CustomResourceOptions) => async () => {
    new dbplatform.Database(logicalName, { ...args }, options);
  };
  const stack = await here.stack(declare("orders", { name: "orders", group: "default" }, { protect: true }));
  await stack.deploy();
  const { orders: live = "" } = await here.databases();
  const both = { orders: live, "orders-old": older };

  const aliases = [{ name: "orders" }];
  stack.program = declare("renamed", { name: "orders-old", group: "default" }, { aliases, import: older });
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(`could not delete database "orders" (${live}): this update also imports ${older}`);
  expect(refused.output).toContain("if the import replaced it, that run keeps it on the platform");
  expect(await here.databases()).toEqual(both);

  const again = await stack.up();
  expect(again.code).toBe(0);
  expect(again.output).toContain(
    keptDespiteImport({ title: 'database "orders"', id: live, importedId: older, isDeclared: true }),
  );
  expect(await here.databases()).toEqual(both);
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
