import { describe, expect, test } from "vitest";
import { Seed } from "../../platform/reference/seed/seed";
import { calling, raw } from "./calling";
import { PEOPLE } from "./people";
import { world } from "./world";

const team = (slug: string) => ({ organizationSlug: slug });

describe("the list of organizations", () => {
  test("wire-facts 1.1 is an array in v1 and an object in v2, and contains the caller's organizations", async () => {
    const { as } = await world({ seed: PEOPLE });
    const olga = await as({ user: "olga", organization: null });
    const listed = await olga.ok("listOrganizations", {});
    expect(listed.map(({ slug, name, type, plan_id }) => [slug, name, type, plan_id])).toEqual([
      ["acme", "acme", "team", "scaler"],
      ["twin", "twin", "team", "scaler"],
      ["olga", "olga", "personal", "starter"],
    ]);
    const { organizations } = await olga.ok("listOrganizationsAsObject", {});
    expect(organizations).toEqual(listed.map((record) => ({ ...record, stripe_id: "" })));
    expect(listed[0]).not.toHaveProperty("restore_enabled");
  });

  test("§5 rule 3 contains only the organization of a restricted credential, if the user is a member", async () => {
    const { api, as } = await world({ seed: PEOPLE });
    const slugs = async (wanted: Parameters<typeof as>[0]) =>
      (await (await as(wanted)).ok("listOrganizations", {})).map(({ slug }) => slug);
    expect(await slugs({ user: "olga", organization: "twin" })).toEqual(["twin"]);
    expect(await slugs({ user: "max", organization: null })).toEqual([]);
    await api.member("vera", undefined);
    expect(await slugs({ user: "vera", organization: "acme" })).toEqual([]);
  });
});

describe("creating an organization", () => {
  test("wire-facts 1.4 makes the caller its owner, and stores nothing in a dry run", async () => {
    const { as } = await world({ seed: PEOPLE });
    const max = await as({ user: "max", organization: null });
    const { org: planned } = await max.ok("createOrganization", { query: { dry_run: "true" }, body: { name: "new" } });
    expect(planned).toEqual({ ...planned, slug: "new", name: "new", type: "team" });
    expect(planned.id).toBeUndefined();
    expect(await max.ok("listOrganizations", {})).toEqual([]);

    const { org } = await max.ok("createOrganization", { query: { dry_run: "false" }, body: { name: "new" } });
    expect((await max.ok("retrieveOrganization", team("new"))).organization.id).toBe(org.id);
    expect((await max.ok("listMembers", team("new"))).members).toMatchObject([{ username: "max", role: "owner" }]);
    await max.ok("createGroup", { ...team("new"), body: { name: "default", location: "aws-us-east-1" } });
  });
});

describe("deleting an organization", () => {
  test("wire-facts 1.4 deletes all data of the organization", async () => {
    const { api, as } = await world({ seed: PEOPLE });
    const olga = await as({ user: "olga", organization: null });
    await olga.ok("createDatabase", { ...team("acme"), body: { name: "orders" } });
    const mira = await as({ user: "mira" });
    await olga.ok("deleteDatabase", { ...team("acme"), databaseName: "orders" });
    expect(await olga.ok("deleteOrganization", team("acme"))).toEqual({});
    expect(await olga.status("retrieveOrganization", team("acme"))).toBe(404);
    expect(await mira.status("validateApiToken", {})).toBe(401);
    for (const table of ["groups", "databases", "members", "audit_logs"] as const) {
      const rows = await api.store.read((state) =>
        state.selectFrom(table).selectAll().where("organization_id", "=", api.organizationId).execute(),
      );
      expect(rows).toEqual([]);
    }
    await olga.ok("createOrganization", { body: { name: "acme" } });
  });

  test("is refused for a server's only organization", async () => {
    const { owner, slug } = await world();
    expect((await owner.refused("deleteOrganization", slug)).status).toBe(400);
    await owner.ok("retrieveOrganization", slug);
  });
});

const WITHOUT_ORGANIZATION = ["/v1/groups", "/v1/databases", "/v1/groups/home", "/v1/groups/home/configuration"];

describe("a v1 path without an organization", () => {
  test.each(WITHOUT_ORGANIZATION)(
    "wire-facts 0 refers to the user's personal account if the credential is unrestricted: %s",
    async (path) => {
      const { api } = await world({ seed: PEOPLE });
      const ask = async (user: string, at: string) => {
        const credential = await api.token({ user, organization: null });
        const answer = await raw(api.url + at, { credential });
        return { status: answer.status, body: await answer.json() };
      };
      const named = path.replace("/v1", "/v1/organizations/stan");
      const own = await ask("stan", path);
      expect(own.status).toBe(200);
      expect(own).toEqual(await ask("stan", named));
      expect(await ask("mira", path)).toEqual({ status: 404, body: { error: "organization not found" } });
    },
  );

  test.each(["/v1/groups", "/v1/groups/default", "/v1/databases"])(
    "§5 rule 3 refers to the organization that the credential is restricted to: %s",
    async (path) => {
      const { api } = await world({ seed: PEOPLE });
      for (const group of [undefined, "default"]) {
        const credential = await api.token({ user: "olga", organization: "acme", group });
        const answer = await raw(api.url + path, { credential });
        const named = await raw(api.url + path.replace("/v1", "/v1/organizations/acme"), { credential });
        expect([answer.status, await answer.json()]).toEqual([200, await named.json()]);
      }
    },
  );

  test("wire-facts 0 can be used to create and delete databases", async () => {
    const { api } = await world({ seed: PEOPLE });
    const credential = await api.token({ user: "stan", organization: null });
    const made = await raw(`${api.url}/v1/databases`, {
      method: "POST",
      credential,
      body: '{"name":"a","group":"home"}',
    });
    expect((await made.json()).database.Hostname).toMatch(/^a-stan\./);
    const stan = calling(api, credential);
    const names = async () => (await stan.ok("listDatabases", team("stan"))).databases.map(({ Name }) => Name);
    expect(await names()).toEqual(["a"]);
    await raw(`${api.url}/v1/databases/a`, { method: "DELETE", credential });
    expect(await names()).toEqual([]);
  });
});

test.each([
  [
    "whose slug is not a username",
    { slug: "acme", type: "personal" as const, members: [{ username: "olga", role: "owner" as const }] },
  ],
  [
    "with a second member",
    {
      slug: "olga",
      type: "personal" as const,
      members: ["olga", "otto"].map((username) => ({ username, role: "owner" as const })),
    },
  ],
  [
    "whose member is not an owner",
    { slug: "olga", type: "personal" as const, members: [{ username: "olga", role: "admin" as const }] },
  ],
  ["declared as a team", { slug: "olga", members: [{ username: "olga", role: "owner" as const }] }],
])("§1 rejects a seed with a personal organization %s", (_what, organization) => {
  const users = [{ username: "olga" }, { username: "otto" }];
  expect(Seed.safeParse({ users, organizations: [organization] }).success).toBe(false);
});
