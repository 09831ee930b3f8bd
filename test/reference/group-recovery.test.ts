import { describe, expect, test } from "vitest";
import { raw } from "./calling";
import { NOON, world } from "./world";

const FIVE_DAYS = 5 * 24 * 60 * 60;
const shop = { organizationSlug: "acme", groupName: "shop" };

/**
 * Creates a group `shop`, and deletes it together with its databases `users` and `orders`. The database `early` was
 * deleted before the group, and `apart` is live in another group.
 */
async function deletedShop() {
  const made = await world();
  const { owner, slug, database, group } = made;
  const groupId = await group("shop");
  const users = await database("users", "shop");
  const orders = await database("orders", "shop");
  await database("early", "shop");
  await database("apart", "default");
  await owner.ok("deleteDatabase", { ...slug, databaseName: "early" });
  await owner.ok("deleteGroup", shop);
  return { ...made, groupId, users, orders };
}

describe("restoring a group", () => {
  test("wire-facts 4.4 restores exactly the databases deleted with the group, and sorts them by name", async () => {
    const { owner, id, groupId, orders, users, liveNames, deletedNames, groupNames } = await deletedShop();

    const restored = await owner.ok("restoreGroup", { ...id, groupId });

    expect(restored.group).toMatchObject({ uuid: groupId, name: "shop", primary: "aws-us-east-1" });
    expect(restored.databases).toEqual([
      expect.objectContaining({ Name: "orders", DbId: orders, group_id: groupId, deleted_at: NOON }),
      expect.objectContaining({ Name: "users", DbId: users, group_id: groupId, deleted_at: NOON }),
    ]);
    expect(restored.failures).toEqual({});
    expect(await groupNames()).toEqual(["default", "shop"]);
    expect(await liveNames()).toEqual(["apart", "orders", "users"]);
    expect(await deletedNames()).toEqual(["early"]);
    expect((await owner.ok("listDeletedGroups", id)).groups).toEqual([]);
  });

  test("§2.3 succeeds for a group without databases", async () => {
    const { owner, slug, id, group, groupNames } = await world();
    const groupId = await group("empty");
    await owner.ok("deleteGroup", { ...slug, groupName: "empty" });
    expect(await owner.ok("restoreGroup", { ...id, groupId })).toMatchObject({ databases: [], failures: {} });
    expect(await groupNames()).toEqual(["default", "empty"]);
  });

  test("wire-facts 4.4 reports the DbId of a database whose name is taken, and restores all other databases", async () => {
    const { owner, id, groupId, orders, database, liveNames, deletedNames } = await deletedShop();
    await database("orders");

    const restored = await owner.ok("restoreGroup", { ...id, groupId });

    expect(restored.databases.map(({ Name }) => Name)).toEqual(["users"]);
    expect(restored.failures).toEqual({ [orders]: "database with name [orders] already exists" });
    expect(await liveNames()).toEqual(["apart", "orders", "users"]);
    expect(await deletedNames()).toEqual(["early", "orders"]);
    await owner.ok("restoreDatabase", { ...id, databaseId: orders, body: { name: "orders-old" } });
    expect(await liveNames()).toEqual(["apart", "orders", "orders-old", "users"]);
  });

  test("§2.3 restores only the databases that were live when the group was last deleted", async () => {
    const { owner, id, groupId, orders, users, liveNames, deletedNames } = await deletedShop();
    await owner.ok("restoreDatabase", { ...id, databaseId: orders });
    expect(await owner.status("restoreGroup", { ...id, groupId })).toBe(404);
    await owner.ok("deleteGroup", shop);
    const { groups } = await owner.ok("listDeletedGroups", id);
    expect(groups).toMatchObject([{ uuid: groupId, cascade_databases: 1 }]);

    const restored = await owner.ok("restoreGroup", { ...id, groupId });

    expect(restored.databases.map(({ DbId }) => DbId)).toEqual([orders]);
    expect(await liveNames()).toEqual(["apart", "orders"]);
    expect(await deletedNames()).toEqual(["early", "users"]);
    await owner.ok("restoreDatabase", { ...id, databaseId: users });
  });

  test("wire-facts 4.4, §8 row 1 succeeds until the five-day recovery period ends, and then returns 404", async () => {
    const { api, owner, slug, id, group, groupId, groupNames } = await deletedShop();
    const late = await group("late");
    await owner.ok("deleteGroup", { ...slug, groupName: "late" });
    await api.advance(FIVE_DAYS);
    await owner.ok("restoreGroup", { ...id, groupId });
    await api.advance(0.001);
    expect(await owner.refused("restoreGroup", { ...id, groupId: late })).toEqual({
      status: 404,
      error: `no deleted group with id [${late}] exists, or its recovery window has passed`,
    });
    expect(await groupNames()).toEqual(["default", "shop"]);
  });

  test("wire-facts 4.4 accepts UUIDs in uppercase", async () => {
    const { owner, slug, id, group } = await world();
    const groupId = await group("shop");
    await owner.ok("deleteGroup", { ...slug, groupName: "shop" });
    await owner.ok("restoreGroup", {
      organizationId: id.organizationId.toUpperCase(),
      groupId: groupId.toUpperCase(),
    });
  });

  test("wire-facts 0 requires no body, and ignores a body that is sent", async () => {
    const { api, id, groupId } = await deletedShop();
    const path = `${api.url}/v3/organizations/${id.organizationId}/groups/${groupId}/restore`;
    const body = JSON.stringify({ organization: "nowhere", group: "nowhere" });
    const answer = await raw(path, { method: "POST", credential: api.apiToken, body });
    expect(answer.status).toBe(200);
  });
});
