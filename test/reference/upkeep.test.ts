import { describe, expect, test } from "vitest";
import { groupInAws, migrationNotStarted } from "../../platform/reference/messages";
import type { Seed } from "../../platform/reference/seed/seed";
import { raw } from "./calling";
import { world } from "./world";

const seed: Seed = {
  users: [{ username: "ada" }],
  organizations: [
    {
      slug: "acme",
      members: [{ username: "ada", role: "owner" }],
      groups: [
        { name: "default", version: "v0.20.0" },
        { name: "attic", archived: true },
      ],
      databases: [
        { name: "orders", version: "v0.20.0", sleeping: true },
        { name: "users", version: "v0.20.0" },
        { name: "stored", group: "attic", sleeping: true },
      ],
    },
  ],
};

const inDefault = { organizationSlug: "acme", groupName: "default" };
const attic = { organizationSlug: "acme", groupName: "attic" };
const named = (databaseName: string) => ({ organizationSlug: "acme", databaseName });
const orders = named("orders");
const users = named("users");
const stored = named("stored");

describe("a group", () => {
  test("wire-facts 2.2 is unarchived with its databases; unarchiving an active group changes nothing", async () => {
    const { owner } = await world({ seed });
    const status = (text: string) => ({ locations: [{ name: "aws-us-east-1", status: text }] });
    expect((await owner.ok("retrieveGroup", attic)).group).toMatchObject({ archived: true, status: status("stopped") });
    expect((await owner.ok("retrieveDatabase", stored)).database.archived).toBe(true);
    const { group } = await owner.ok("unarchiveGroup", attic);
    expect(group).toMatchObject({ name: "attic", archived: false, status: status("running") });
    expect((await owner.ok("retrieveGroup", attic)).group).toEqual(group);
    expect((await owner.ok("retrieveDatabase", stored)).database.archived).toBe(false);
    expect((await owner.ok("unarchiveGroup", inDefault)).group.archived).toBe(false);
  });

  test("wire-facts 2.2 is updated to the newest version together with all its databases", async () => {
    const { owner, slug } = await world({ seed });
    const { version } = (await owner.ok("retrieveGroup", attic)).group;
    expect((await owner.ok("retrieveGroup", inDefault)).group.version).toBe("v0.20.0");
    expect(await owner.ok("updateGroupVersion", inDefault)).toEqual({});
    expect((await owner.ok("retrieveGroup", inDefault)).group.version).toBe(version);
    const { databases } = await owner.ok("listDatabases", slug);
    expect(new Set(databases.map((each) => each.version))).toEqual(new Set([version]));
  });

  test("wire-facts 2.2 reports an added location as ready", async () => {
    const { owner } = await world({ seed });
    const ireland = { ...inDefault, location: "aws-eu-west-1" };
    await owner.ok("addGroupLocation", ireland);
    expect(await owner.ok("awaitGroupLocation", ireland)).toEqual({});
  });

  test("wire-facts 2.4 has the same record whether requested by UUID or by name", async () => {
    const { owner, slug, id } = await world({ seed });
    const { groups } = await owner.ok("listGroups", slug);
    expect(await owner.ok("listGroupsById", id)).toEqual({ groups });
    for (const group of groups)
      expect(await owner.ok("retrieveGroupById", { ...id, groupId: group.uuid })).toEqual({ group });
  });

  test("wire-facts 2.2 accepts only known extensions, and ignores the version that the official CLI sends", async () => {
    const { api, owner, slug, groupNames } = await world();
    const body = (name: string, extensions: unknown) => ({ name, location: "aws-us-east-1", extensions }) as never;
    await owner.ok("createGroup", { ...slug, body: body("a", "all") });
    await owner.ok("createGroup", { ...slug, body: body("b", ["vector", "uuid"]) });
    const path = `${api.url}/v1/organizations/acme/groups`;
    const sent = JSON.stringify({ Name: "d", Location: "aws-us-east-1", Version: "vector" });
    expect((await raw(path, { method: "POST", credential: api.apiToken, body: sent })).status).toBe(200);
    expect(await groupNames()).toEqual(["a", "b", "d", "default"]);
  });

  test("§5 rule 7 reports the status `none` for its migration to AWS, whatever its location", async () => {
    const { owner, slug } = await world();
    await owner.ok("createGroup", { ...slug, body: { name: "old", location: "ams" } });
    expect(await owner.ok("retrieveAwsMigration", inDefault)).toEqual({
      status: "none",
      comment: groupInAws({ group: "default" }),
    });
    expect(await owner.ok("retrieveAwsMigration", { ...slug, groupName: "old" })).toEqual({
      status: "none",
      comment: migrationNotStarted({ group: "old" }),
    });
  });
});

describe("a database", () => {
  test("wire-facts 3.2 wakes up on request, once its group is not archived", async () => {
    const { owner } = await world({ seed });
    expect((await owner.ok("retrieveDatabase", orders)).database.sleeping).toBe(true);
    expect(await owner.ok("wakeDatabase", orders)).toEqual({});
    expect((await owner.ok("retrieveDatabase", orders)).database.sleeping).toBe(false);
    expect(await owner.ok("wakeDatabase", users)).toEqual({});
    await owner.ok("unarchiveGroup", attic);
    await owner.ok("wakeDatabase", stored);
    expect((await owner.ok("retrieveDatabase", stored)).database.sleeping).toBe(false);
  });

  test("wire-facts 3.2 can be updated to the newest version independently of its group's other databases", async () => {
    const { owner } = await world({ seed });
    const { version } = (await owner.ok("retrieveDatabase", stored)).database;
    expect(await owner.ok("updateDatabaseVersion", orders)).toEqual({});
    expect((await owner.ok("retrieveDatabase", orders)).database.version).toBe(version);
    expect((await owner.ok("retrieveDatabase", users)).database.version).toBe("v0.20.0");
  });

  test("wire-facts 3.2 has an empty list of top queries, because the reference API does not record queries", async () => {
    const { owner } = await world({ seed });
    expect(await owner.ok("listTopQueries", { ...orders, query: { from: "2026-02-28T12:00:00Z" } })).toEqual([]);
  });

  test("wire-facts 3.7 has the same record by UUID as by name, plus its allowed IP addresses", async () => {
    const { owner, slug, id } = await world({ seed });
    const rules = { allowed_ips: ["10.0.0.0/8"], allowed_aws_vpc_ids: ["vpce-1"] };
    await owner.ok("updateDatabaseConfiguration", { ...orders, body: rules });
    const { databases } = await owner.ok("listDatabases", slug);
    const listed = (await owner.ok("listDatabasesById", id)).databases;
    expect(listed).toMatchObject(databases);
    expect(listed.find(({ Name }) => Name === "orders")?.allow_rules_config).toEqual(rules);
    const [first] = listed;
    expect(await owner.ok("retrieveDatabaseById", { ...id, databaseId: first?.DbId ?? "" })).toEqual({
      database: first,
    });

    const groupId = databases.find(({ Name }) => Name === "stored")?.group_id ?? "";
    const inAttic = await owner.ok("listDatabasesById", { ...id, query: { group_id: groupId } });
    expect(inAttic.databases.map(({ Name }) => Name)).toEqual(["stored"]);
    const page = await owner.ok("listDatabasesById", { ...id, query: { limit: "2" } });
    const cursor = page.pagination?.next ?? "";
    const rest = await owner.ok("listDatabasesById", { ...id, query: { limit: "2", cursor } });
    expect([...page.databases, ...rest.databases]).toEqual(listed);
  });
});
