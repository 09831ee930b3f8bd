// @module-tag no-database-is-lost
// @module-tag previews-are-true

import { expect, test } from "vitest";
import { newNameInUse } from "../../kit/messages";
import { dbplatform } from "../../provider/provider";
import { groupRestoredToo } from "../../provider/resources/database/messages";
import { locationUnknown } from "../../provider/resources/group/messages";
import { clientOf } from "../engine/engine-fixture";
import type { Declared } from "../fake-engine/declared-program";
import { FakeEngine } from "../fake-engine/fake-engine";
import { lifecycleFixture } from "./lifecycle-fixture";
import { programOf } from "./story-fixture";

const organizationSlug = "acme";
const location = "aws-us-east-1";
const tenants = { name: "tenants", location };
const groupWith = (args: Declared["args"]): Declared => ({ type: "Group", args: { ...tenants, ...args } });

/** A stack whose group "tenants" contains a database and was deleted outside Pulumi. The database names the group. */
async function deletedTenants() {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const stack = new FakeEngine(dbplatform);
  const program = (group: Declared, name = "tenants") =>
    programOf({ group, inside: { type: "Database", args: { name: "inside", group: name }, after: "group" } });
  await stack.up(program(groupWith({})), here.again());
  const id = stack.managed.get("inside")?.id;
  await outside.deleteGroup({ organizationSlug, groupName: "tenants" });
  return { here, outside, stack, program, id };
}

test("restores a deleted group and its database although the program renames the group", async () => {
  const { here, outside, stack, program, id } = await deletedTenants();
  const renamed = program(groupWith({ name: "customers" }), "customers");
  await stack.preview(renamed, here.again());
  await stack.up(renamed, here.again());
  const { databases } = await outside.listDatabases({ organizationSlug });
  expect(databases).toMatchObject([{ DbId: id, group: "customers" }]);
  expect(await stack.preview(renamed, here.again())).toBe(0);
});

test("rejects in the preview a change that would fail after the group is restored", async () => {
  const { here, outside, stack, program } = await deletedTenants();
  const { group } = await outside.createGroup({ organizationSlug, body: { name: "customers", location } });
  const { locations } = await outside.listLocations({});
  for (const [args, reason] of [
    [{ name: "customers" }, newNameInUse({ kind: "group", name: "customers", id: group.uuid }).answer],
    [{ locations: ["aws-nowhere-1"] }, locationUnknown({ location: "aws-nowhere-1", known: Object.keys(locations) })],
  ] as const)
    await expect(stack.preview(program(groupWith(args)), here.again())).rejects.toThrow(reason);
});

test("does not plan to restore the group of a database that somebody else has already restored", async () => {
  const { here, outside, stack, program, id } = await deletedTenants();
  await outside.createDatabase({ organizationSlug, body: { name: "inside", group: "default" } });
  const groupId = stack.managed.get("group")?.id ?? "";
  await outside.restoreGroup({ organizationId: here.api.organizationId, groupId });
  const renamed = new Map(program(groupWith({})));
  renamed.set("inside", { type: "Database", args: { name: "inside-2", group: "tenants" }, after: "group" });
  await stack.preview(renamed, here.again());
  expect(here.said).not.toContain(groupRestoredToo({ groupName: "tenants", groupId, isInStack: true }));
  await stack.up(renamed, here.again());
  const { databases } = await outside.listDatabases({ organizationSlug, query: { group: "tenants" } });
  expect(databases).toMatchObject([{ Name: "inside-2", DbId: id }]);
});
