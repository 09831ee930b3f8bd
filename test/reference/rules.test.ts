import { expect, test } from "vitest";
import { raw } from "./calling";
import { world } from "./world";

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
