import { describe, expect, test } from "vitest";
import { raw } from "./calling";
import { PEOPLE } from "./people";
import { world } from "./world";

describe("the plan of an organization", () => {
  test("wire-facts 1.7 can be changed by an admin, with immediate effect", async () => {
    const { as, owner, slug } = await world({ seed: PEOPLE });
    const adam = await as({ user: "adam" });
    const retrieve = async () => (await owner.ok("retrieveSubscription", slug)).subscription;
    expect(await retrieve()).toEqual({ name: "scaler", plan: "scaler", timeline: "", overages: false });

    await adam.ok("updateSubscription", { ...slug, body: { plan: "pro", timeline: "yearly", overages: true } });
    expect(await retrieve()).toEqual({ name: "pro", plan: "pro", timeline: "yearly", overages: true });
    const { organization } = await owner.ok("retrieveOrganization", slug);
    expect(organization).toMatchObject({ plan_id: "pro", plan_timeline: "yearly", overages: true });

    await owner.ok("listAuditLogs", slug);
    await owner.ok("updateSubscription", { ...slug, body: { plan: "starter" } });
    expect(await retrieve()).toEqual({ name: "starter", plan: "starter", timeline: "", overages: true });
    expect(await owner.status("listAuditLogs", slug)).toBe(403);

    await owner.ok("updateSubscription", { ...slug, body: { plan: "scaler" } });
    expect((await retrieve()).timeline).toBe("monthly");
    const { audit_logs } = await owner.ok("listAuditLogs", slug);
    expect(audit_logs.map(({ code, data }) => [code, data]).reverse()).toEqual([
      ["org-plan-update", { plan: "pro", timeline: "yearly" }],
      ["org-set-overages", { overages: true }],
      ["org-plan-update", { plan: "starter", timeline: "" }],
      ["org-plan-update", { plan: "scaler", timeline: "monthly" }],
    ]);
  });

  test("wire-facts 1.7 is one of the listed plans", async () => {
    const { owner } = await world({ seed: PEOPLE });
    const { plans } = await owner.ok("listPlans", {});
    expect(plans.map(({ name }) => name)).toEqual(["starter", "developer", "scaler", "pro", "enterprise"]);
  });
});

test("wire-facts 1.7 the billing customer has the organization's name and owner's email, and no invoices", async () => {
  const { as, owner, slug } = await world({ seed: PEOPLE });
  for (const type of ["all", "upcoming", "issued"] as const)
    expect(await owner.ok("listInvoices", { ...slug, query: { type } })).toEqual({ invoices: [] });
  const { portal } = await owner.ok("openBillingPortal", slug);
  expect(portal.url).toBe("https://billing.dbplatform.example/acme");
  expect(await owner.ok("retrievePaymentMethods", slug)).toEqual({ exists: true });
  const home = await as({ user: "olga", organization: "olga" });
  expect(await home.ok("retrievePaymentMethods", { organizationSlug: "olga" })).toEqual({ exists: false });
  expect(await owner.ok("retrieveBillingCustomer", slug)).toMatchObject({ name: "acme", email: "olga@users.example" });
});

test("wire-facts 1.7 sums the usage of live databases, and counts databases, groups and locations", async () => {
  const groups = [{ name: "default", location: "aws-us-east-1", other_locations: ["aws-eu-west-1"] }, { name: "shop" }];
  const { api, owner, slug } = await world({
    seed: {
      users: [{ username: "ada" }],
      organizations: [
        {
          slug: "acme",
          members: [{ username: "ada", role: "owner" }],
          groups,
          databases: [
            { name: "a", storage_bytes: 10_000 },
            { name: "b", group: "shop", storage_bytes: 500 },
            { name: "gone", group: "shop", storage_bytes: 7, deleted_at: "-1d" },
          ],
        },
      ],
    },
  });
  const { organization } = await owner.ok("retrieveOrganizationUsage", slug);
  expect(organization.uuid).toBe(api.organizationId);
  expect(organization.usage).toEqual({
    rows_read: 0,
    rows_written: 0,
    bytes_synced: 0,
    storage_bytes: 2 * 10_000 + 500,
    databases: 2,
    groups: 2,
    locations: 2,
  });
  for (const [index, databaseName] of ["a", "b"].entries()) {
    const { database } = await owner.ok("retrieveDatabaseUsage", { ...slug, databaseName });
    expect(organization.databases[index]).toEqual(database);
  }
});

const PATHS = ["usage", "subscription", "invoices", "billing/payment-methods", "billing/customer"];

test.each(PATHS)(
  "wire-facts 0 /v1/%s returns data of the credential's organization or personal account",
  async (path) => {
    const { api } = await world({ seed: PEOPLE });
    for (const organization of [null, "acme"]) {
      const credential = await api.token({ user: "olga", organization });
      const own = await raw(`${api.url}/v1/${path}`, { credential });
      const named = await raw(`${api.url}/v1/organizations/${organization ?? "olga"}/${path}`, { credential });
      expect([own.status, await own.json()]).toEqual([200, await named.json()]);
    }
    const scoped = await api.token({ user: "olga", organization: "acme", group: "default" });
    expect((await raw(`${api.url}/v1/${path}`, { credential: scoped })).status).toBe(403);
  },
);
