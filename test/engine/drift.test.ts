// @module-tag all-drift-is-shown
// @module-tag no-false-differences
// @module-tag clear-messages

import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { differenceKept, nameOfAnother, referenceOutdated } from "../../kit/lifecycle/restore/messages";
import { engineFixture } from "./engine-fixture";

test("shows all drift in a plain preview, and corrects it in one `up` with as few requests as possible", async () => {
  const here = await engineFixture();
  const { outside } = here;
  const organizationSlug = "acme";
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", {
      name: "tenants",
      location: "aws-us-east-1",
      locations: ["aws-eu-west-1"],
      deleteProtection: false,
    });
    const { dbId } = new dbplatform.Database("orders", { name: "orders", group: group.id });
    const lost = new dbplatform.Database("lost", { name: "lost", group: group.id });
    new dbplatform.DatabaseConfiguration("orders", {
      database: dbId,
      sizeLimit: "256mb",
      allowAttach: true,
      blockReads: false,
      blockWrites: true,
      deleteProtection: false,
      allowedIps: ["10.0.0.0/8"],
    });
    const { token } = new dbplatform.ApiToken("ci", { name: "ci", group: group.id, scopes: ["read"] });
    return { dbId, lost: lost.dbId, token };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const before = (await stack.outputs()) as { dbId: string; lost: string; token: string };

  const at = { organizationSlug, groupName: "strange" };
  await outside.renameGroup({ organizationSlug, groupName: "tenants", body: { name: "strange" } });
  await outside.addGroupLocation({ ...at, location: "aws-us-west-2" });
  await outside.updateGroupConfiguration({ ...at, body: { delete_protection: true } });
  await outside.updateDatabaseConfiguration({
    organizationSlug,
    databaseName: "orders",
    body: {
      size_limit: "1gb",
      allow_attach: false,
      block_reads: true,
      block_writes: false,
      delete_protection: true,
      allowed_ips: [],
      allowed_aws_vpc_ids: ["vpce-unmanaged"],
    },
  });
  await here.delete(before.lost);
  const { tokens } = await outside.listApiTokens({ organizationSlug });
  await outside.revokeApiToken({ organizationSlug, tokenId: tokens.find(({ name }) => name === "ci")?.id ?? "" });
  here.writes();

  const preview = await stack.preview({ expectNoChanges: true });
  expect(preview.code).toBe(7);
  const shown = (resource: string) =>
    new RegExp(`${resource} update \\[diff: ([^\\]]*)\\]`)
      .exec(preview.output)?.[1]
      ?.split(/[,~+-]+/)
      .filter(Boolean)
      .sort();
  expect(shown("Group tenants")).toEqual(["deleteProtection", "locations", "name"]);
  expect(shown("DatabaseConfiguration orders")).toEqual([
    "allowAttach",
    "allowedIps",
    "blockReads",
    "blockWrites",
    "deleteProtection",
    "sizeLimit",
  ]);
  expect(shown("Database lost")).toEqual(["deletedAt"]);
  expect(preview.output).toMatch(/ApiToken ci create/);
  expect(here.writes()).toEqual([]);

  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.writes().sort()).toEqual([
    "createApiToken",
    "removeGroupLocation",
    "renameGroup",
    "restoreDatabase",
    "updateDatabaseConfiguration",
    "updateGroupConfiguration",
  ]);
  const after = await stack.outputs();
  expect(after).toMatchObject({ dbId: before.dbId, lost: before.lost });
  expect(await here.databases()).toEqual({ orders: before.dbId, lost: before.lost });
  expect(await outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName: "orders" })).toMatchObject({
    block_writes: true,
    allowed_ips: ["10.0.0.0/8"],
    allowed_aws_vpc_ids: ["vpce-unmanaged"],
  });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("reports no change if a group that resources refer to by name was renamed, and advises the new name", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const { outside } = here;
  const organizationSlug = "acme";
  const body = { name: "team", location: "aws-us-east-1" };
  const group = { kind: "group", id: (await outside.createGroup({ organizationSlug, body })).group.uuid };
  const rename = (groupName: string, name: string) =>
    outside.renameGroup({ organizationSlug, groupName, body: { name } });
  let written = "team";
  const stack = await here.stack(async () => {
    const orders = new dbplatform.Database("orders", { name: "orders", group: written });
    const token = new dbplatform.GroupToken("token", { group: written });
    const ci = new dbplatform.ApiToken("ci", { name: "ci", group: written, scopes: ["read"] });
    const rotation = new dbplatform.SigningKeyRotation("rotation", { group: written });
    new dynamic.Database("sales", { name: "sales", group: written });
    new dynamic.GroupToken("dynamic", { group: written });
    return { orders: orders.id, token: token.id, ci: ci.id, rotation: rotation.id };
  });
  await stack.deploy();
  const ids = (await stack.outputs()) as Record<"orders" | "token" | "ci" | "rotation", string>;
  const objects = [
    ['database "orders"', ids.orders],
    ["group token", ids.token],
    ['API token "ci"', ids.ci],
    ["signing key rotation", ids.rotation],
  ] as const;
  const unchanged = { refresh: true, expectNoChanges: true } as never;
  await rename("team", "squad");
  here.writes();

  for (const run of [stack.preview, stack.up]) {
    const { code, output } = await run(unchanged);
    expect(code, output).toBe(0);
    for (const [title, id] of objects)
      expect(output).toContain(
        referenceOutdated({ title, id, referred: { ...group, name: "squad" }, property: "group", wanted: "team" }),
      );
  }

  written = "squad";
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  const followed = await stack.preview(unchanged);
  expect(followed).toMatchObject({ code: 0 });
  expect(followed.output).not.toContain('"team"');

  // The name now belongs to another group, and the resources stay where they are.
  await rename("squad", "crew");
  const { uuid } = (await outside.createGroup({ organizationSlug, body: { ...body, name: "squad" } })).group;
  here.writes();
  const drift = await stack.preview(unchanged);
  expect(drift.code).toBe(7);
  const difference = { property: "group", is: "crew", wanted: "squad" };
  for (const [title, id] of objects)
    expect(drift.output).toContain(
      differenceKept({
        title,
        id,
        difference,
        nameOfAnother: nameOfAnother({ kind: "group", name: "squad", id: uuid, own: group.id }),
      }),
    );
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual([]);

  written = group.id;
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(await stack.preview(unchanged)).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual(ids);
  expect(here.writes()).toEqual([]);
});

test("compares a reference with the program of this run, also if it comes from a stack reference", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const args = { name: "team", location: "aws-us-east-1" };
  let isDeclared = false;
  const stack = await here.stack(async () => {
    const team = new dbplatform.Group("team", { ...args });
    const { name, id } = team;
    if (!isDeclared) return { name, id };
    const group = new pulumi.StackReference("organization/test/dev").getOutput("name");
    // Without the dependency, the engine might call Diff of the token before the program has declared the group.
    const token = new dbplatform.GroupToken("token", { group }, { dependsOn: team });
    return { name, id, token: token.id };
  });
  await stack.deploy();
  isDeclared = true;
  await stack.deploy();
  const { id, token } = (await stack.outputs()) as { id: string; token: string };

  await here.outside.renameGroup({ organizationSlug: "acme", groupName: "team", body: { name: "squad" } });
  args.name = "squad";
  const outdated = (wanted: string) =>
    referenceOutdated({
      title: "group token",
      id: token,
      referred: { kind: "group", id, name: "squad" },
      property: "group",
      wanted,
    });
  // The stack reference still has the output of the last update.
  const first = await stack.up();
  expect(first).toMatchObject({ code: 0 });
  expect(first.output).toContain(outdated("team"));
  const second = await stack.preview({ expectNoChanges: true });
  expect(second.code, second.output).toBe(0);
  expect(second.output).not.toContain('"team"');
});
