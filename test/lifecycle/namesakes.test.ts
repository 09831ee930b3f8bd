// @module-tag no-database-is-lost
// @module-tag previews-are-true
// @module-tag clear-messages

import { expect, test } from "vitest";
import { canBeRestoredUntil, restoredDespiteIgnored } from "../../kit/lifecycle/restore/messages";
import { emptyInsteadOfDeleted, nameRestored } from "../../kit/lifecycle/taken/messages";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { planCreate } from "../../kit/steps/plan";
import { dbplatform } from "../../provider/provider";
import { database } from "../../provider/resources/database/database";
import { groupNamePlanned } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { clientOf } from "../engine/engine-fixture";
import type { Declared } from "../fake-engine/declared-program";
import { FakeEngine } from "../fake-engine/fake-engine";
import { lifecycleFixture } from "./lifecycle-fixture";
import { programOf } from "./story-fixture";

const organizationSlug = "acme";
const tenants = { name: "tenants", location: "aws-us-east-1" };
const tenantsGroup: Declared = { type: "Group", args: tenants };
const orders: Declared = { type: "Database", args: { name: "orders", group: "default" } };
const inside: Declared = { type: "Database", args: { name: "inside", group: { of: "tenants", output: "id" } } };

/** Creates the program's resources, and deletes the database "orders" and the group "tenants" outside Pulumi. */
async function deletedOutside() {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const stack = new FakeEngine(dbplatform);
  await stack.up(programOf({ orders, tenants: tenantsGroup, inside }), here.again());
  const idOf = (slot: string) => stack.managed.get(slot)?.id ?? "";
  const ids = { orders: idOf("orders"), tenants: idOf("tenants"), inside: idOf("inside") };
  await outside.deleteDatabaseById({ organizationId: here.api.organizationId, databaseId: ids.orders });
  await outside.deleteGroup({ organizationSlug, groupName: "tenants" });
  return { here, outside, stack, ids };
}

const warningOf = (said: readonly string[], id: string) =>
  said.findLast((text) => text.startsWith("A new, empty") && text.includes(id));

test("advises `aliases` in the preview if a deleted resource was renamed, and `import` in the update", async () => {
  const { here, stack, ids } = await deletedOutside();
  const renamed = programOf({ purchases: orders, tenants: tenantsGroup, inside });
  await stack.preview(renamed, here.again());
  expect(warningOf(here.said, ids.orders)).toMatch(/add `aliases: \["[^"]*orders"\]` to the options/);
  await stack.up(renamed, here.again());
  expect(warningOf(here.said, ids.orders)).toContain(
    `declare a second resource with another \`name\` and the option \`import: "${ids.orders}"\``,
  );
});

test("advises in the preview not to replace a deleted resource, and in the update to import it", async () => {
  const { here, ids } = await deletedOutside();
  for (const [work, advice] of [
    [planCreate, "remove `deletedAt` (or `*`) from `replaceOnChanges`"],
    [create, "declare a second resource"],
  ] as const) {
    const context = here.again({ urn: "orders" });
    context.run.note({ step: "read", resource: database, urn: "orders", id: ids.orders, inputs: {}, state: {} });
    await work(database, orders.args, context);
    expect(warningOf(here.said, ids.orders)).toContain(advice);
  }
});

test("rejects a new database whose name belongs to a database that is restored with its group", async () => {
  const { here, ids } = await deletedOutside();
  const stack = new FakeEngine(dbplatform);
  const imported = { ...tenantsGroup, import: ids.tenants };
  const { answer } = nameRestored({ kind: "database", id: ids.inside, isReplaced: false });
  const again = programOf({ tenants: imported, inside });
  await expect(stack.preview(again, here.again())).rejects.toThrow(answer);
  await expect(stack.up(again, here.again())).rejects.toThrow(ids.inside);
  const both = programOf({ tenants: imported, inside: { ...inside, import: ids.inside } });
  await stack.up(both, here.again());
  expect(stack.managed.get("inside")?.id).toBe(ids.inside);
  expect(await stack.preview(both, here.again())).toBe(0);
});

test("refers to the warning about a new group if the stack manages the deleted group of that name", async () => {
  const { here, stack, ids } = await deletedOutside();
  const moved = { ...inside, args: { ...inside.args, group: { of: "renamed", output: "id" } } };
  const renamed = programOf({ renamed: tenantsGroup, inside: moved });
  const { message } = await stack.preview(renamed, here.again()).then(
    () => ({ message: "" }),
    (refusal: Error) => refusal,
  );
  expect(message).toContain(
    groupNamePlanned({ groupName: "tenants", groupId: ids.tenants, urn: "", isInStack: true }).split(". ")[1],
  );
  expect(warningOf(here.said, ids.tenants)).toMatch(/add `aliases: \["[^"]*tenants"\]` to the options/);
});

test("says what happens to a deleted database with `ignoreChanges` or `replaceOnChanges` if its group is restored", async () => {
  const { here, stack, ids } = await deletedOutside();
  const state = stack.managed.get("inside")?.outputs ?? {};
  const reading = await database.read(ids.inside, here.again().platform, { known: state });
  if (reading.status !== "deleted") throw new Error("the database was not deleted with its group");
  const args = { name: "inside", group: ids.tenants };
  const compared = {
    id: ids.inside,
    oldInputs: args,
    state: reading.state,
    news: args,
    ignored: new Set(["deletedAt"]),
  };
  const context = here.again({ urn: "inside" });
  context.run.note({ step: "read", resource: database, urn: "inside", id: ids.inside, inputs: {}, state: {} });
  const { deletedAt } = reading.state;
  context.run.note({ step: "restore", resource: group, urn: "restored", id: ids.tenants, deletedAt });
  context.run.note({ step: "plan return", urn: "restored", type: group.type, id: ids.tenants, name: "tenants" });
  context.run.note({ step: "check", urn: "inside", inputs: args });
  await diff(database, compared, context);
  expect(here.said.at(-1)).toBe(
    restoredDespiteIgnored({ title: 'database "inside"', id: ids.inside, withTitle: 'group "tenants"' }),
  );
  const { advice } = nameRestored({ kind: "database", id: ids.inside, isReplaced: true });
  await expect(planCreate(database, args, context)).rejects.toThrow(advice);
});

test("does not call a database empty that has a seed", async () => {
  const here = await lifecycleFixture({}, { now: "2026-03-01T12:00:00Z" });
  const { id } = await create(database, { name: "orders", group: "default" }, here.context);
  await create(database, { name: "source", group: "default" }, here.context);
  const outside = clientOf(here.api, here.api.apiToken);
  await outside.deleteDatabaseById({ organizationId: here.api.organizationId, databaseId: id });
  const copy = { name: "orders", group: "default", seed: { database: "source" } };
  here.said.length = 0;
  await planCreate(database, copy, here.again());
  expect(here.said).toEqual([expect.stringContaining(id)]);
  expect(here.said[0]).not.toContain("empty");
  await here.api.advance(5 * 24 * 3600 + 1);
  await planCreate(database, copy, here.again());
  expect(here.said).toHaveLength(1);
});

test("warns that a new database with another name replaces a deleted one because of `replaceOnChanges`", async () => {
  const { here, ids } = await deletedOutside();
  const reading = await database.read(ids.orders, here.again().platform, { known: { ...orders.args } as never });
  if (reading.status !== "deleted") throw new Error("the database was not deleted");
  const until = canBeRestoredUntil({ restorableUntil: String(reading.state.restorableUntil), obstacle: undefined });
  const news = { name: "orders-1a2b3c4", group: "default", __defaults: ["name"] };
  for (const [work, isPlanned] of [
    [planCreate, true],
    [create, false],
  ] as const) {
    const context = here.again({ urn: "orders" });
    await diff(database, { id: ids.orders, oldInputs: news, state: reading.state, news }, context);
    await work(database, news, context);
    expect(here.said.at(-1)).toBe(
      emptyInsteadOfDeleted({
        kind: "database",
        title: 'database "orders"',
        id: ids.orders,
        restorable: until,
        isPlanned,
      }),
    );
  }
});
