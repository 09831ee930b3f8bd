import { describe, expect, test } from "vitest";
import type { Seed } from "../../platform/reference/seed/seed";
import { calling } from "./calling";
import { NOON, world } from "./world";

const GLOBEX = "00000000-0000-4000-8000-000000000002";
const SHOP = "00000000-0000-4000-8000-000000000003";

const owners = [{ username: "ada", role: "owner" as const }];

const seed: Seed = {
  users: [{ username: "ada" }],
  organizations: [
    {
      slug: "acme",
      members: owners,
      groups: [{ name: "default" }, { name: "shop", uuid: SHOP }],
      databases: [
        { name: "orders", group: "shop" },
        { name: "users", group: "shop" },
        { name: "gone", group: "shop", deleted_at: NOON },
        { name: "stays", group: "default" },
      ],
    },
    { slug: "globex", id: GLOBEX, members: owners, groups: [{ name: "default" }] },
  ],
};

const shop = { organizationSlug: "acme", groupName: "shop" };
const toGlobex = { ...shop, body: { organization: "globex" } };
const inGlobex = { organizationSlug: "globex" };

async function twoOrganizations() {
  const made = await world({ seed });
  return { ...made, ada: calling(made.api, made.api.unrestrictedToken) };
}

describe("transferring a group", () => {
  test("wire-facts 2.2 moves its databases, which keep their DbIds and get new hostnames", async () => {
    const { ada, slug, groupNames, liveNames } = await twoOrganizations();
    await ada.ok("addGroupLocation", { ...shop, location: "aws-eu-west-1" });
    const before = (await ada.ok("listDatabases", { ...slug, query: { group: "shop" } })).databases;

    const group = await ada.ok("transferGroup", toGlobex);

    expect(group).toMatchObject({ uuid: SHOP, name: "shop", locations: ["aws-us-east-1", "aws-eu-west-1"] });
    expect(await groupNames()).toEqual(["default"]);
    expect(await liveNames()).toEqual(["stays"]);
    const { groups } = await ada.ok("listGroups", inGlobex);
    expect(groups.map(({ name, uuid }) => [name, uuid === SHOP])).toEqual([
      ["default", false],
      ["shop", true],
    ]);
    const after = (await ada.ok("listDatabases", inGlobex)).databases;
    expect(after).toEqual(
      before.map((database) => ({ ...database, Hostname: database.Hostname.replace("-acme.", "-globex.") })),
    );
  });

  test("§4.1 moves its deleted databases, which can then be restored only in the new organization", async () => {
    const { ada, id, deletedNames } = await twoOrganizations();
    const { databases } = await ada.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
    const databaseId = databases[0]?.DbId ?? "";
    await ada.ok("transferGroup", toGlobex);
    expect(await deletedNames()).toEqual([]);
    expect(await ada.status("restoreDatabase", { ...id, databaseId })).toBe(404);
    const { database } = await ada.ok("restoreDatabase", { organizationId: GLOBEX, databaseId });
    expect(database).toMatchObject({ Name: "gone", group: "shop", organization_id: GLOBEX });
    expect(database.Hostname).toMatch(/^gone-globex\./);
  });

  test("§3 row 5, §5 rule 10 permanently revokes only its group-scoped tokens", async () => {
    const { api, ada, slug, as } = await twoOrganizations();
    const revoked = await as({ group: "shop", name: "shop-token" });
    const other = await as({ group: "default" });
    await ada.ok("transferGroup", toGlobex);
    expect(await revoked.status("listLocations", {})).toBe(401);
    expect(await other.status("listGroups", slug)).toBe(200);
    const back = { organizationSlug: "globex", groupName: "shop", body: { organization: "acme" } };
    await ada.ok("transferGroup", back);
    expect(await revoked.status("listLocations", {})).toBe(401);
    for (const organizationSlug of ["acme", "globex"]) {
      const { tokens } = await ada.ok("listApiTokens", { organizationSlug });
      expect(tokens.map(({ name }) => name)).not.toContain("shop-token");
    }
    expect(await api.token({ group: "shop", name: "shop-token" })).toBeTruthy();
  });
});
