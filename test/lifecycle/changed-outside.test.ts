// @module-tag no-database-is-lost
// @module-tag failures-and-interruptions

import { expect, test } from "vitest";
import { deletionSkipped } from "../../kit/lifecycle/messages";
import { restoredWithDifference } from "../../kit/lifecycle/restore/messages";
import { newNameInUse } from "../../kit/messages";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { readImported, readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { group } from "../../provider/resources/group/group";
import { clientOf } from "../engine/engine-fixture";
import { faultyWire } from "../faulty-wire";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const args = { name: "orders", group: "default" };
const organizationSlug = "acme";
const outside = ({ api }: LifecycleFixture) => clientOf(api, api.apiToken);

test("configures a database that was restored outside Pulumi under another name", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, args, here.context);
  const wanted = { database: id, blockWrites: true };
  const configuration = await create(databaseConfiguration, wanted, here.context);
  const organizationId = here.api.organizationId;
  await outside(here).deleteDatabaseById({ organizationId, databaseId: id });
  await outside(here).restoreDatabase({ organizationId, databaseId: id, body: { name: "renamed" } });

  const later = here.again();
  const read = await readManaged(database, { id, inputs: args, state }, later);
  await update(database, { id, oldInputs: args, state: read?.state ?? {}, news: args }, later);
  const news = { ...wanted, blockWrites: false };
  const changed = { id, oldInputs: wanted, state: configuration.state, news };
  expect(await update(databaseConfiguration, changed, later)).toMatchObject({ blockWrites: false });
});

test("deletes a group after its database, even if the deletion of the group starts first", async () => {
  const here = await lifecycleFixture();
  const parent = await create(group, { name: "tenants", location: "aws-us-east-1" }, here.context);
  const child = await create(database, { name: "orders", group: "tenants" }, here.context);
  const later = here.again();
  await Promise.all([remove(group, parent, later), remove(database, child, later)]);
  const { groups } = await outside(here).listGroups({ organizationSlug });
  expect(groups.map(({ name }) => name)).not.toContain("tenants");
});

test("warns if a database that was restored with its group still has its old name", async () => {
  const here = await lifecycleFixture();
  const tenants = { name: "tenants", location: "aws-us-east-1" };
  const parent = await create(group, tenants, here.context);
  const inGroup = { name: "orders", group: parent.id };
  const child = await create(database, inGroup, here.context);
  await outside(here).deleteGroup({ organizationSlug, groupName: "tenants" });

  const later = here.again();
  const deletedGroup = await readManaged(group, { ...parent, inputs: tenants }, later);
  const deleted = await readManaged(database, { ...child, inputs: inGroup }, later);
  await update(group, { id: parent.id, oldInputs: tenants, state: deletedGroup?.state ?? {}, news: tenants }, later);
  const news = { ...inGroup, name: "renamed" };
  const changed = { id: child.id, oldInputs: inGroup, state: deleted?.state ?? {}, news };
  const state = await update(database, changed, later);
  const difference = { property: "name", is: "orders", wanted: "renamed" };
  expect(here.said).toContain(restoredWithDifference({ title: 'database "orders"', id: child.id, difference }));
  expect(state).toMatchObject({ name: "orders", dbId: child.id });
  expect(state).not.toHaveProperty("deletedAt");

  const unchanged = { id: child.id, oldInputs: news, state, news };
  expect((await diff(database, unchanged, here.again())).differences).toMatchObject([
    { path: "name", replaces: false },
  ]);
  const renamedAgain = { ...unchanged, news: { ...news, name: "renamed-again" } };
  expect((await diff(database, renamedAgain, here.again())).differences).toMatchObject([
    { path: "name", replaces: true },
  ]);
});

test("keeps a database whose resource was removed from the program if another resource has imported it", async () => {
  const here = await lifecycleFixture();
  const former = await create(database, args, here.context);
  const imported = await readImported(database, former.id, here.again());

  const later = here.again({ urn: "urn:successor" });
  later.run.note({ step: "check", urn: "urn:successor", inputs: {} });
  const compared = { id: former.id, oldInputs: imported.inputs, state: imported.state, news: imported.inputs };
  expect((await diff(database, compared, later)).differences).toEqual([]);
  await remove(database, former, later);
  expect(here.said).toContain(deletionSkipped({ title: 'database "orders"', id: former.id }));
  expect(await database.read(former.id, here.context.platform)).toMatchObject({
    status: "live",
  });

  // The engine calls Diff when it reads resources before an update, even if the program no longer declares the
  // resource.
  const last = here.again({ urn: "urn:former" });
  await diff(database, compared, last);
  await remove(database, former, last);
  expect(await database.read(former.id, here.context.platform)).toMatchObject({
    status: "deleted",
  });
});

test("refuses to rename a group to a taken name, and prints the id of the group with that name", async () => {
  const here = await lifecycleFixture();
  const tenants = { name: "tenants", location: "aws-us-east-1" };
  const { id, state } = await create(group, tenants, here.context);
  const { groups } = await outside(here).listGroups({ organizationSlug });
  const other = groups.find(({ name }) => name === "other")?.uuid;
  const renamed = { id, oldInputs: tenants, state, news: { ...tenants, name: "other" } };
  await expect(update(group, renamed, here.context)).rejects.toThrow(
    newNameInUse({ kind: "group", name: "other", id: String(other) }).answer,
  );
});

test("restores a database even if its group was renamed outside Pulumi before both were deleted", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, args, here.context);
  await outside(here).renameGroup({ organizationSlug, groupName: "default", body: { name: "renamed" } });
  await outside(here).deleteGroup({ organizationSlug, groupName: "renamed" });

  const later = here.again();
  const deleted = await readManaged(database, { id, inputs: args, state }, later);
  const unchanged = { id, oldInputs: args, state: deleted?.state ?? {}, news: args };
  expect(await update(database, unchanged, later)).toMatchObject({ dbId: id, groupName: "renamed" });
  const moved = { ...unchanged, news: { ...args, group: "other" } };
  await expect(update(database, moved, here.again())).rejects.toThrow("it was deleted with group");
});

test("says why a database may not move even if its group is restored at the same time", async () => {
  const here = await lifecycleFixture();
  const other = { name: "orders", group: "other" };
  const { id, state } = await create(database, other, here.context);
  await outside(here).deleteGroup({ organizationSlug, groupName: "other" });
  const deleted = await readManaged(database, { id, inputs: other, state }, here.again());

  const wire = await faultyWire(here.api.url);
  wire.trouble = ({ operation }) => {
    if (operation !== "listDeletedDatabases") return undefined;
    return async ({ forward, send }) => {
      wire.trouble = undefined;
      const groupId = String(deleted?.state.groupId);
      await outside(here).restoreGroup({ organizationId: here.api.organizationId, groupId });
      const { status, text } = await forward();
      send(status, text);
    };
  };
  const moved = { id, oldInputs: other, state: deleted?.state ?? {}, news: args };
  await expect(update(database, moved, here.again({}, { baseUrl: wire.url }))).rejects.toThrow(
    "it was deleted with group",
  );
  expect(wire.trouble).toBeUndefined();
});

test("§3 restores a database exactly five days after its deletion, but not one second later", async () => {
  const here = await lifecycleFixture({}, { now: "2026-03-01T12:00:00.000Z" });
  const { id, state } = await create(database, args, here.context);
  const organizationId = here.api.organizationId;
  await outside(here).deleteDatabaseById({ organizationId, databaseId: id });
  await here.api.advance(5 * 86_400);
  const managed = { id, inputs: args, state };
  const found = await readManaged(database, managed, here.again());
  expect(found?.state.restorableUntil).toBe((await here.api.clock.now()).toISOString());

  await here.api.advance(1);
  expect(await readManaged(database, managed, here.again())).toBeUndefined();
  await here.api.advance(-1);
  const deleted = { id, oldInputs: args, state: found?.state ?? {}, news: args };
  expect((await update(database, deleted, here.again())).deletedAt).toBeUndefined();
});
