import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { engineFixture } from "./engine-fixture";

// Promise: All drift is shown
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
