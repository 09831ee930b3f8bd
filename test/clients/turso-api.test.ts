// @module-tag the-reference-api

import { createClient } from "@tursodatabase/api";
import { describe, expect, test } from "vitest";
import type { Seed } from "../../platform/reference/seed/seed";
import { NOON } from "../reference/world";
import { served } from "./served";

/** The official TypeScript client as published, with its type declarations (wire-facts 11.1). */
type Client = ReturnType<typeof createClient>;

const seed: Seed = {
  users: ["ada", "max", "eve"].map((username) => ({ username })),
  organizations: [
    {
      slug: "acme",
      members: [
        { username: "ada", role: "owner" },
        { username: "max", role: "member" },
      ],
      groups: [{ name: "default" }],
      databases: [{ name: "orders" }],
    },
    { slug: "other", members: [{ username: "ada", role: "owner" }] },
  ],
};

const server = served(seed);

/** Creates a client using only the output of `serve`. */
function client(org = server().organization) {
  const { unrestrictedToken: token, url, owner, slug } = server();
  return {
    token,
    url,
    owner,
    slug,
    turso: createClient({ org, token, baseUrl: `${url}/v1/` }),
    groupNames: async () => (await owner.ok("listGroups", slug)).groups.map(({ name }) => name),
    liveNames: async () => (await owner.ok("listDatabases", slug)).databases.map(({ Name }) => Name),
  };
}

const refusal = (call: Promise<unknown>): Promise<{ status?: number; message: string }> =>
  call.then(
    () => expect.fail("the call succeeded"),
    (thrown) => thrown,
  );

describe("apiTokens", () => {
  test("wire-facts 5.1, 5.2 creates, lists and revokes tokens", async () => {
    const { turso, url } = client();
    const created = await turso.apiTokens.create("ci");
    expect(created).toEqual({ name: "ci", id: expect.any(String), token: expect.stringMatching(/^eyJ/) });
    const own = createClient({ org: "acme", token: async () => created.token, baseUrl: `${url}/v1/` });
    expect((await own.groups.list()).map(({ name }) => name)).toEqual(["default"]);
    expect(await turso.apiTokens.list()).toContainEqual(expect.objectContaining({ name: "ci", id: created.id }));
    expect(await turso.apiTokens.revoke("ci")).toEqual({ token: "ci" });
    expect(await refusal(own.groups.list())).toMatchObject({ status: 401 });
  });

  test("wire-facts 5.4 rejects a token without expiry, because the client treats -1 as expired", async () => {
    const { turso, token } = client();
    expect(await turso.apiTokens.validate(token)).toEqual({ valid: false, expiry: -1 });
  });
});

describe("organizations", () => {
  test("wire-facts 1.1 lists no organizations, because this client cannot read the documented array", async () => {
    const { turso, url, token } = client();
    expect(await turso.organizations.list()).toEqual([]);
    const answer = await fetch(`${url}/v1/organizations`, { headers: { Authorization: `Bearer ${token}` } });
    expect((await answer.json()).map(({ slug }: { slug: string }) => slug)).toEqual(["acme", "other"]);
  });

  test("wire-facts 1.3 updates an organization", async () => {
    const { turso, owner, slug } = client();
    expect(await turso.organizations.update({ overages: true })).toMatchObject({ slug: "acme", overages: true });
    expect((await owner.ok("retrieveOrganization", slug)).organization).toMatchObject({ slug: "acme" });
  });

  test("wire-facts 1.4 deletes an organization", async () => {
    const { turso } = client("other");
    await turso.organizations.delete();
    expect(await refusal(turso.organizations.members())).toMatchObject({ status: 404 });
  });

  test("wire-facts 1.5 lists, adds and removes members", async () => {
    const { turso } = client();
    expect(await turso.organizations.addMember("eve")).toEqual({ member: "eve", role: "member" });
    expect(await turso.organizations.members()).toEqual([
      { username: "ada", role: "owner", email: "ada@users.example" },
      { username: "eve", role: "member", email: "eve@users.example" },
      { username: "max", role: "member", email: "max@users.example" },
    ]);
    expect(await turso.organizations.removeMember("eve")).toEqual({ member: "eve" });
    expect((await turso.organizations.members()).map(({ username }) => username)).toEqual(["ada", "max"]);
  });

  test("wire-facts 8 creates, lists and deletes invites", async () => {
    const { turso } = client();
    const invited = { email: "new@users.example", role: "admin" };
    expect(await turso.organizations.inviteUser("new@users.example", "admin")).toMatchObject({
      ...invited,
      organization: "acme",
    });
    expect(await turso.organizations.listInvites()).toEqual([
      expect.objectContaining({ ...invited, id: expect.any(Number), created_at: expect.any(String) }),
    ]);
    await turso.organizations.deleteInvite("new@users.example");
    expect(await turso.organizations.listInvites()).toEqual([]);
  });

  test("wire-facts 1.7 lists invoices", async () => {
    const { turso } = client();
    expect(await turso.organizations.invoices()).toEqual([]);
  });
});

test("§4.5 lists locations", async () => {
  const { turso } = client();
  const found = await turso.locations.list();
  expect(found).toContainEqual({ code: "aws-eu-west-1", description: "AWS EU West (Ireland)" });
});

describe("groups", () => {
  test("wire-facts 2.2 creates, lists, gets and deletes groups", async () => {
    const { turso, groupNames } = client();
    const made = { name: "shop", primary: "aws-eu-west-1", locations: ["aws-eu-west-1"] };
    expect(await turso.groups.create("shop", "aws-eu-west-1", { extensions: ["vector"] })).toMatchObject(made);
    expect((await turso.groups.list()).map(({ name }) => name)).toEqual(["default", "shop"]);
    expect(await turso.groups.get("shop")).toMatchObject(made);
    expect(await turso.groups.delete("shop")).toMatchObject(made);
    expect(await groupNames()).toEqual(["default"]);
    expect(await refusal(turso.groups.get("shop"))).toMatchObject({ status: 404, message: "group not found" });
  });

  test("wire-facts 2.2 adds and removes locations", async () => {
    const { turso } = client();
    const added = await turso.groups.addLocation("default", "aws-eu-west-1");
    expect(added.locations).toEqual(["aws-us-east-1", "aws-eu-west-1"]);
    const removed = await turso.groups.removeLocation("default", "aws-eu-west-1");
    expect(removed.locations).toEqual(["aws-us-east-1"]);
    expect((await turso.groups.get("default")).locations).toEqual(["aws-us-east-1"]);
  });

  test("wire-facts 2.3 creates a token, and invalidates it with rotateTokens", async () => {
    const { turso } = client();
    const { id } = await turso.databases.get("orders");
    const { jwt } = await turso.groups.createToken("default", { expiration: "2w1d30m", authorization: "read-only" });
    expect(await server().verifySqlToken(jwt, id)).toMatchObject({ name: "orders" });
    expect(await turso.groups.rotateTokens("default")).toEqual({});
    await expect(server().verifySqlToken(jwt, id)).rejects.toThrow("invalidated");
  });
});

describe("databases", () => {
  test("wire-facts 3.2 creates, lists, gets and deletes databases", async () => {
    const { turso, liveNames } = client();
    const created = await turso.databases.create("users", { group: "default", useTursoDb: true });
    expect(created).toEqual({
      name: "users",
      id: expect.any(String),
      hostname: expect.stringMatching(/^users-acme\./),
    });
    expect((await turso.databases.list()).map(({ name }) => name)).toEqual(["orders", "users"]);
    expect(await turso.databases.list({ group: "nowhere" })).toEqual([]);
    expect(await turso.databases.list({ type: "schema" })).toEqual([]);
    expect(await turso.databases.get("users")).toEqual({
      ...created,
      regions: ["aws-us-east-1"],
      primaryRegion: "aws-us-east-1",
      type: "logical",
      database_type: "tursodb",
      version: expect.any(String),
      group: "default",
      sleeping: false,
      archived: false,
      allow_attach: false,
      block_reads: false,
      block_writes: false,
      schema: "",
      is_schema: false,
    });
    expect(await turso.databases.delete("users")).toEqual({ database: "users" });
    expect(await liveNames()).toEqual(["orders"]);
    expect(await refusal(turso.databases.get("users"))).toMatchObject({ status: 404 });
  });

  test("wire-facts 3.3 copies a database as of a point in time, and creates an encrypted database", async () => {
    const { turso, slug, owner } = client();
    await server().advance(3600);
    await turso.databases.create("copy", { seed: { type: "database", name: "orders", timestamp: new Date(NOON) } });
    const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "copy" });
    expect(database).toMatchObject({ parent: { name: "orders", branched_at: NOON } });
    const encryption_key = Buffer.alloc(32).toString("base64");
    await turso.databases.create("secret", {
      remote_encryption: { encryption_key, encryption_cipher: "aes256gcm" },
      size_limit: "1gb",
    });
    const configuration = await owner.ok("retrieveDatabaseConfiguration", { ...slug, databaseName: "secret" });
    expect(configuration.size_limit).toBe("1gb");
  });

  test("wire-facts 3.2 lists and gets a database's instances, and updates the database's version", async () => {
    const { turso } = client();
    const instance = {
      uuid: expect.any(String),
      name: "aws-us-east-1",
      type: "primary",
      region: "aws-us-east-1",
      hostname: expect.stringContaining("orders-acme"),
    };
    expect(await turso.databases.listInstances("orders")).toEqual([instance]);
    expect(await turso.databases.getInstance("orders", "aws-us-east-1")).toEqual(instance);
    expect(await turso.databases.updateVersion("orders")).toEqual({});
  });

  test("wire-facts 2.3 creates full-access and restricted tokens, and invalidates them with rotateTokens", async () => {
    const { turso } = client();
    const { id } = await turso.databases.get("orders");
    const { jwt } = await turso.databases.createToken("orders");
    const attaching = await turso.databases.createToken("orders", {
      expiration: "1d",
      authorization: "read-only",
      permissions: { read_attach: { databases: ["orders"] } },
    });
    for (const token of [jwt, attaching.jwt])
      expect(await server().verifySqlToken(token, id)).toMatchObject({ name: "orders" });
    expect(await turso.databases.rotateTokens("orders")).toEqual({});
    for (const token of [jwt, attaching.jwt])
      await expect(server().verifySqlToken(token, id)).rejects.toThrow("invalidated");
  });

  test("wire-facts 3.6 returns a database's usage in the current month or in a given period", async () => {
    const { turso } = client();
    const usage = { rows_read: 0, rows_written: 0, storage_bytes: 4096 };
    expect(await turso.databases.usage("orders")).toMatchObject({ usage, instances: [{ usage }] });
    const period = { from: new Date("2026-02-01"), to: "2026-03-01T00:00:00Z" };
    expect((await turso.databases.usage("orders", period)).usage).toMatchObject(usage);
  });
});

test("wire-facts 9 reports the status and the message of a refused request", async () => {
  const { turso } = client();
  expect(await refusal(turso.databases.create("orders"))).toMatchObject({
    name: "TursoClientError",
    status: 409,
    message: "database with name [orders] already exists",
  });
});

test("wire-facts 3.7 manages databases, tokens and groups by UUID on /v3/ when `orgId` is set", async () => {
  const { url, owner, slug, token, liveNames } = client();
  const { groups } = await owner.ok("listGroups", slug);
  const turso: Client = createClient({ orgId: server().organizationId, token, baseUrl: `${url}/v3/` });
  const created = await turso.databases.create("users", { groupId: groups[0]?.uuid ?? "" });
  expect((await turso.databases.list()).map(({ name }) => name)).toEqual(["orders", "users"]);
  expect(await turso.databases.get(created.id)).toMatchObject({ name: "users", group: "default" });
  const { jwt } = await turso.databases.createToken(created.id);
  expect(await server().verifySqlToken(jwt, created.id)).toMatchObject({ name: "users" });
  await turso.databases.delete(created.id);
  expect(await liveNames()).toEqual(["orders"]);
  expect((await turso.groups.list()).map(({ name }) => name)).toEqual(["default"]);
});
