// @module-tag no-database-is-lost

import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { isRefusal } from "../../kit/refusal";
import { groupRestoredToo } from "../../provider/resources/database/messages";
import { groupNotEmpty } from "../../provider/resources/group/messages";
import { clientOf, type EngineFixture, engineFixture } from "./engine-fixture";

const organizationSlug = "acme";

const groupsOf = async ({ outside }: EngineFixture) => (await outside.listGroups({ organizationSlug })).groups;
const groupNamed = async (here: EngineFixture, name: string) =>
  (await groupsOf(here)).find((group) => group.name === name);

test("creates a group with databases and a token, and renames the group without replacing anything", {
  tags: "more",
}, async () => {
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

test("refuses to delete a group with databases until `forceDestroy` is applied, and lists the databases", {
  tags: "more",
}, async () => {
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
