import { expect, test } from "vitest";
import { type Api, api as contract, type Operation } from "../../platform/contract/api";
import type { Request } from "../../platform/contract/endpoint";
import { PEOPLE } from "./people";
import { world } from "./world";

const acme = { organizationSlug: "acme" };
const shop = { ...acme, groupName: "shop" };
const orders = { ...acme, databaseName: "orders" };
const ON = true;
const DEFAULTS = { authorization: "full-access" };
const dump = { file: new File(["select 1;"], "dump.sql") };

interface Known {
  readonly organizationId: string;
  shop: string;
  copy: string;
  token: string;
}

type Told = [code: string, data: object];

/**
 * All operations that make changes, in an order in which every call succeeds, and the entries that each call adds to
 * the audit log of `acme`.
 */
const story: [Operation, (known: Known) => object, (known: Known) => Told[]][] = [
  ["createOrganization", () => ({ body: { name: "new" } }), () => []],
  ["deleteOrganization", () => ({ organizationSlug: "new" }), () => []],
  ["updateOrganization", () => ({ ...acme, body: { overages: ON } }), () => [["org-set-overages", { overages: ON }]]],
  [
    "updateSubscription",
    () => ({ ...acme, body: { plan: "pro" } }),
    () => [["org-plan-update", { plan: "pro", timeline: "monthly" }]],
  ],
  ["openBillingPortal", () => acme, () => []],
  [
    "createInvite",
    () => ({ ...acme, body: { email: "new@else.example" } }),
    () => [["org-invite-create", { email: "new@else.example", role: "member" }]],
  ],
  [
    "deleteInvite",
    () => ({ ...acme, email: "new@else.example" }),
    () => [["org-invite-delete", { email: "new@else.example" }]],
  ],
  [
    "addMember",
    () => ({ ...acme, body: { username: "max" } }),
    () => [["org-member-add", { member: "max", role: "member" }]],
  ],
  [
    "updateMember",
    () => ({ ...acme, username: "max", body: { role: "viewer" } }),
    () => [["org-member-update", { member: "max", role: "viewer" }]],
  ],
  ["removeMember", () => ({ ...acme, username: "max" }), () => [["org-member-rm", { member: "max" }]]],

  [
    "createGroup",
    () => ({ ...acme, body: { name: "first", location: "ams" } }),
    (known) => [["group-create", { group: "first", uuid: known.shop, location: "ams" }]],
  ],
  [
    "renameGroup",
    () => ({ ...acme, groupName: "first", body: { name: "shop" } }),
    () => [["group-rename", { group: "first", name: "shop" }]],
  ],
  [
    "addGroupLocation",
    () => ({ ...shop, location: "fra" }),
    () => [["group-location-add", { group: "shop", location: "fra" }]],
  ],
  [
    "removeGroupLocation",
    () => ({ ...shop, location: "fra" }),
    () => [["group-location-rm", { group: "shop", location: "fra" }]],
  ],
  [
    "updateGroupConfiguration",
    () => ({ ...shop, body: { delete_protection: ON } }),
    () => [["group-protect", { group: "shop" }]],
  ],
  [
    "updateGroupConfiguration",
    () => ({ ...shop, body: { delete_protection: false } }),
    () => [["group-unprotect", { group: "shop" }]],
  ],
  ["unarchiveGroup", () => shop, (known) => [["group-unarchive", { group: "shop", uuid: known.shop }]]],
  ["updateGroupVersion", () => shop, () => [["group-update", { group: "shop" }]]],
  [
    "createGroupToken",
    () => ({ ...shop, query: { expiration: "1d" } }),
    () => [["group-token-create", { group: "shop", expiration: "1d", authorization: "full-access" }]],
  ],
  [
    "createGroupTokenById",
    ({ organizationId, shop: groupId }) => ({ organizationId, groupId }),
    (known) => [["group-token-create", { uuid: known.shop, ...DEFAULTS }]],
  ],
  ["rotateGroupTokens", () => shop, () => [["group-token-rotate", { group: "shop" }]]],

  [
    "createDatabase",
    () => ({ ...acme, body: { name: "orders", group: "shop" } }),
    () => [["db-create", { database: "orders", id: expect.any(String), group: "shop" }]],
  ],
  [
    "createDatabaseById",
    ({ organizationId, shop: group_id }) => ({ organizationId, body: { name: "copy", group_id } }),
    (known) => [["db-create", { database: "copy", id: known.copy, group_id: known.shop }]],
  ],
  [
    "updateDatabaseConfiguration",
    () => ({ ...orders, body: { size_limit: "1gb", allow_attach: null, allowed_ips: null } }),
    () => [["db-configure", { database: "orders", size_limit: "1gb", allowed_ips: null }]],
  ],
  [
    "updateDatabaseConfiguration",
    () => ({ ...orders, body: { delete_protection: ON } }),
    () => [["db-protect", { database: "orders" }]],
  ],
  [
    "updateDatabaseConfiguration",
    () => ({ ...orders, body: { delete_protection: false, size_limit: null } }),
    () => [["db-unprotect", { database: "orders" }]],
  ],
  ["uploadDump", () => ({ ...acme, body: dump }), () => [["db-dump-upload", { size_bytes: 9 }]]],
  ["wakeDatabase", () => orders, () => [["db-aunrchive", { database: "orders" }]]],
  ["updateDatabaseVersion", () => orders, () => [["db-update", { database: "orders" }]]],
  [
    "addInstance",
    () => ({ ...orders, body: { location: "lhr" } }),
    () => [["instance-create", { database: "orders", instance: "lhr" }]],
  ],
  [
    "removeInstance",
    () => ({ ...orders, instanceName: "lhr" }),
    () => [["instance-delete", { database: "orders", instance: "lhr" }]],
  ],
  ["createDatabaseToken", () => orders, () => [["db-token-create", { database: "orders", ...DEFAULTS }]]],
  [
    "createDatabaseTokenById",
    ({ organizationId, copy: databaseId }) => ({ organizationId, databaseId, query: { authorization: "read-only" } }),
    (known) => [["db-token-create", { ...DEFAULTS, id: known.copy, authorization: "read-only" }]],
  ],
  ["rotateDatabaseTokens", () => orders, () => [["db-token-rotate", { database: "orders" }]]],
  [
    "transferDatabase",
    () => ({ ...orders, body: { org: "twin" } }),
    () => [["db-transfer", { database: "orders", organization: "twin" }]],
  ],
  [
    "deleteDatabaseById",
    ({ organizationId, copy: databaseId }) => ({ organizationId, databaseId }),
    (known) => [["db-delete", { database: "copy", id: known.copy }]],
  ],
  [
    "restoreDatabase",
    ({ organizationId, copy: databaseId }) => ({ organizationId, databaseId }),
    (known) => [["db-restore", { database: "copy", id: known.copy, group: "shop" }]],
  ],
  ["deleteDatabase", () => ({ ...acme, databaseName: "copy" }), () => [["db-delete", { database: "copy" }]]],
  ["deleteGroup", () => shop, (known) => [["group-delete", { group: "shop", uuid: known.shop }]]],
  [
    "restoreGroup",
    ({ organizationId, shop: groupId }) => ({ organizationId, groupId }),
    (known) => [["group-restore", { group: "shop", uuid: known.shop, databases: [] }]],
  ],
  [
    "transferGroup",
    () => ({ ...shop, body: { organization: "twin" } }),
    (known) => [["group-transfer", { group: "shop", uuid: known.shop, organization: "twin" }]],
  ],

  [
    "createApiToken",
    () => ({ tokenName: "ci", body: { organization: "acme", group: "default", scopes: ["read"] } }),
    (known) => [["user-token-create", { name: "ci", id: known.token, group: "default", scopes: ["read"] }]],
  ],
  [
    "revokeApiToken",
    ({ token: tokenId }) => ({ ...acme, tokenId }),
    (known) => [["user-token-revoke", { id: known.token }]],
  ],
  [
    "createNestedApiToken",
    () => ({ tokenName: "cd", body: { organization: "acme" } }),
    () => [["user-token-create", { name: "cd", id: expect.any(String) }]],
  ],
  ["revokeOwnApiToken", () => ({ tokenName: "cd" }), () => [["user-token-revoke", { name: "cd" }]]],
  ["invalidateApiTokens", () => ({}), () => [["user-token-invalidate", {}]]],
];

test("§4.6 writes exactly the expected entries for every change, and never records a token", async () => {
  const { api, as } = await world({
    seed: {
      ...PEOPLE,
      organizations: PEOPLE.organizations.map((each) => ({ groups: [{ name: "default" }], ...each })),
    },
  });
  const olga = await as({ user: "olga", organization: null });
  const known: Known = { organizationId: api.organizationId, shop: "", copy: "", token: "" };
  const texts: string[] = [];
  let seen = 0;
  for (const [operation, request, told] of story) {
    const answer: unknown = await olga.ok(operation, request(known) as Request<Api[Operation]>);
    const { group, database, id, jwt, token } = answer as Partial<Record<string, Record<string, string> & string>>;
    if (operation === "createGroup") known.shop = group?.uuid ?? "";
    if (operation === "createDatabaseById") known.copy = database?.DbId ?? "";
    if (operation === "createApiToken") known.token = id ?? "";
    texts.push(
      ...[jwt, operation.startsWith("create") ? (token?.value ?? token) : undefined].filter(
        (text) => text !== undefined,
      ),
    );
    const rows = await api.store.read((state) =>
      state
        .selectFrom("audit_logs")
        .selectAll()
        .where("organization_id", "=", api.organizationId)
        .orderBy("number")
        .execute(),
    );
    const fresh = rows.slice(seen).map(({ code, data }) => [code, JSON.parse(data)]);
    expect([operation, fresh]).toEqual([operation, told(known)]);
    seen = rows.length;
    for (const text of texts) expect(JSON.stringify(rows)).not.toContain(text);
  }
  expect(texts.length).toBeGreaterThan(4);
});

test("§4.6 the expected audit-log entries cover every operation that makes changes", () => {
  const writing = Object.entries(contract).filter(([, { method }]) => method !== "GET");
  expect([...new Set(story.map(([operation]) => operation))].sort()).toEqual(writing.map(([name]) => name).sort());
});
