import { expect, test } from "vitest";
import type { Seed } from "../../platform/reference/seed/seed";
import { calling } from "./calling";
import { world } from "./world";

const owners = [{ username: "ada", role: "owner" as const }];

const seed: Seed = {
  users: [{ username: "ada" }],
  organizations: [
    {
      slug: "acme",
      members: owners,
      groups: [{ name: "shop" }],
      databases: [
        { name: "orders", group: "shop", allowed_ips: ["10.0.0.0/8"], delete_protection: true },
        { name: "copy", group: "shop", parent: "orders" },
      ],
    },
    { slug: "globex", members: owners, groups: [{ name: "default", location: "aws-eu-west-1" }, { name: "shop" }] },
  ],
};

const orders = { organizationSlug: "acme", databaseName: "orders" };
const toGlobex = { ...orders, body: { org: "globex" } };

async function twoOrganizations() {
  const made = await world({ seed });
  return { ...made, ada: calling(made.api, made.api.unrestrictedToken) };
}

test("wire-facts 3.2 transfers a database to the group `default`, and keeps its UUID and configuration", async () => {
  const { ada, liveNames } = await twoOrganizations();
  const { DbId } = (await ada.ok("retrieveDatabase", orders)).database;
  const { parent } = (await ada.ok("retrieveDatabase", { ...orders, databaseName: "copy" })).database;
  await ada.ok("addInstance", { ...orders, body: { location: "aws-us-west-2" } });
  const configuration = await ada.ok("retrieveDatabaseConfiguration", orders);

  expect(await ada.ok("transferDatabase", toGlobex)).toEqual({});

  expect(await liveNames()).toEqual(["copy"]);
  const there = { ...orders, organizationSlug: "globex" };
  expect((await ada.ok("retrieveDatabase", there)).database).toMatchObject({
    DbId,
    group: "default",
    Hostname: "orders-globex.aws-eu-west-1.dbplatform.example",
    regions: ["aws-eu-west-1", "aws-us-west-2"],
  });
  expect(await ada.ok("retrieveDatabaseConfiguration", there)).toEqual(configuration);
  expect((await ada.ok("retrieveDatabase", { ...orders, databaseName: "copy" })).database.parent).toEqual(parent);
});

test("§2.6 writes a transfer to the audit logs of both organizations", async () => {
  const { api, ada } = await twoOrganizations();
  await ada.ok("transferDatabase", toGlobex);
  const rows = await api.store.read((state) =>
    state
      .selectFrom("audit_logs")
      .innerJoin("organizations", "organizations.id", "audit_logs.organization_id")
      .select(["slug", "code", "data"])
      .orderBy("slug")
      .execute(),
  );
  const data = JSON.stringify({ database: "orders", organization: "globex" });
  expect(rows).toEqual(["acme", "globex"].map((slug) => ({ slug, code: "db-transfer", data })));
});

test("§4.1 restores a transferred database in its new organization", async () => {
  const { api, ada } = await twoOrganizations();
  await ada.ok("transferDatabase", { ...orders, databaseName: "copy", body: { org: "globex" } });
  const there = { organizationSlug: "globex", databaseName: "copy" };
  const { DbId: databaseId } = (await ada.ok("retrieveDatabase", there)).database;
  await ada.ok("deleteDatabase", there);
  expect(await ada.status("restoreDatabase", { organizationId: api.organizationId, databaseId })).toBe(404);
  const { id: organizationId } = (await ada.ok("retrieveOrganization", there)).organization;
  await ada.ok("restoreDatabase", { organizationId, databaseId });
});
