// @module-tag no-database-is-lost
// @module-tag no-false-differences
// @module-tag clear-messages

import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { ownerDeleted } from "../../kit/lifecycle/restore/messages";
import { referenceToDeleted } from "../../provider/resources/database/messages";
import { engineFixture } from "./engine-fixture";

const at = { organizationSlug: "acme", databaseName: "orders" };

const WANTED: Omit<dbplatform.DatabaseConfigurationArgs, "database"> = {
  sizeLimit: "256mb",
  allowAttach: true,
  blockReads: true,
  blockWrites: true,
  deleteProtection: true,
  allowedIps: ["10.0.0.0/8", "2001:DB8::1"],
  allowedAwsVpcIds: ["vpce-1"],
};

test("sets every property, corrects drift with one request, and ignores unmanaged properties", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const { outside, writes } = here;
  const args = { ...WANTED };
  const stack = await here.stack(async () => {
    const { dbId } = new dbplatform.Database("orders", { name: "orders", group: "default" });
    const { id } = new dbplatform.DatabaseConfiguration("orders", { database: dbId, ...args });
    return { dbId, id };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["createDatabase", "updateDatabaseConfiguration"]);
  const { dbId, id } = (await stack.outputs()) as { dbId: string; id: string };
  expect(id).toBe(dbId);

  Object.assign(args, {
    sizeLimit: "268435456",
    allowedIps: ["2001:db8:0::1", "10.1.2.3/8", "2001:db8::1/128"],
  });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  const drifted = {
    size_limit: "1gb",
    allow_attach: false,
    block_reads: false,
    block_writes: false,
    delete_protection: false,
    allowed_ips: ["10.0.0.0/9"],
    allowed_aws_vpc_ids: [],
  };
  await outside.updateDatabaseConfiguration({ ...at, body: drifted });
  writes();
  const preview = await stack.preview({ expectNoChanges: true, diff: true });
  expect(preview.code).toBe(7);
  for (const property of Object.keys(WANTED)) expect(preview.output).toMatch(new RegExp(`~ ${property}\\s*:`));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["updateDatabaseConfiguration"]);
  expect(await outside.retrieveDatabaseConfiguration(at)).toMatchObject({ block_reads: true, delete_protection: true });

  // A property that the program no longer sets is reset to its default; a property that the program never set stays
  // unchanged.
  for (const property of ["blockReads", "allowedIps", "sizeLimit"]) delete (args as Record<string, unknown>)[property];
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { size_limit, block_reads, allowed_ips, block_writes } = await outside.retrieveDatabaseConfiguration(at);
  expect({ size_limit, block_reads, allowed_ips, block_writes }).toEqual({
    size_limit: "",
    block_reads: false,
    allowed_ips: [],
    block_writes: true,
  });
  await outside.updateDatabaseConfiguration({ ...at, body: { block_reads: true } });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  // Deleting the resource does not reset the database's settings. Since the database is deleted too, no warning says so.
  Object.assign(args, { deleteProtection: false });
  await stack.deploy();
  writes();
  const destroyed = await stack.destroy();
  expect(destroyed).toMatchObject({ code: 0 });
  expect(destroyed.output).not.toContain("Diagnostics:");
  expect(writes()).toEqual(["deleteDatabaseById"]);
});

test("with `--target` on the configuration of a deleted database, says how to include the database", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const args = { blockWrites: true, blockReads: false };
  const stack = await here.stack(async () => {
    const { dbId } = new dbplatform.Database("orders", { name: "orders", group: "default" });
    new dbplatform.DatabaseConfiguration("orders", { database: dbId, ...args });
  });
  await stack.deploy();
  const { orders = "" } = await here.databases();
  await here.delete(orders);
  const urnOf = (type: string) => `urn:pulumi:dev::test::dbplatform:index:${type}::orders`;
  const target = [urnOf("DatabaseConfiguration")];
  here.writes();
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
  expect(here.writes()).toEqual([]);
  const both = [...target, urnOf("Database")];
  expect(await stack.up({ target: both, refresh: true })).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual(["restoreDatabase", "updateDatabaseConfiguration"]);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
