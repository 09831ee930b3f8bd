// @module-tag more
// @module-tag no-database-is-lost
// @module-tag previews-are-true

// The stories in test/stories/interrupted-replacements.test.ts declare neither dynamic providers nor explicit ones.

import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { RESTORE_BEFORE_REPLACEMENT } from "../../kit/lifecycle/messages";
import { nameInUseByReplaced } from "../../kit/lifecycle/taken/messages";
import { engineFixture } from "./engine-fixture";

const UNDO = "undo the change that replaces it";
const BUSY = { status: 422, body: { error: "busy" }, times: 99 } as const;

const DYNAMIC = dynamic as unknown as typeof plugin;

/** A stack with the database `orders` and its configuration, whose replacement has failed after the deletion. */
async function withFailedReplacement(
  { Database, DatabaseConfiguration, Provider }: typeof plugin,
  config: Record<string, string> = {},
) {
  const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
  const given = { group: "default", isMoved: false };
  const stack = await here.stack(
    async () => {
      const { url: baseUrl, organization, apiToken } = here.api;
      const options = given.isMoved
        ? { provider: new Provider("moved", { baseUrl, organization, apiToken }) as never }
        : {};
      const { id } = new Database("orders", { name: "orders", group: given.group }, options);
      new DatabaseConfiguration("orders", { database: id, blockReads: true });
    },
    { config },
  );
  await stack.deploy();
  const { orders = "" } = await here.databases();
  given.group = "other";
  here.api.fault({ operation: "createDatabase", ...BUSY });
  const failed = await stack.up();
  expect(failed.code).not.toBe(0);
  expect(await here.databases()).toEqual({});
  here.api.clearFaults();
  here.takeWrites();
  return { here, stack, given, orders, failed };
}

test("with dynamic providers, replaces the database after a failed replacement that was taken back first", async () => {
  const { here, stack, given, orders, failed } = await withFailedReplacement(DYNAMIC);
  expect(failed.output).toContain(UNDO);
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(RESTORE_BEFORE_REPLACEMENT);
  given.group = "default";
  here.api.fault({ operation: "restoreDatabase", ...BUSY });
  expect((await stack.up({ continueOnError: true })).code).not.toBe(0);
  here.api.clearFaults();
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ orders });
  given.group = "other";
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect((await here.databases()).orders).not.toBe(orders);
});

test.each([
  ["the plugin", plugin, {}],
  ["dynamic providers", DYNAMIC, {}],
  ["`driftDetection: on-refresh`", plugin, { "dbplatform:driftDetection": "on-refresh" }],
] as const)("keeps a restored database that the program moves to another provider, with %s", async (_, sdk, config) => {
  const { here, stack, given, orders } = await withFailedReplacement(sdk, config);
  Object.assign(given, { group: "default", isMoved: true });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ orders });
  expect(here.takeWrites()).toEqual(["restoreDatabase", "updateDatabaseConfiguration"]);
});

test("with dynamic providers, manages again a database of a failed replacement that was restored outside", async () => {
  const { here, stack, given, orders } = await withFailedReplacement(DYNAMIC);
  await here.outside.restoreDatabase({ organizationId: here.api.organizationId, databaseId: orders });
  here.takeWrites();
  const kept = await stack.up();
  expect(kept.code).not.toBe(0);
  expect(kept.output).toContain(
    nameInUseByReplaced({ kind: "database", name: "orders", id: orders, isRead: false }).advice,
  );
  given.group = "default";
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ orders });
  expect(here.takeWrites()).toEqual(["updateDatabaseConfiguration"]);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("with dynamic providers, restores a group and its databases under their names after a failed replacement", async () => {
  const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
  const args = { name: "team", location: "aws-us-east-1", forceDestroy: true };
  const stack = await here.stack(async () => {
    const { id: group } = new DYNAMIC.Group("team", { ...args });
    new DYNAMIC.Database("orders", { name: "orders", group });
    new DYNAMIC.Database("generated", { group });
  });
  await stack.deploy();
  const before = await here.databases();
  args.location = "aws-eu-west-1";
  here.api.fault({ operation: "createGroup", ...BUSY });
  expect((await stack.up()).code).not.toBe(0);
  expect(await here.databases()).toEqual({});
  here.api.clearFaults();
  args.location = "aws-us-east-1";
  expect((await stack.preview()).output).not.toContain("empty");
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(before);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
