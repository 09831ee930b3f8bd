import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import type { Context } from "../../kit/lifecycle/context";
import type { Properties } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { database } from "../../provider/resources/database/database";
import { group } from "../../provider/resources/group/group";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";

const organizationSlug = "acme";
const TENANTS = { name: "tenants", location: "aws-us-east-1" };

/** Reads a resource through the cached lists. */
const seen = (resource: AnyResource, id: string, { platform }: Context) =>
  resource.read(id, platform, { maxAge: "seconds" });

const unnoted = () => undefined;

/** Creates a group with a database. Reads both, so that the lists that contain them are cached. */
async function tenants() {
  const here = await lifecycleFixture();
  const made = await create(group, TENANTS, here.context);
  const child = await create(database, { name: "orders", group: made.id }, here.context);
  const context = here.newProcess();
  expect(await seen(group, made.id, context)).toMatchObject({ status: "live", state: TENANTS });
  expect(await seen(database, child.id, context)).toMatchObject({ status: "live" });
  const change = (changes: Properties) =>
    group.update?.(made.id, changes, { ...context.platform, now: made.state, inputs: {}, done: unnoted });
  return { here, context, id: made.id, state: made.state, child: child.id, change };
}

describe("a read after a change by the same process", () => {
  test.each([
    ["the new name of a group", { name: "renamed" }],
    ["the protection of a group", { deleteProtection: true }],
    ["locations added to a group", { locations: ["aws-eu-west-1"] }],
  ])("shows %s", async (_, changes) => {
    const { context, id, change } = await tenants();
    await change(changes);
    expect(await seen(group, id, context)).toMatchObject({ state: changes });
  });

  test("shows a group that was restored with one of its databases", async () => {
    const { here, id, child } = await tenants();
    const outside = clientOf(here.api, here.api.apiToken);
    await outside.deleteGroup({ organizationSlug, groupName: TENANTS.name });
    const later = here.newProcess();
    expect(await seen(group, id, later)).toMatchObject({ status: "deleted" });
    await later.platform.platform.api.restoreDatabase({ databaseId: child });
    expect(await seen(group, id, later)).toMatchObject({ status: "live" });
  });

  test("no longer shows locations removed from a group", async () => {
    const { context, id, state, change } = await tenants();
    await change({ locations: ["aws-eu-west-1"] });
    expect(await seen(group, id, context)).toMatchObject({ state: { locations: ["aws-eu-west-1"] } });
    const now = { ...state, locations: ["aws-eu-west-1"] };
    await group.update?.(id, { locations: [] }, { ...context.platform, now, inputs: {}, done: unnoted });
    expect(await seen(group, id, context)).toMatchObject({ state: { locations: [] } });
  });

  test("shows the new regions of a database after the locations of its group change", async () => {
    const { context, id, state, child, change } = await tenants();
    await change({ locations: ["aws-eu-west-1"] });
    expect(await seen(database, child, context)).toMatchObject({
      state: { regions: ["aws-us-east-1", "aws-eu-west-1"] },
    });
    const now = { ...state, locations: ["aws-eu-west-1"] };
    await group.update?.(id, { locations: [] }, { ...context.platform, now, inputs: {}, done: unnoted });
    expect(await seen(database, child, context)).toMatchObject({ state: { regions: ["aws-us-east-1"] } });
  });

  test("shows the new name of a database's group", async () => {
    const { context, child, change } = await tenants();
    await change({ name: "renamed" });
    expect(await seen(database, child, context)).toMatchObject({ state: { groupName: "renamed" } });
  });

  test("shows a group and its databases as deleted, and as live once the group is restored", async () => {
    const { context, id, state, child } = await tenants();
    await group.delete(id, { ...context.platform, now: state, replacedBy: undefined });
    expect(await seen(group, id, context)).toMatchObject({ status: "deleted" });
    expect(await seen(database, child, context)).toMatchObject({ status: "deleted" });
    await group.softDeleted?.restore(id, TENANTS, { ...context.platform, now: state });
    expect(await seen(group, id, context)).toMatchObject({ status: "live" });
    expect(await seen(database, child, context)).toMatchObject({ status: "live" });
  });

  test("shows a database as deleted, and as live once it is restored", async () => {
    const { context, child } = await tenants();
    const orders = { name: "orders", group: "tenants" } as never;
    await database.delete(child, { ...context.platform, now: orders, replacedBy: undefined });
    expect(await seen(database, child, context)).toMatchObject({ status: "deleted" });
    await database.softDeleted?.restore(child, orders, { ...context.platform, now: orders });
    expect(await seen(database, child, context)).toMatchObject({ status: "live" });
  });

  test("shows the new name of a restored group that another process renamed before deleting it", async () => {
    const { here, context, id, state } = await tenants();
    const outside = clientOf(here.api, here.api.apiToken);
    await outside.renameGroup({ organizationSlug, groupName: "tenants", body: { name: "renamed" } });
    await outside.deleteGroup({ organizationSlug, groupName: "renamed" });
    await group.softDeleted?.restore(id, TENANTS, { ...context.platform, now: state });
    expect(await seen(group, id, context)).toMatchObject({ state: { name: "renamed" } });
  });

  test("shows a new group that has the name of a group deleted by another process", async () => {
    const { here, context, id } = await tenants();
    await clientOf(here.api, here.api.apiToken).deleteGroup({ organizationSlug, groupName: "tenants" });
    const successor = await create(group, TENANTS, context);
    expect(successor.id).not.toBe(id);
    const { state } = await create(database, { name: "events", group: "tenants" }, context);
    expect(state).toMatchObject({ groupId: successor.id });
  });
});
