import { describe, expect, test } from "vitest";
import { raw } from "./calling";
import { world } from "./world";

const shop = { organizationSlug: "acme", groupName: "shop" };

async function shopWorld() {
  const made = await world();
  const groupId = await made.group("shop");
  const databaseId = await made.database("orders", "shop");
  return { ...made, groupId, databaseId };
}

describe("configuring a group", () => {
  test.each([
    ["wire-facts 2.2 sets `delete_protection` to the value in the request", { delete_protection: false }, false],
    ["wire-facts 2.2 keeps the value of a property that the request omits", {}, true],
    ["wire-facts 2.2 changes nothing with `null`", { delete_protection: null }, true],
  ])("%s", async (_rule, body, expected) => {
    const { owner } = await shopWorld();
    expect(await owner.ok("retrieveGroupConfiguration", shop)).toEqual({ delete_protection: false });
    const on = await owner.ok("updateGroupConfiguration", { ...shop, body: { delete_protection: true } });
    expect(on).toEqual({ delete_protection: true });
    const changed = await owner.ok("updateGroupConfiguration", { ...shop, body });
    expect(changed).toEqual({ delete_protection: expected });
    expect(await owner.ok("retrieveGroupConfiguration", shop)).toEqual(changed);
    expect((await owner.ok("retrieveGroup", shop)).group.delete_protection).toBe(expected);
  });
});

describe("renaming a group", () => {
  test("§5 rule 3 changes only the name, and keeps the UUID, databases, tokens and hostnames", async () => {
    const { api, owner, slug, groupId, databaseId, groupNames, as } = await shopWorld();
    const scoped = await as({ group: "shop", name: "ci" });
    const before = (await owner.ok("retrieveDatabase", { ...slug, databaseName: "orders" })).database;

    const path = `${api.url}/v1/organizations/acme/groups/shop/rename`;
    const answer = await raw(path, { method: "POST", credential: api.apiToken, body: '{"Name":"store"}' });

    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    expect(await groupNames()).toEqual(["default", "store"]);
    expect(await owner.status("retrieveGroup", shop)).toBe(404);
    const store = { ...slug, groupName: "store" };
    expect((await scoped.ok("retrieveGroup", store)).group.uuid).toBe(groupId);
    const { database } = await scoped.ok("retrieveDatabase", { ...slug, databaseName: "orders" });
    expect(database).toEqual({ ...before, DbId: databaseId, group: "store" });
    const { tokens } = await owner.ok("listApiTokens", slug);
    expect(tokens.find(({ name }) => name === "ci")?.group).toBe("store");
    await owner.ok("createGroup", { ...slug, body: { name: "shop", location: "aws-us-east-1" } });
  });

  test("changes nothing if the group already has the name", async () => {
    const { owner, groupNames } = await shopWorld();
    await owner.ok("renameGroup", { ...shop, body: { name: "shop" } });
    expect(await groupNames()).toEqual(["default", "shop"]);
  });
});

describe("locations of a group", () => {
  const at = (location: string) => ({ ...shop, location });

  test("§1 can be added and removed, and are also the regions of the group's databases", async () => {
    const { owner, slug, databaseId, id } = await shopWorld();
    const seen = async () => {
      const { group } = await owner.ok("retrieveGroup", shop);
      const { database } = await owner.ok("retrieveDatabaseById", { ...id, databaseId });
      expect([group.primary, database.primaryRegion]).toEqual(["aws-us-east-1", "aws-us-east-1"]);
      expect(database.Hostname).toMatch(/^orders-acme\.aws-us-east-1\./);
      expect(database.regions).toEqual(group.locations);
      return group.locations;
    };
    const added = await owner.ok("addGroupLocation", at("aws-us-west-2"));
    expect(added.group.locations).toEqual(["aws-us-east-1", "aws-us-west-2"]);
    await owner.ok("addGroupLocation", at("aws-eu-west-1"));
    expect(await seen()).toEqual(["aws-us-east-1", "aws-us-west-2", "aws-eu-west-1"]);
    const removed = await owner.ok("removeGroupLocation", at("aws-us-west-2"));
    expect(removed.group.locations).toEqual(["aws-us-east-1", "aws-eu-west-1"]);
    expect(await seen()).toEqual(["aws-us-east-1", "aws-eu-west-1"]);
    expect((await owner.ok("retrieveGroup", { ...slug, groupName: "default" })).group.locations).toHaveLength(1);
  });

  test("§1 are all added when several requests arrive at the same time", async () => {
    const { owner } = await shopWorld();
    const codes = ["aws-ap-south-1", "aws-eu-west-1", "aws-us-east-2", "aws-us-west-2"];
    await Promise.all(codes.map((code) => owner.ok("addGroupLocation", at(code))));
    const { group } = await owner.ok("retrieveGroup", shop);
    expect([...group.locations].sort()).toEqual([...codes, "aws-us-east-1"].sort());
  });

  test("stay unchanged if an existing location is added or a missing location is removed", async () => {
    const { owner } = await shopWorld();
    await owner.ok("addGroupLocation", at("aws-eu-west-1"));
    const before = await owner.ok("retrieveGroup", shop);
    expect(await owner.ok("addGroupLocation", at("aws-eu-west-1"))).toEqual(before);
    expect(await owner.ok("addGroupLocation", at("aws-us-east-1"))).toEqual(before);
    expect(await owner.ok("removeGroupLocation", at("aws-ap-south-1"))).toEqual(before);
  });

  test("§2.1 are kept for the group and its databases when the group is deleted and restored", async () => {
    const { owner, slug, id, groupId } = await shopWorld();
    await owner.ok("addGroupLocation", at("aws-eu-west-1"));
    await owner.ok("deleteGroup", shop);
    const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
    expect(databases[0]?.regions).toEqual(["aws-us-east-1", "aws-eu-west-1"]);
    await owner.ok("restoreGroup", { ...id, groupId });
    expect((await owner.ok("retrieveGroup", shop)).group.locations).toEqual(["aws-us-east-1", "aws-eu-west-1"]);
    const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "orders" });
    expect(database.regions).toEqual(["aws-us-east-1", "aws-eu-west-1"]);
  });
});
