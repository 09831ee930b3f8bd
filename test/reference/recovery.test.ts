import { describe, expect, test } from "vitest";
import { NOON, world } from "./world";

const FIVE_DAYS = 5 * 24 * 60 * 60;

describe("restoring a database", () => {
  test("§3 row 1 keeps its name and UUID", async () => {
    const { owner, slug, id, database, liveNames, deletedNames } = await world();
    const databaseId = await database("orders");
    await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
    expect(await liveNames()).toEqual([]);

    const restored = await owner.ok("restoreDatabase", { ...id, databaseId });

    expect(restored.database).toMatchObject({ Name: "orders", DbId: databaseId, deleted_at: NOON });
    expect(await liveNames()).toEqual(["orders"]);
    expect(await deletedNames()).toEqual([]);
  });

  test("§3 row 2, §8 row 1 succeeds until the five-day recovery period ends, and then returns 404", async () => {
    const { api, owner, slug, id, database, deletedNames } = await world();
    const inTime = await database("in-time");
    const tooLate = await database("too-late");
    await owner.ok("deleteDatabase", { ...slug, databaseName: "in-time" });
    await owner.ok("deleteDatabase", { ...slug, databaseName: "too-late" });
    await api.advance(FIVE_DAYS);
    expect(await deletedNames()).toEqual(["in-time", "too-late"]);
    await owner.ok("restoreDatabase", { ...id, databaseId: inTime });

    await api.advance(0.001);

    expect(await deletedNames()).toEqual([]);
    expect(await owner.refused("restoreDatabase", { ...id, databaseId: tooLate })).toMatchObject({ status: 404 });
  });

  test("§7 row 1 accepts UUIDs in uppercase", async () => {
    const { owner, slug, id, database } = await world();
    const databaseId = await database("orders");
    await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
    await owner.ok("restoreDatabase", {
      organizationId: id.organizationId.toUpperCase(),
      databaseId: databaseId.toUpperCase(),
    });
  });

  test("§3 row 1 changes its hostname if its name changes", async () => {
    const { owner, slug, id, database } = await world();
    const databaseId = await database("orders");
    await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
    const { database: restored } = await owner.ok("restoreDatabase", { ...id, databaseId, body: { name: "orders-2" } });
    expect(restored.Name).toBe("orders-2");
    expect(restored.Hostname).toMatch(/^orders-2-acme\.aws-us-east-1\./);
    const { database: live } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "orders-2" });
    expect(live).toMatchObject({ DbId: databaseId, Hostname: restored.Hostname });
  });

  test("§3 row 1 also restores its configuration", async () => {
    const { owner, slug, id, database } = await world();
    const databaseId = await database("orders");
    const named = { ...slug, databaseName: "orders" };
    const before = await owner.ok("updateDatabaseConfiguration", {
      ...named,
      body: { size_limit: "1gb", block_writes: true, allowed_ips: ["10.0.0.0/8"] },
    });
    await owner.ok("deleteDatabase", named);
    await owner.ok("restoreDatabase", { ...id, databaseId });
    expect(await owner.ok("retrieveDatabaseConfiguration", named)).toEqual(before);
  });

  test("§3 row 3 is listed even while recovery is disabled", async () => {
    const { owner, slug, id, database, group, deletedNames } = await world();
    await database("orders");
    await group("empty");
    await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
    await owner.ok("deleteGroup", { ...slug, groupName: "empty" });
    await owner.ok("updateOrganization", { ...slug, body: { restore_enabled: false } });
    expect(await deletedNames()).toEqual(["orders"]);
    expect((await owner.ok("listDeletedGroups", id)).groups).toHaveLength(1);
  });
});

describe("a group deleted with its databases", () => {
  async function deletedGroup() {
    const made = await world();
    const groupId = await made.group("shop");
    const orders = await made.database("orders", "shop");
    const users = await made.database("users", "shop");
    await made.database("apart", "default");
    await made.owner.ok("deleteGroup", { ...made.slug, groupName: "shop" });
    return { ...made, groupId, orders, users };
  }

  test("§2.1, §2.3 is listed with its number of databases, and each database has `group_deleted_at`", async () => {
    const { owner, id, groupId, liveNames } = await deletedGroup();
    expect(await liveNames()).toEqual(["apart"]);
    const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
    expect(
      databases.map(({ Name, group, group_id, group_deleted_at }) => [Name, group, group_id, group_deleted_at]).sort(),
    ).toEqual([
      ["orders", "shop", groupId, NOON],
      ["users", "shop", groupId, NOON],
    ]);
    const { groups } = await owner.ok("listDeletedGroups", id);
    expect(groups).toEqual([{ uuid: groupId, name: "shop", deleted_at: NOON, cascade_databases: 2 }]);
  });

  test("§3 row 1 comes back when one of its databases is restored; the other databases stay deleted and restorable", async () => {
    const { owner, slug, id, groupId, orders, users, groupNames, deletedNames, liveNames } = await deletedGroup();
    await owner.ok("restoreDatabase", { ...id, databaseId: orders });
    expect(await groupNames()).toEqual(["default", "shop"]);
    expect((await owner.ok("retrieveGroup", { ...slug, groupName: "shop" })).group.uuid).toBe(groupId);
    expect((await owner.ok("listDeletedGroups", id)).groups).toEqual([]);
    expect(await deletedNames()).toEqual(["users"]);
    await owner.ok("restoreDatabase", { ...id, databaseId: users });
    expect(await liveNames()).toEqual(["apart", "orders", "users"]);
  });

  test("§2.1 has no `group_deleted_at` in a database that was deleted before the group", async () => {
    const { owner, slug, id, group, database } = await world();
    await group("shop");
    await database("orders", "shop");
    await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
    await owner.ok("deleteGroup", { ...slug, groupName: "shop" });
    const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
    expect(databases[0]?.group_deleted_at).toBeUndefined();
  });

  test("§4.4, §3 row 3 is listed for exactly five days, even if it was empty", async () => {
    const { api, owner, slug, id, group } = await world();
    await group("empty");
    await owner.ok("deleteGroup", { ...slug, groupName: "empty" });
    await api.advance(FIVE_DAYS);
    expect((await owner.ok("listDeletedGroups", id)).groups).toMatchObject([{ name: "empty", cascade_databases: 0 }]);
    await api.advance(0.001);
    expect((await owner.ok("listDeletedGroups", id)).groups).toEqual([]);
  });

  test("§3 row 4, §5 rule 10 permanently loses its group-scoped tokens, even if it is restored", async () => {
    const { api, owner, slug, id, group, database, as } = await world();
    await group("shop");
    const orders = await database("orders", "shop");
    const shop = await as({ group: "shop", name: "shop-token" });
    const other = await as({ group: "default" });
    expect(await shop.status("listDatabases", slug)).toBe(200);
    await owner.ok("deleteGroup", { ...slug, groupName: "shop" });
    expect(await shop.status("listDatabases", slug)).toBe(401);
    await owner.ok("restoreDatabase", { ...id, databaseId: orders });
    expect(await shop.status("listDatabases", slug)).toBe(401);
    expect(await other.status("listDatabases", slug)).toBe(200);
    const { tokens } = await owner.ok("listApiTokens", slug);
    expect(tokens.map(({ name }) => name)).not.toContain("shop-token");
    expect(await api.token({ group: "shop", name: "shop-token" })).toBeTruthy();
  });
});

describe("listing deleted databases and groups", () => {
  test("§4.4, wire-facts 4.5 returns every entry once, and omits `next` on the last page", async () => {
    const { api, owner, slug, id, group, database } = await world();
    for (const name of ["a", "b", "c", "d", "e"]) {
      await group(`g-${name}`);
      await database(name, `g-${name}`);
      await owner.ok("deleteGroup", { ...slug, groupName: `g-${name}` });
      if (name === "b") await api.advance(1);
    }
    const seen: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await owner.ok("listDeletedGroups", { ...id, query: { limit: 2, ...(cursor && { cursor }) } });
      seen.push(page.groups.map(({ name }) => name));
      cursor = page.pagination?.next ?? undefined;
    } while (cursor);
    expect(seen.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(seen.flat().sort()).toEqual(["g-a", "g-b", "g-c", "g-d", "g-e"]);

    const first = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true", limit: 4 } });
    const next = first.pagination?.next ?? "";
    const second = await owner.ok("listDeletedDatabases", {
      ...id,
      query: { deleted: "true", limit: 4, cursor: next },
    });
    expect([...first.databases, ...second.databases].map(({ Name }) => Name).sort()).toEqual(["a", "b", "c", "d", "e"]);
    expect(second.pagination).toEqual({});
  });

  test("wire-facts 4.1, 4.3 returns 100 entries per page by default", async () => {
    const numbers = Array.from({ length: 101 }, (_, index) => index);
    const groups = numbers.map((number) => ({ name: `g-${number}`, deleted_at: NOON }));
    const databases = numbers.map((number) => ({ name: `db-${number}`, group: `g-${number}` }));
    const organization = { slug: "acme", members: [{ username: "ada", role: "owner" as const }], groups, databases };
    const { owner, id } = await world({ seed: { users: [{ username: "ada" }], organizations: [organization] } });
    const deleted = { deleted: "true" as const };
    expect((await owner.ok("listDeletedGroups", id)).groups).toHaveLength(100);
    expect((await owner.ok("listDeletedDatabases", { ...id, query: deleted })).databases).toHaveLength(100);
    const longer = { ...deleted, limit: 1000 };
    expect((await owner.ok("listDeletedDatabases", { ...id, query: longer })).databases).toHaveLength(101);
  });

  test("wire-facts 4.1 finds names that contain the search text, and takes wildcards literally", async () => {
    const { owner, slug, id, database } = await world();
    for (const databaseName of ["orders-1", "orders-2", "users"]) {
      await database(databaseName);
      await owner.ok("deleteDatabase", { ...slug, databaseName });
    }
    const found = async (search: string) => {
      const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true", search } });
      return databases.map(({ Name }) => Name).sort();
    };
    expect(await found("rder")).toEqual(["orders-1", "orders-2"]);
    expect(await found("%")).toEqual([]);
    expect(await found("_")).toEqual([]);
  });
});
