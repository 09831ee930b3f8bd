// @module-tag no-database-is-lost

import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { nameInUseByReplaced } from "../../kit/lifecycle/taken/messages";
import { engineFixture } from "./engine-fixture";

test("creates, imports, replaces and destroys a database, and reports changes made outside Pulumi", async () => {
  const { api, outside, stack: open, databases, delete: deleteOutside, writes } = await engineFixture();
  const args: dbplatform.DatabaseArgs = { group: "default" };
  const options: { import?: string } = {};
  const stack = await open(async () => {
    const { dbId, name, hostname } = new dbplatform.Database("Orders DB", { ...args }, { ...options });
    return { dbId, name, hostname };
  });

  expect(await stack.up()).toMatchObject({ code: 0 });
  const first = (await stack.outputs()) as { dbId: string; name: string; hostname: string };
  expect(first.name).toMatch(/^orders-db-[0-9a-f]{7}$/);
  expect(await databases()).toEqual({ [first.name]: first.dbId });
  expect(writes()).toEqual(["createDatabase"]);

  // Naming the group by its UUID instead of its name changes nothing.
  args.group = (await outside.retrieveGroup({ organizationSlug: api.organization, groupName: "default" })).group.uuid;
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(writes()).toEqual([]);

  // The database is deleted and then restored under a different name, both outside Pulumi.
  await deleteOutside(first.dbId);
  await outside.restoreDatabase({
    organizationId: api.organizationId,
    databaseId: first.dbId,
    body: { name: "renamed" },
  });
  writes();
  const drift = await stack.preview({ expectNoChanges: true });
  expect(drift.code).toBe(7);
  expect(drift.output).toContain("[diff: ~name]");
  expect(drift.output).toContain('the platform has "renamed"');
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual([]);
  args.name = "renamed";
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  // Changing the group replaces the database. The old database is deleted first, because both databases have the same
  // name.
  args.group = "other";
  const replaced = await stack.up();
  expect(replaced).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["deleteDatabaseById", "createDatabase"]);
  const second = (await stack.outputs()) as { dbId: string };
  expect(await databases()).toEqual({ renamed: second.dbId });

  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await databases()).toEqual({});
  // Restores the first database, which the replacement deleted, by importing its id.
  Object.assign(args, { name: "first-again", group: "default" });
  options.import = first.dbId;
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await databases()).toEqual({ "first-again": first.dbId });
  options.import = undefined as never;
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await databases()).toEqual({});
});

test("`up --replace` replaces a database whose name is generated, but not one whose name is fixed", {
  tags: "more",
}, async () => {
  const { stack: open, databases } = await engineFixture();
  let fixed = false;
  const stack = await open(async () => {
    const { urn } = new dbplatform.Database("orders", { group: "default", ...(fixed ? { name: "orders" } : {}) });
    return { urn };
  });
  await stack.deploy();
  const { urn } = (await stack.outputs()) as { urn: string };
  const before = await databases();
  expect(await stack.up({ replace: [urn], target: [urn] })).toMatchObject({ code: 0 });
  const after = await databases();
  expect(Object.keys(after)).toHaveLength(1);
  expect(Object.values(after)).not.toEqual(Object.values(before));

  fixed = true;
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
