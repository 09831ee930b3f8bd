import type { CustomResourceOptions } from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { emptyDespiteDeleted } from "../../kit/lifecycle/taken/messages";
import { groupNameReused } from "../../provider/resources/database/messages";
import { engineFixture } from "./engine-fixture";

const organizationSlug = "acme";

const times = (text: string, output: string) => output.split(text).length - 1;

/** Returns the summary at the end of a run, where each message appears only once. */
const diagnosticsOf = (output: string) => output.slice(output.indexOf("Diagnostics:"));

test("warns once when a new resource takes the name of a deleted database or group", async () => {
  const here = await engineFixture();
  const dbId = await here.database("orders");
  await here.delete(dbId);
  const { group } = await here.outside.createGroup({
    organizationSlug,
    body: { name: "tenants", location: "aws-us-east-1" },
  });
  await here.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
  const stack = await here.stack(async () => {
    new dbplatform.Database("orders", { name: "orders", group: "default" });
    new dbplatform.Group("tenants", { name: "tenants", location: "aws-us-east-1" });
    new dbplatform.Database("unrelated", { group: "default" });
  });
  for (const { code, output } of [await stack.preview(), await stack.up()]) {
    expect(code).toBe(0);
    const shown = diagnosticsOf(output);
    for (const [noun, name, id] of [
      ["database", "orders", dbId],
      ["group", "tenants", group.uuid],
    ] as const) {
      const deleted = { id, deletedAt: "2026-11-22T07:17:00Z", restorable: "" };
      const [warning = ""] = emptyDespiteDeleted({ kind: noun, name, deleted, remedy: "importHere" }).split(" on ");
      expect(times(warning, shown)).toBe(1);
      expect(shown).toMatch(new RegExp(`option \`import: "${id}"\``));
    }
    expect(times("A new, empty", shown)).toBe(2);
  }
});

test("prints steps that restore a deleted group whose name is in use again", async () => {
  const here = await engineFixture();
  const body = { name: "tenants", location: "aws-us-east-1" };
  const { group } = await here.outside.createGroup({ organizationSlug, body });
  const inside = await here.database("inside", "tenants");
  await here.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
  const stack = await here.stack(async () => {
    new dbplatform.Group("tenants", body);
  });
  const { output } = await stack.up();
  expect(output).toContain(
    `another \`name\` and declare a second resource with the option \`import: "${group.uuid}"\``,
  );
  stack.program = async () => {
    const tenants = new dbplatform.Group("tenants", { ...body, name: "tenants-new" });
    new dbplatform.Group("old", body, { import: group.uuid, dependsOn: tenants });
  };
  expect(await stack.preview()).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ inside });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("refuses to import a database if a new group takes the name of its deleted group", async () => {
  const here = await engineFixture();
  const { group } = await here.outside.createGroup({
    organizationSlug,
    body: { name: "tenants", location: "aws-us-east-1" },
  });
  const inside = await here.database("inside", "tenants");
  await here.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
  here.writes();
  const groupArgs = { name: "tenants", location: "aws-us-east-1" };
  const literal: { group?: string } = {};
  const stack = await here.stack(async () => {
    const tenants = new dbplatform.Group("tenants", { ...groupArgs });
    const args = { name: "inside", group: literal.group ?? tenants.id };
    new dbplatform.Database("inside", args, { import: inside, ...(literal.group ? { dependsOn: tenants } : {}) });
  });
  const preview = await stack.preview();
  expect(preview.code).not.toBe(0);
  expect(preview.output).toContain(`set the resource option \`import: "${group.uuid}"\` on that group`);
  expect(here.writes()).toEqual([]);

  const far = await stack.up();
  expect(far.code).not.toBe(0);
  const { groups } = await here.outside.listGroups({ organizationSlug });
  const successor = groups.find(({ name }) => name === "tenants")?.uuid;
  if (successor === undefined) throw new Error("the new group is missing");
  const advice = groupNameReused({ groupName: "tenants", groupId: group.uuid, successor });
  expect(far.output).toContain(advice);
  expect((await stack.preview()).output).toContain(advice);

  groupArgs.name = "tenants-new";
  literal.group = group.uuid;
  expect(await stack.preview()).toMatchObject({ code: 0 });
  const up = await stack.up();
  expect(up.code).toBe(0);
  expect(await here.databases()).toEqual({ inside });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("warns about each database that is created again after an incomplete `destroy`", async () => {
  const here = await engineFixture();
  const protect: CustomResourceOptions = {};
  const stack = await here.stack(async () => {
    const kept = new dbplatform.Database("kept", { name: "kept", group: "default" });
    new dbplatform.DatabaseConfiguration("kept", { database: kept.dbId, deleteProtection: true });
    for (const name of ["one", "two"]) new dbplatform.Database(name, { name, group: "default" }, { ...protect });
  });
  await stack.deploy();
  const before = await here.databases();
  expect((await stack.destroy()).code).not.toBe(0);
  expect(await here.databases()).toEqual({ kept: before.kept });
  const up = await stack.up();
  expect(up.code).toBe(0);
  const shown = diagnosticsOf(up.output);
  for (const name of ["one", "two"]) expect(times(`\`import: "${before[name]}"\``, shown)).toBe(1);
  expect(times("A new, empty", shown)).toBe(2);
});
