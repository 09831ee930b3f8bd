import { describe, expect, test } from "vitest";
import { fieldsShownIn, UNCONFIGURED } from "../../platform/contract/configuration-fields";
import { flags } from "../configuration-flags";
import { raw } from "./calling";
import { world } from "./world";

describe("creating a database", () => {
  test("wire-facts 3.2 returns the database's name and UUID, and a hostname derived from the name", async () => {
    const { owner, slug } = await world();
    const { database } = await owner.ok("createDatabase", { ...slug, body: { name: "orders", group: "default" } });
    expect(database).toEqual({
      Name: "orders",
      DbId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      Hostname: expect.stringMatching(/^orders-acme\.aws-us-east-1\./),
    });
  });

  test("wire-facts 13.5 returns a record with every field that clients read", async () => {
    const { api, slug, database, owner } = await world();
    const databaseId = await database("orders");
    const { group } = await owner.ok("retrieveGroup", { ...slug, groupName: "default" });
    const answer = await raw(`${api.url}/v1/organizations/acme/databases/orders`, { credential: api.apiToken });
    const hostname = expect.stringMatching(/^orders-acme\./);
    expect((await answer.json()).database).toEqual({
      Name: "orders",
      DbId: databaseId,
      Hostname: hostname,
      hostname,
      group: "default",
      group_id: group.uuid,
      organization_id: api.organizationId,
      regions: ["aws-us-east-1"],
      primaryRegion: "aws-us-east-1",
      type: "logical",
      version: expect.any(String),
      engine: "libsql",
      database_type: "libsql",
      sleeping: false,
      archived: false,
      ...Object.fromEntries(fieldsShownIn("record").map((name) => [name, UNCONFIGURED[name]])),
      is_schema: false,
      schema: "",
      parent: null,
    });
  });

  test("wire-facts 3.4 succeeds once for concurrent requests with the same name; all other requests get 409", async () => {
    const { owner, slug } = await world();
    const create = () => owner.status("createDatabase", { ...slug, body: { name: "orders", group: "default" } });
    const statuses = await Promise.all(Array.from({ length: 10 }, create));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  });

  test("wire-facts 3.4 uses the group `default` when no group is given", async () => {
    const { owner, slug } = await world();
    await owner.ok("createDatabase", { ...slug, body: { name: "a" } });
    expect((await owner.ok("retrieveDatabase", { ...slug, databaseName: "a" })).database.group).toBe("default");
  });

  test("wire-facts 10 accepts a name that fits into one DNS label with the organization's slug", async () => {
    const { owner, slug, liveNames } = await world();
    const longest = "a".repeat(63 - 1 - "acme".length);
    await owner.ok("createDatabase", { ...slug, body: { name: longest } });
    expect(await liveNames()).toEqual([longest]);
  });
});

describe("listing databases", () => {
  test("wire-facts 13.10 returns all databases at once, or in pages if the request gives a limit", async () => {
    const { owner, slug, database, group } = await world();
    await group("shop");
    for (const name of ["c", "a", "e", "b"]) await database(name);
    await database("d", "shop");
    const all = await owner.ok("listDatabases", slug);
    expect(all.databases.map(({ Name }) => Name)).toEqual(["a", "b", "c", "d", "e"]);
    expect(all.pagination?.next).toBeUndefined();

    const first = await owner.ok("listDatabases", { ...slug, query: { limit: 3 } });
    expect(first.databases.map(({ Name }) => Name)).toEqual(["a", "b", "c"]);
    const rest = await owner.ok("listDatabases", {
      ...slug,
      query: { limit: 2, cursor: first.pagination?.next ?? "" },
    });
    expect(rest.databases.map(({ Name }) => Name)).toEqual(["d", "e"]);
    expect(rest.pagination?.next).toBeUndefined();
    const shop = await owner.ok("listDatabases", { ...slug, query: { group: "shop" } });
    expect(shop.databases.map(({ Name }) => Name)).toEqual(["d"]);
  });
});

describe("deleting a database", () => {
  test("§4.10 lists the database among the deleted databases, and makes later reads return 404", async () => {
    const { owner, slug, id, database, deletedNames } = await world();
    await database("a");
    const databaseId = await database("b");
    expect(await owner.ok("deleteDatabase", { ...slug, databaseName: "a" })).toEqual({ database: "a" });
    await owner.ok("deleteDatabaseById", { ...id, databaseId });
    expect(await owner.refused("retrieveDatabase", { ...slug, databaseName: "a" })).toEqual({
      status: 404,
      error: "could not find database with name [a]: record not found",
    });
    expect(await owner.status("retrieveDatabaseById", { ...id, databaseId })).toBe(404);
    expect(await owner.status("deleteDatabase", { ...slug, databaseName: "a" })).toBe(404);
    expect(await deletedNames()).toEqual(["a", "b"]);
  });
});

describe("configuring a database", () => {
  const fresh = {
    size_limit: "",
    ...flags(false),
    allowed_ips: [],
    allowed_aws_vpc_ids: [],
  };
  const full = {
    size_limit: "256mb",
    ...flags(true),
    allowed_ips: ["203.0.113.7", "10.0.0.0/8"],
    allowed_aws_vpc_ids: ["vpce-0a1b2c3d"],
  };

  test.each([
    ["§4.3 changes nothing if the body is empty", {}, full],
    ["§4.3 keeps properties that are omitted", { block_reads: false }, { ...full, block_reads: false }],
    ["§4.3 clears a list that is sent empty", { allowed_ips: [] }, { ...full, allowed_ips: [] }],
    [
      "wire-facts 13.9 clears the two lists with `null`, and changes nothing else",
      { size_limit: null, allow_attach: null, delete_protection: null, allowed_ips: null, allowed_aws_vpc_ids: null },
      { ...full, allowed_ips: [], allowed_aws_vpc_ids: [] },
    ],
    ["§4.3 removes the size limit with an empty size", { size_limit: "" }, { ...full, size_limit: "" }],
  ])("%s", async (_rule, body, expected) => {
    const { owner, slug, database } = await world();
    await database("orders");
    const named = { ...slug, databaseName: "orders" };
    expect(await owner.ok("retrieveDatabaseConfiguration", named)).toEqual(fresh);
    expect(await owner.ok("updateDatabaseConfiguration", { ...named, body: full })).toEqual(full);
    expect(await owner.ok("updateDatabaseConfiguration", { ...named, body })).toEqual(expected);
    expect(await owner.ok("retrieveDatabaseConfiguration", named)).toEqual(expected);
  });

  test("§2.2 accepts IPv4 and IPv6 addresses in `allowed_ips`, with or without a prefix length", async () => {
    const { owner, slug, database } = await world();
    await database("orders");
    const allowed_ips = [
      "203.0.113.7",
      "0.0.0.0/0",
      "10.0.0.0/8",
      "2001:DB8::1",
      "2001:db8::/32",
      "::",
      "::ffff:10.2.3.0/120",
    ];
    const body = { allowed_ips };
    const named = { ...slug, databaseName: "orders" };
    expect((await owner.ok("updateDatabaseConfiguration", { ...named, body })).allowed_ips).toEqual(allowed_ips);
  });
});
