// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import { deletionUndecided, replacedIsGone, replacementOfRestoredRefused } from "../../kit/lifecycle/messages";
import { Run } from "../../kit/run";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { readManaged } from "../../kit/steps/read";
import { database } from "../../provider/resources/database/database";
import { group } from "../../provider/resources/group/group";
import { signingKeyRotation } from "../../provider/resources/token/signing-key-rotation";
import { clientOf, engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { faultyWire } from "../faulty-wire";
import { inGroup } from "../stories/declarations";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";
import { made } from "./managed";
import { programOf } from "./story-fixture";

const oldInputs = { name: "orders", group: "default" };

const deletedAndRestored = async (here: LifecycleFixture, name: string) => {
  const orders = await create(database, oldInputs, here.context);
  const outside = clientOf(here.api, here.api.apiToken);
  const at = { organizationId: here.api.organizationId, databaseId: orders.id };
  await outside.deleteDatabaseById(at);
  await outside.restoreDatabase({ ...at, body: { name } });
  return { ...orders, oldInputs };
};

test("continues a replacement that was interrupted after the old database was deleted", async () => {
  const here = await lifecycleFixture();
  const orders = await create(database, oldInputs, here.context);
  await remove(database, orders, here.again());
  const context = here.again();
  // The engine reads every resource before an update, except one that an interrupted replacement has deleted.
  context.run.readsFirst = true;
  const { differences } = await diff(
    database,
    { ...orders, oldInputs, news: { ...oldInputs, name: "sales" } },
    context,
  );
  expect(differences).toMatchObject([{ path: "name", replaces: true }]);
});

test.each(["orders", "orders-back"])(
  "refuses to replace a database that was restored as %s after a failed replacement had deleted it",
  async (name) => {
    const here = await lifecycleFixture();
    const orders = await deletedAndRestored(here, name);
    const context = here.again();
    context.run.readsFirst = true;
    const plan = () => diff(database, { ...orders, news: { ...oldInputs, group: "other" } }, context);
    await expect(plan()).rejects.toThrow(replacementOfRestoredRefused({ kind: "database" }).advice);
    // The engine reads an object that no failed replacement has deleted.
    await readManaged(database, { ...orders, inputs: oldInputs }, context);
    expect((await plan()).differences.filter(({ replaces }) => replaces)).toMatchObject([{ path: "group" }]);
  },
);

test.each([true, false])(
  "manages again a database that was restored under another name (read before every update: %s)",
  async (readsFirst) => {
    const here = await lifecycleFixture();
    const orders = await deletedAndRestored(here, "orders-back");
    const context = here.again();
    if (readsFirst) context.run.readsFirst = true;
    expect((await diff(database, { ...orders, news: oldInputs }, context)).differences).toEqual([]);
    expect(await create(database, oldInputs, context)).toMatchObject({ id: orders.id, state: { name: "orders-back" } });
    await remove(database, orders, context);
    expect(await database.read(orders.id, context.platform)).toMatchObject({ status: "live" });
  },
);

test("keeps an old object that a resource manages again with another provider process", async () => {
  const here = await lifecycleFixture();
  const orders = await deletedAndRestored(here, "orders");
  const context = here.again();
  context.run.readsFirst = true;
  await diff(database, { ...orders, news: oldInputs }, context);
  await create(database, oldInputs, context);
  const other = here.again();
  const run = new Run(context.run.takeovers);
  await remove(database, orders, { ...other, run, platform: { ...other.platform, run } });
  expect(await database.read(orders.id, context.platform)).toMatchObject({ status: "live" });
});

/** Begins to manage a group again, whose replacement was taken back, in an update that cannot set its protection. */
async function takenOverWithoutProtection({ isDeleted }: { isDeleted: boolean }) {
  const here = await lifecycleFixture();
  const args = { name: "tenants", location: "aws-us-east-1" };
  const tenants = await create(group, args, here.context);
  if (isDeleted) await remove(group, tenants, here.again());
  const context = here.again();
  context.run.readsFirst = true;
  const news = { ...args, deleteProtection: true };
  await diff(group, { ...tenants, oldInputs: args, news }, context);
  here.api.fault({ operation: "updateGroupConfiguration", status: 409, body: { error: "busy" }, times: 99 });
  return { here, tenants, context, created: create(group, news, context) };
}

test("keeps an old object that a resource manages again, although not all of its properties could be set", async () => {
  const { tenants, context, created } = await takenOverWithoutProtection({ isDeleted: true });
  await expect(created).rejects.toThrow(InitFailedError);
  await remove(group, tenants, context);
  expect(await group.read(tenants.id, context.platform)).toMatchObject({ status: "live" });
});

test("refuses to delete an old object that a resource could not manage again, until the object is gone", async () => {
  const { here, tenants, context, created } = await takenOverWithoutProtection({ isDeleted: false });
  await expect(created).rejects.toThrow("busy");
  await expect(remove(group, tenants, context)).rejects.toThrow(deletionUndecided().answer);
  expect(await group.read(tenants.id, context.platform)).toMatchObject({ status: "live" });
  await clientOf(here.api, here.api.apiToken).deleteGroup({ organizationSlug: "acme", groupName: "tenants" });
  await here.api.advance(6 * 86_400);
  await remove(group, tenants, context);
});

test("does not say that the old database is gone if it cannot be read after the creation has failed", async () => {
  const { api } = await engineFixture();
  const wire = await faultyWire(api.url);
  const stack = fakeStack({ api, baseUrl: wire.url });
  await stack.run(programOf({ orders: inGroup("orders") }), { preview: false });
  let isBroken = false;
  wire.trouble = ({ operation }) => {
    isBroken ||= operation === "createDatabase";
    return isBroken ? ({ send }) => send(400, '{"error":"no"}') : undefined;
  };
  const { failure } = await stack.run(programOf({ orders: inGroup("sales") }), { preview: false });
  const id = (await stack.managed()).get("orders")?.id ?? "";
  expect(failure).toContain("no");
  expect(failure).not.toContain(replacedIsGone({ title: 'database "orders"', id, isRestorable: true }));
});

test("says nothing about another resource if a replacement has the id of the old object", async () => {
  const here = await lifecycleFixture();
  const { id } = await create(database, oldInputs, here.context);
  const rotation = await made(signingKeyRotation, { database: id }, here.context);
  const context = here.again();
  context.run.note({ step: "check", urn: "urn", inputs: {} });
  await diff(signingKeyRotation, { ...rotation, oldInputs: rotation.inputs, news: rotation.inputs }, context);
  await create(signingKeyRotation, rotation.inputs, context);
  here.said.length = 0;
  await remove(signingKeyRotation, rotation, context);
  expect(here.said).toEqual([]);
});
