import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { differenceKept, restoredWithDifference } from "../../kit/lifecycle/restore/messages";
import { isRefusal } from "../../kit/refusal";
import { groupRestoredToo } from "../../provider/resources/database/messages";
import { databaseInGroupProtected, groupNotEmpty, locationUnknown } from "../../provider/resources/group/messages";
import { clientOf, type EngineFixture, engineFixture } from "./engine-fixture";

const organizationSlug = "acme";

const groupsOf = async ({ outside }: EngineFixture) => (await outside.listGroups({ organizationSlug })).groups;
const groupNamed = async (here: EngineFixture, name: string) =>
  (await groupsOf(here)).find((group) => group.name === name);

test("creates a group with databases and a token, and renames the group without replacing anything", async () => {
  const here = await engineFixture();
  const { outside, writes } = here;
  const args: dbplatform.GroupArgs = {
    name: "tenants",
    location: "aws-us-east-1",
    locations: ["aws-eu-west-1", "aws-us-east-1"],
  };
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { ...args });
    const byId = new dbplatform.Database("by-id", { name: "by-id", group: group.id });
    const byName = new dbplatform.Database("by-name", { name: "by-name", group: group.name });
    const { token } = new dbplatform.ApiToken("ci", { group: group.id, scopes: ["read"] });
    return { groupId: group.id, dbIds: [byId.dbId, byName.dbId], token };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes().sort()).toEqual([
    "addGroupLocation",
    "createApiToken",
    "createDatabase",
    "createDatabase",
    "createGroup",
  ]);
  const first = await stack.outputs();
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  args.name = "customers";
  const preview = await stack.preview();
  expect(preview.output).toContain("[diff: ~name]");
  expect(preview.output).not.toContain("replace");
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["renameGroup"]);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  await outside.renameGroup({ organizationSlug, groupName: "customers", body: { name: "strange" } });
  await outside.addGroupLocation({ organizationSlug, groupName: "strange", location: "aws-us-west-2" });
  await outside.removeGroupLocation({ organizationSlug, groupName: "strange", location: "aws-eu-west-1" });
  await outside.updateGroupConfiguration({ organizationSlug, groupName: "strange", body: { delete_protection: true } });
  writes();
  const drift = await stack.preview({ expectNoChanges: true });
  expect(drift.code).toBe(7);
  // The program does not set `deleteProtection`, so a change to this property is not drift.
  expect(drift.output).toMatch(/\[diff: ~(locations,name|name,locations)\]/);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["addGroupLocation", "removeGroupLocation", "renameGroup"]);
  expect(await groupNamed(here, "customers")).toMatchObject({
    uuid: first.groupId,
    locations: expect.arrayContaining(["aws-us-east-1", "aws-eu-west-1"]),
    delete_protection: true,
  });
  expect(await stack.outputs()).toEqual(first);

  // A delete-protected group cannot be destroyed.
  expect((await stack.destroy()).output).toContain("Set `deleteProtection: false`");
  args.deleteProtection = true;
  expect(await stack.up()).toMatchObject({ code: 0 });
  // Properties that the program no longer sets are reset to their defaults.
  args.deleteProtection = undefined as never;
  args.locations = undefined as never;
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await groupNamed(here, "customers")).toMatchObject({ locations: ["aws-us-east-1"], delete_protection: false });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await groupNamed(here, "customers")).toBeUndefined();
});

test("§3 restores a deleted group with the databases that the preview lists, and mints a new token", async () => {
  const here = await engineFixture();
  const { outside } = here;
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { name: "tenants", location: "aws-us-east-1" });
    const dbIds = ["a", "b", "c"].map((name) => new dbplatform.Database(name, { name, group: group.id }).dbId);
    const { token } = new dbplatform.ApiToken("ci", { group: group.id, scopes: ["read"] });
    return { groupId: group.id, dbIds, token };
  });
  await stack.deploy();
  const first = (await stack.outputs()) as { groupId: string; dbIds: string[]; token: string };
  await outside.deleteGroup({ organizationSlug, groupName: "tenants" });
  here.writes();

  const preview = await stack.preview({ expectNoChanges: true });
  expect(preview.code).toBe(7);
  expect(preview.output).toContain('Group "tenants" was deleted by ada (API) on');
  const listed = first.dbIds.map((dbId, index) => `"${"abc"[index]}" (${dbId})`);
  expect(preview.output).toContain(`, with these databases and their data:\n    ${listed.join(", ")}.`);
  expect(preview.output).not.toContain(
    groupRestoredToo({ groupName: "tenants", groupId: first.groupId, isInStack: true }),
  );
  expect(here.writes()).toEqual([]);

  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.writes().sort()).toEqual(["createApiToken", "restoreGroup"]);
  const second = (await stack.outputs()) as typeof first;
  expect(second).toMatchObject({ groupId: first.groupId, dbIds: first.dbIds });
  expect(Object.values(await here.databases())).toEqual(first.dbIds);
  await clientOf(here.api, second.token).validateApiToken({});
  await expect(clientOf(here.api, first.token).validateApiToken({})).rejects.toSatisfy((refusal) =>
    isRefusal(refusal, "unauthenticated"),
  );
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("restores a deleted group through `import`, and renames the group as the program declares", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const { outside } = here;
  const inside = await here.database("inside", "other");
  const { uuid } = (await groupNamed(here, "other")) ?? { uuid: "" };
  await outside.deleteGroup({ organizationSlug, groupName: "other" });
  const options: { import?: string } = { import: "other" };
  const args = { name: "revived", location: "aws-eu-west-1" };
  const stack = await here.stack(async () => {
    new dbplatform.Group("revived", args, { ...options });
  });
  expect((await stack.preview()).output).toContain(`\`import: "${uuid}"\` restores the group deleted on`);
  options.import = uuid;
  expect((await stack.preview()).output).toMatch(
    new RegExp(`with these databases and their data:\\s+"inside" \\(${inside}\\)`),
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await groupNamed(here, "revived")).toMatchObject({ uuid });
  expect(await here.databases()).toEqual({ inside });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("reports how a restored group differs from its arguments, but does not correct the differences", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const { outside, writes } = here;
  const { uuid } = (await groupNamed(here, "other")) ?? { uuid: "" };
  await outside.deleteGroup({ organizationSlug, groupName: "other" });
  const options: { import?: string } = { import: uuid };
  const args = { name: "other", location: "aws-us-east-1" };
  const inside = { name: "inside" };
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("revived", { ...args }, { ...options });
    const { dbId } = new dbplatform.Database("inside", { ...inside, group: group.id });
    return { groupId: group.id, dbId };
  });
  writes();

  // The platform does not report the location of a deleted group without databases, so the provider notices the wrong
  // location only after the restore.
  const location = { property: "location", is: "aws-eu-west-1", wanted: "aws-us-east-1" };
  const restored = await stack.up();
  expect(restored).toMatchObject({ code: 0 });
  expect(restored.output).toContain(restoredWithDifference({ title: 'group "other"', id: uuid, difference: location }));
  expect(writes()).toEqual(["restoreGroup", "createDatabase"]);
  const first = await stack.outputs();

  const drift = await stack.preview({ expectNoChanges: true });
  expect(drift.code).toBe(7);
  expect(drift.output).toContain("[diff: ~location]");
  expect(drift.output).toContain(differenceKept({ title: 'group "other"', id: uuid, difference: location }));
  expect(drift.output).not.toContain("to replace");
  expect(await stack.up()).toMatchObject({ code: 0 });
  options.import = undefined as never;
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual([]);
  args.location = "aws-eu-west-1";
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  // A database that is restored with its group keeps the name it had before the deletion.
  await outside.deleteGroup({ organizationSlug, groupName: "other" });
  inside.name = "renamed";
  const together = await stack.up();
  expect(together).toMatchObject({ code: 0 });
  expect(together.output).toContain(
    restoredWithDifference({
      title: 'database "inside"',
      id: String(first.dbId),
      difference: { property: "name", is: "inside", wanted: "renamed" },
    }),
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ inside: first.dbId });
  inside.name = "inside";
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual(first);

  args.location = "aws-us-west-2";
  expect((await stack.preview()).output).toContain("to replace");
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await groupNamed(here, "other")).toMatchObject({ primary: "aws-us-west-2" });
  expect((await groupNamed(here, "other"))?.uuid).not.toBe(uuid);
});

test("refuses to delete the group of a declared API token, but can replace the group", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const args = { name: "tenants", location: "aws-us-east-1" };
  let grouped = true;
  const stack = await here.stack(async () => {
    const dependsOn = grouped ? [new dbplatform.Group("tenants", { ...args })] : [];
    const { token } = new dbplatform.ApiToken("ci", { group: "tenants", scopes: ["read"] }, { dependsOn });
    return { token };
  });
  await stack.deploy();
  const tokenOf = async () => clientOf(here.api, ((await stack.outputs()) as { token: string }).token);

  grouped = false;
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain('the program still declares API token "ci');
  await (await tokenOf()).validateApiToken({});

  grouped = true;
  args.location = "aws-eu-west-1";
  expect(await stack.up()).toMatchObject({ code: 0 });
  await (await tokenOf()).validateApiToken({});
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("replaces a group and everything in it when the group's location changes", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const args = { name: "tenants", location: "aws-us-east-1" };
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { ...args });
    const { dbId } = new dbplatform.Database("orders", { name: "orders", group: group.id });
    new dbplatform.DatabaseConfiguration("orders", { database: dbId, blockWrites: true });
    return { groupId: group.id, dbId };
  });
  await stack.deploy();
  const first = await stack.outputs();
  args.location = "aws-nowhere-9";
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(locationUnknown({ location: "aws-nowhere-9", known: [] }));
  args.location = "aws-eu-west-1";
  expect(await stack.up()).toMatchObject({ code: 0 });
  const second = (await stack.outputs()) as { groupId: string; dbId: string };
  expect(second.groupId).not.toBe(first.groupId);
  expect(await here.databases()).toEqual({ orders: second.dbId });
  expect(await groupNamed(here, "tenants")).toMatchObject({ uuid: second.groupId, locations: ["aws-eu-west-1"] });
  const at = { organizationSlug, databaseName: "orders" };
  expect(await here.outside.retrieveDatabaseConfiguration(at)).toMatchObject({ block_writes: true });
});

test("refuses to delete a group with databases until `forceDestroy` is applied, and lists the databases", async () => {
  const here = await engineFixture();
  const args: dbplatform.GroupArgs = { name: "tenants", location: "aws-us-east-1" };
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { ...args });
    new dbplatform.Database("known", { name: "known", group: group.name });
  });
  await stack.deploy();
  const stranger = await here.database("stranger", "tenants");
  const refused = await stack.destroy();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(groupNotEmpty({ name: "tenants", contained: [{ name: "stranger", id: stranger }] }));
  expect(await here.databases()).toEqual({ stranger });

  args.forceDestroy = true;
  here.writes();
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual(["createDatabase"]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({});
});

test("refuses to replace a group that contains a database outside the stack", { tags: "more" }, async () => {
  const here = await engineFixture();
  const args = { name: "tenants", location: "aws-us-east-1" };
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { ...args });
    new dbplatform.Database("inside", { name: "inside", group: group.id });
  });
  await stack.deploy();
  const foreign = await here.database("foreign", "tenants");
  const before = await here.databases();
  args.location = "aws-eu-west-1";
  here.writes();
  for (const { code, output } of [await stack.preview(), await stack.up()]) {
    expect(code).not.toBe(0);
    expect(output).toContain(groupNotEmpty({ name: "tenants", contained: [{ name: "foreign", id: foreign }] }));
  }
  expect(here.writes()).toEqual([]);
  expect(await here.databases()).toEqual(before);
});

test("refuses to replace a group that contains a delete-protected database", { tags: "more" }, async () => {
  const here = await engineFixture();
  const args = { name: "tenants", location: "aws-us-east-1", forceDestroy: true };
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { ...args });
    const inside = new dbplatform.Database("inside", { name: "inside", group: group.id });
    new dbplatform.DatabaseConfiguration("inside", { database: inside.id, deleteProtection: true });
  });
  await stack.deploy();
  const { inside } = await here.databases();
  const tenants = { name: "tenants", id: String((await groupNamed(here, "tenants"))?.uuid) };
  args.location = "aws-eu-west-1";
  here.writes();
  for (const { code, output } of [await stack.preview(), await stack.up()]) {
    expect(code).not.toBe(0);
    expect(output).toContain(
      databaseInGroupProtected({ ...tenants, protectedDatabase: { name: "inside", id: String(inside) } }),
    );
  }
  expect(here.writes()).toEqual([]);
  expect(await here.databases()).toEqual({ inside });
});

test("completes an interrupted replacement, and explains how to restore the old database", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const args = { name: "orders", group: "default" };
  const stack = await here.stack(async () => {
    new dbplatform.Database("orders", { ...args });
  });
  await stack.deploy();
  const { orders = "" } = await here.databases();
  args.group = "other";
  here.api.fault({ operation: "createDatabase", status: 503, times: 99 });
  expect((await stack.up()).code).not.toBe(0);
  expect(await here.databases()).toEqual({});
  here.api.clearFaults();
  const up = await stack.up();
  expect(up.code).toBe(0);
  expect(up.output).toContain(`\`import: "${orders}"\``);
  expect(Object.keys(await here.databases())).toEqual(["orders"]);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
