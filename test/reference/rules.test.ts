import { describe, expect, test } from "vitest";
import { SCOPES } from "../../platform/values/scope";
import { raw } from "./calling";
import { NOON, world } from "./world";

describe("minting a group-scoped token", () => {
  test.each([
    ["owner", 200],
    ["admin", 200],
    ["member", 403],
    ["viewer", 403],
  ] as const)("§5 rule 4 with the %s role returns %i", async (role, status) => {
    const { api, as } = await world();
    await api.member("max", role);
    const body = { organization: "acme", group: "default", scopes: ["read"] };
    const max = await as({ user: "max" });
    expect(await max.status("createApiToken", { tokenName: "ci", body })).toBe(status);
  });
});

describe("restoring a database", () => {
  test.each([
    ["scaler", "owner", 200],
    ["scaler", "admin", 200],
    ["scaler", "member", 403],
    ["scaler", "viewer", 403],
    ["starter", "owner", 403],
    ["starter", "member", 403],
  ] as const)("§7 row 2, §5 rule 8 on the %s plan with the %s role returns %i", async (plan, role, status) => {
    const { api, owner, slug, id, as, database } = await world();
    const databaseId = await database("orders");
    await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
    await api.member("max", role);
    await api.plan(plan);
    const max = await as({ user: "max" });
    expect(await max.status("restoreDatabase", { ...id, databaseId })).toBe(status);
    const { databases } = await owner.ok("listDatabases", slug);
    expect(databases).toHaveLength(status === 200 ? 1 : 0);
  });
});

test("§4.7, §4.8, §4.10 reads a new group by name, and a database in the group by name and by UUID", async () => {
  const { owner, slug, id, group, database } = await world();
  const uuid = await group("shop");
  const databaseId = await database("orders", "shop");
  const found = await owner.ok("retrieveGroup", { ...slug, groupName: "shop" });
  expect(found.group).toMatchObject({ uuid, name: "shop", primary: "aws-us-east-1" });
  const byName = await owner.ok("retrieveDatabase", { ...slug, databaseName: "orders" });
  expect(byName.database).toMatchObject({ DbId: databaseId, group: "shop", group_id: uuid });
  expect(await owner.ok("retrieveDatabaseById", { ...id, databaseId })).toMatchObject(byName);
});

test("§4.9 lists organization- and group-scoped tokens with their users, and revokes tokens by id", async () => {
  const { api, owner, slug, as } = await world();
  await api.token({ name: "for-all" });
  const scoped = await as({ name: "for-one", group: "default", scopes: ["read"] });
  const { tokens } = await owner.ok("listApiTokens", slug);
  const [one, all] = ["for-one", "for-all"].map((name) => tokens.find((token) => token.name === name));
  expect(all).toMatchObject({ organization: "acme", owner: { username: "ada" } });
  expect(one).toMatchObject({ group: "default", scopes: ["read"], owner: { username: "ada" } });
  await owner.ok("revokeApiToken", { ...slug, tokenId: one?.id ?? "" });
  expect(await scoped.status("listGroups", slug)).toBe(401);
});

test.each(["1mb", "256mb", "1gb", "1048576"])(
  "§8 row 6, §4.3 returns a size limit of %s exactly as it was written",
  async (size) => {
    const { owner, slug, database } = await world();
    await database("orders");
    const orders = { ...slug, databaseName: "orders" };
    const changed = await owner.ok("updateDatabaseConfiguration", { ...orders, body: { size_limit: size } });
    expect(changed.size_limit).toBe(size);
    expect((await owner.ok("retrieveDatabaseConfiguration", orders)).size_limit).toBe(size);
  },
);

test("§9, §1 accepts only slugs and names in v1, and only UUIDs in v3", async () => {
  const { api, database } = await world();
  const databaseId = await database("orders");
  const { organizationId } = api;
  const status = async (path: string) => (await raw(api.url + path, { credential: api.apiToken })).status;
  expect(await status("/v1/organizations/acme/databases/orders")).toBe(200);
  expect(await status(`/v3/organizations/${organizationId}/databases/${databaseId}`)).toBe(200);
  expect(await status(`/v1/organizations/${organizationId}/databases/orders`)).toBe(404);
  expect(await status(`/v1/organizations/acme/databases/${databaseId}`)).toBe(404);
  expect(await status(`/v3/organizations/acme/databases/${databaseId}`)).toBe(400);
  expect(await status(`/v3/organizations/${organizationId}/databases/orders`)).toBe(400);
});

test("§9, §5 rule 3 accepts a deprecated unrestricted token in all of its user's organizations", async () => {
  const { as } = await world({
    seed: {
      users: [{ username: "ada" }],
      organizations: ["acme", "globex"].map((slug) => ({
        slug,
        members: [{ username: "ada", role: "owner" as const }],
        groups: [{ name: "default" }],
      })),
    },
  });
  const unrestricted = await as({ organization: null });
  for (const organizationSlug of ["acme", "globex"])
    expect(await unrestricted.status("listGroups", { organizationSlug })).toBe(200);
});

/** Id of the deleted database `gone`. */
const GONE = "00000000-0000-4000-8000-000000000009";
/** Requests in the order of the table in §5 rule 5, for a group that contains the database `a`. */
const scoped: [scope: string, method: string, path: string, body?: object][] = [
  ["read", "GET", "/groups"],
  ["read", "GET", "/groups/default"],
  ["read", "GET", "/groups/default/configuration"],
  ["read", "GET", "/databases"],
  ["read", "GET", "/databases/a"],
  ["read", "GET", "/databases/a/configuration"],
  ["read", "GET", "/databases/a/usage"],
  ["read", "GET", "/databases/a/instances"],
  ["db:create", "POST", "/databases", { name: "b", group: "default" }],
  ["db:create", "POST", "/databases", { name: "b", group: "default", seed: { type: "database", name: "a" } }],
  ["db:create", "POST", `/v3/organizations/{id}/databases/${GONE}/restore`],
  ["db:delete", "DELETE", "/databases/a"],
  ["db:configure", "PATCH", "/databases/a/configuration", { block_reads: true }],
  ["db:configure", "POST", "/databases/a/wakeup"],
  ["db:configure", "POST", "/databases/a/instances", { location: "aws-eu-west-1" }],
  ["db:configure", "DELETE", "/databases/a/instances/aws-ap-south-1"],
  ["db:mint-token", "POST", "/databases/a/auth/tokens"],
  ["db:rotate-creds", "POST", "/databases/a/auth/rotate"],
  ["group:configure", "PATCH", "/groups/default/configuration", { delete_protection: true }],
  ["group:configure", "POST", "/groups/default/rename", { name: "other" }],
  ["group:configure", "POST", "/groups/default/update"],
  ["group:configure", "POST", "/groups/default/unarchive"],
  ["group:configure", "POST", "/groups/default/locations/aws-eu-west-1"],
  ["group:configure", "DELETE", "/groups/default/locations/aws-eu-west-1"],
  ["group:mint-token", "POST", "/groups/default/auth/tokens"],
  ["group:rotate-creds", "POST", "/groups/default/auth/rotate"],
];

describe("the scope of a token", () => {
  test.each(scoped)("§5 rule 5 must be `%s` to allow %s %s", async (scope, method, path, body) => {
    const { api, owner, slug } = await world({
      seed: {
        users: [{ username: "ada" }],
        organizations: [
          {
            slug: "acme",
            members: [{ username: "ada", role: "owner" }],
            groups: [{ name: "default" }],
            databases: [{ name: "a" }, { name: "gone", uuid: GONE, deleted_at: NOON }],
          },
        ],
      },
    });
    await owner.ok("addInstance", { ...slug, databaseName: "a", body: { location: "aws-ap-south-1" } });
    const url = () => api.url + (path.startsWith("/v3") ? "" : "/v1/organizations/acme");
    const status = async (scopes: string[], name: string) => {
      const credential = await api.token({ group: "default", scopes, name });
      const sent = body && JSON.stringify(body);
      return (await raw(url() + path.replace("{id}", api.organizationId), { method, credential, body: sent })).status;
    };
    const others = SCOPES.filter((each) => each !== scope);
    expect(await status([...others], "others")).toBe(403);
    expect(await status([scope], "one")).toBe(200);
  });
});
