import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, api as contract, type Operation } from "../../platform/contract/api";
import type { Request } from "../../platform/contract/endpoint";
import type { ReferenceApi } from "../../platform/reference/server";
import { type ApiCaller, calling } from "./calling";
import { startServers } from "./servers";

const SCOPES = [
  "read",
  "db:create",
  "db:delete",
  "db:configure",
  "db:mint-token",
  "db:rotate-creds",
  "group:configure",
  "group:mint-token",
  "group:rotate-creds",
];

const ROLES = ["viewer", "member", "admin", "owner"];

interface Caller {
  readonly user: string;
  readonly role: string;
  readonly slug: "acme" | "zero";
  readonly scopes?: readonly string[];
  readonly is?: "nobody" | "outside" | "of another group" | "on the free plan";
  readonly unrestricted?: true;
}

const callers: Record<string, Caller> = {
  "an owner": { user: "olga", role: "owner", slug: "acme" },
  "an admin": { user: "adam", role: "admin", slug: "acme" },
  "a member": { user: "mira", role: "member", slug: "acme" },
  "a viewer": { user: "vera", role: "viewer", slug: "acme" },
  "an unrestricted owner": { user: "olga", role: "owner", slug: "acme", unrestricted: true },
  "an unrestricted viewer": { user: "vera", role: "viewer", slug: "acme", unrestricted: true },
  "an owner on the free plan": { user: "olga", role: "owner", slug: "zero", is: "on the free plan" },
  "a credential of another organization": { user: "olga", role: "owner", slug: "acme", is: "outside" },
  "a stranger": { user: "stan", role: "owner", slug: "acme", is: "outside", unrestricted: true },
  "a former member": { user: "fred", role: "owner", slug: "acme", is: "outside" },
  "an unknown caller": { user: "", role: "owner", slug: "acme", is: "nobody" },
  "a token of another group": { user: "olga", role: "owner", slug: "acme", scopes: SCOPES, is: "of another group" },
  "a token of the group, its minter now a member": { user: "mira", role: "member", slug: "acme", scopes: SCOPES },
  "a token of the group, its minter now a viewer": { user: "vera", role: "viewer", slug: "acme", scopes: SCOPES },
  "a token of the group with every scope": { user: "olga", role: "owner", slug: "acme", scopes: SCOPES },
  ...Object.fromEntries(
    SCOPES.map((scope) => [
      `a token of the group with ${scope}`,
      { user: "adam", role: "admin", slug: "acme" as const, scopes: [scope] },
    ]),
  ),
};

/**
 * Who may call an operation, according to the specification. `about` names what the operation acts on, and `scope`
 * names the scope that a group-scoped token needs (§5 rule 5).
 */
interface Rule {
  readonly about: "anyone" | "the person" | "the organization" | "a group";
  readonly scope?: string;
  readonly least?: string;
  /** Present if the operation needs a paid plan (§8). */
  readonly paid?: true;
  /** Present if a caller without permission gets a shorter list instead of an error. */
  readonly list?: true;
  /** Present if the operation concerns the whole organization. Credentials scoped to any group may call it. */
  readonly anyGroup?: true;
  /** Present if the operation requires an unrestricted credential. */
  readonly beyond?: true;
  /**
   * Present if the operation also involves a second organization, which credentials restricted to the first
   * organization cannot see (§5 rule 3).
   */
  readonly elsewhere?: true;
  /**
   * Expected status for callers with permission, if not 200. The test makes the call fail on purpose, because a
   * successful call would disturb later tests.
   */
  readonly allowed?: number;
  readonly free?: number;
}

const view = { about: "the organization" } as const satisfies Rule;
const govern = { about: "the organization", least: "admin" } as const satisfies Rule;
const read = { about: "a group", scope: "read" } as const satisfies Rule;
const configure = { about: "a group", scope: "db:configure", least: "member" } as const satisfies Rule;
const configureGroup = { about: "a group", scope: "group:configure", least: "member" } as const satisfies Rule;

// Where the specification names no role, viewers may read, and members may change groups and databases. Admins may
// manage the organization, and only owners may delete it.
const rules: [operation: Operation, variant: string, rule: Rule][] = [
  ["retrieveOrganization", "", view],
  ["updateOrganization", "", govern],
  ["listOrganizations", "", { about: "the person" }],
  ["listOrganizationsAsObject", "", { about: "the person" }],
  ["createOrganization", "", { about: "the person", beyond: true }],
  ["deleteOrganization", "that holds databases", { about: "the organization", least: "owner", allowed: 400 }],
  ["listMembers", "", view],
  ["addMember", "", govern],
  ["retrieveMember", "", view],
  ["updateMember", "", govern],
  ["removeMember", "another", govern],
  ["retrieveUser", "", { about: "the person" }],
  ["listGroups", "", { ...read, list: true }],
  ["createGroup", "", { about: "the organization", least: "member" }],
  ["retrieveGroup", "", read],
  ["deleteGroup", "", { about: "the organization", least: "member" }],
  ["retrieveGroupConfiguration", "", read],
  ["updateGroupConfiguration", "", configureGroup],
  ["renameGroup", "", configureGroup],
  ["addGroupLocation", "", configureGroup],
  ["removeGroupLocation", "", configureGroup],
  ["awaitGroupLocation", "", read],
  ["unarchiveGroup", "", configureGroup],
  ["updateGroupVersion", "", configureGroup],
  // No scope gives a group-scoped token access to the AWS migration (§5 rule 7).
  ["retrieveAwsMigration", "", view],
  ["listGroupsById", "", { ...read, list: true }],
  ["retrieveGroupById", "", read],
  ["transferGroup", "", { about: "the organization", least: "admin", elsewhere: true }],
  ["listDeletedGroups", "", { about: "the organization", paid: true }],
  ["restoreGroup", "", { about: "the organization", least: "admin", paid: true }],
  ["listDatabases", "", { ...read, list: true }],
  ["createDatabase", "", { about: "a group", scope: "db:create", least: "member" }],
  ["createDatabaseById", "", { about: "a group", scope: "db:create", least: "member" }],
  ["listDatabasesById", "", { ...read, list: true }],
  ["retrieveDatabase", "", read],
  ["deleteDatabase", "", { about: "a group", scope: "db:delete", least: "member" }],
  ["retrieveDatabaseById", "", read],
  ["deleteDatabaseById", "", { about: "a group", scope: "db:delete", least: "member" }],
  ["retrieveDatabaseConfiguration", "", read],
  ["updateDatabaseConfiguration", "", configure],
  // The entry "seed from a dump" in §5 rule 5 implies this scope.
  ["uploadDump", "", { about: "a group", scope: "db:create", least: "member", anyGroup: true }],
  ["wakeDatabase", "", configure],
  // The specification's table of scopes omits this operation, so this rule is our own.
  ["updateDatabaseVersion", "", configure],
  // The specification's table of scopes names a scope but no role. We require the same role as for a group transfer.
  ["transferDatabase", "", { about: "a group", scope: "db:configure", least: "admin", elsewhere: true }],
  ["retrieveDatabaseUsage", "", read],
  ["listTopQueries", "", read],
  ["listInstances", "", read],
  ["retrieveInstance", "", read],
  ["awaitInstance", "", read],
  ["addInstance", "", configure],
  ["removeInstance", "", configure],
  ["createDatabaseToken", "", { about: "a group", scope: "db:mint-token", least: "member" }],
  ["createDatabaseTokenById", "", { about: "a group", scope: "db:mint-token", least: "member" }],
  ["createGroupToken", "", { about: "a group", scope: "group:mint-token", least: "member" }],
  ["createGroupTokenById", "", { about: "a group", scope: "group:mint-token", least: "member" }],
  ["rotateDatabaseTokens", "", { about: "a group", scope: "db:rotate-creds", least: "member" }],
  ["rotateGroupTokens", "", { about: "a group", scope: "group:rotate-creds", least: "member" }],
  ["listDeletedDatabases", "", { ...read, list: true, paid: true }],
  ["restoreDatabase", "", { about: "a group", scope: "db:create", least: "admin", paid: true }],
  ["createApiToken", "for the organization", view],
  ["createApiToken", "for a group", { about: "the organization", least: "admin" }],
  ["createApiToken", "unrestricted", { about: "the person", beyond: true }],
  ["createNestedApiToken", "for the organization", view],
  ["createNestedApiToken", "for a group", govern],
  ["createNestedApiToken", "unrestricted", { about: "the person", beyond: true }],
  ["listOwnApiTokens", "", { about: "the person" }],
  ["revokeOwnApiToken", "", { about: "the person" }],
  ["invalidateApiTokens", "", { about: "the person" }],
  ["listAuditLogs", "", { about: "the organization", paid: true }],
  ["listApiTokens", "", view],
  ["revokeApiToken", "of its own", view],
  ["validateApiToken", "", { about: "anyone" }],
  ["listLocations", "", { about: "anyone" }],
  ["retrieveLocation", "", { about: "anyone" }],
  ["listLocationsByPlatform", "", { about: "anyone" }],
  ["listOrganizationLocations", "", { ...read, list: true }],
  ["listPlans", "", { about: "anyone" }],
  ["retrieveSubscription", "", view],
  ["updateSubscription", "", govern],
  ["listInvoices", "", view],
  ["openBillingPortal", "", govern],
  ["retrievePaymentMethods", "", view],
  ["retrieveBillingCustomer", "", view],
  ["retrieveOrganizationUsage", "", view],
  ["listInvites", "", view],
  // On the free plan, this operation returns 400 instead of 403 (wire-facts 8).
  ["createInvite", "", { ...govern, free: 400 }],
  ["deleteInvite", "that is not there", { ...govern, allowed: 404 }],
];

function expected(rule: Rule, { is, scopes, role, unrestricted }: Caller): number {
  const organizationLevel = rule.about === "the organization" || rule.about === "the person";
  if (is === "nobody") return 401;
  if (rule.about === "anyone") return 200;
  if (is === "outside" && rule.about !== "the person") return 404;
  if (scopes && (organizationLevel || !scopes.includes(rule.scope ?? ""))) return 403;
  if (rule.beyond && !unrestricted) return 403;
  if (rule.about === "the person") return 200;
  if (is === "of another group" && !rule.anyGroup) return rule.list ? 200 : 404;
  if (ROLES.indexOf(role) < ROLES.indexOf(rule.least ?? "viewer")) return 403;
  if (rule.elsewhere && !unrestricted) return 404;
  if (rule.free && is === "on the free plan") return rule.free;
  return rule.paid && is === "on the free plan" ? 403 : (rule.allowed ?? 200);
}

let api: ReferenceApi;
let olga: ApiCaller;
let made = 0;
const credentials: Record<string, string> = {};
const organizations = { acme: "00000000-0000-4000-8000-000000000001", zero: "00000000-0000-4000-8000-000000000002" };

beforeAll(async () => {
  const groups = [{ name: "default" }, { name: "other" }];
  const members = ["olga:owner", "adam:admin", "mira:admin", "vera:admin", "fred:owner"].map((text) => {
    const [username = "", role = ""] = text.split(":");
    return { username, role: role as "owner" };
  });
  api = await startServers({
    seed: {
      users: ["olga", "adam", "mira", "vera", "fred", "stan"].map((username) => ({ username })),
      organizations: [
        { slug: "acme", id: organizations.acme, members, groups },
        {
          slug: "zero",
          id: organizations.zero,
          plan: "starter",
          members: [{ username: "olga", role: "owner" }],
          groups,
        },
        { slug: "elsewhere", members: [{ username: "olga", role: "owner" }], groups: [{ name: "default" }] },
      ],
    },
  });
  await mintCredentials();
  // Changes the roles after the credentials are created, to test that a credential always has its user's current role.
  await api.member("mira", "member");
  await api.member("vera", "viewer");
  await api.member("fred", undefined);
});

async function mintCredentials(): Promise<void> {
  olga = calling(api, await api.token({ organization: null, user: "olga", name: `walker ${++made}` }));
  for (const [label, { user, slug, scopes, is, unrestricted }] of Object.entries(callers)) {
    if (is === "nobody") continue;
    credentials[label] = await api.token({
      user,
      organization: unrestricted ? null : homeOf({ user, slug, is }),
      group: scopes && (is === "of another group" ? "other" : "default"),
      scopes,
      name: `${label} ${made}`,
    });
  }
}

const homeOf = ({ user, slug, is }: Pick<Caller, "user" | "slug" | "is">): string =>
  is === "outside" && user !== "fred" ? "zero" : slug;

afterAll(() => api.close());

/** Returns a request that succeeds for callers with permission. First creates the resources that the request needs. */
async function requestFor(
  operation: Operation,
  variant: string,
  { slug, user, is }: Caller,
): Promise<Request<Api[Operation]>> {
  const name = `thing-${++made}`;
  const inSlug = { organizationSlug: slug };
  const inId = { organizationId: organizations[slug] };
  const database = async () =>
    (await olga.ok("createDatabase", { ...inSlug, body: { name, group: "default" } })).database.DbId;
  const group = async () =>
    (await olga.ok("createGroup", { ...inSlug, body: { name, location: "aws-us-east-1" } })).group.uuid;
  const defaultGroup = async () => (await olga.ok("retrieveGroup", { ...inSlug, groupName: "default" })).group.uuid;
  switch (operation) {
    case "updateOrganization":
      return { ...inSlug, body: { overages: true } };
    case "createOrganization":
      return { query: { dry_run: "true" }, body: { name } };
    case "deleteOrganization":
      await database();
      return inSlug;
    case "addMember":
      await api.member(name, undefined);
      return { ...inSlug, body: { username: name, role: "viewer" } };
    case "updateMember":
    case "removeMember":
      await api.member(name, undefined);
      await olga.ok("addMember", { ...inSlug, body: { username: name, role: "viewer" } });
      return { ...inSlug, username: name, ...(operation === "updateMember" && { body: { role: "member" } }) };
    case "retrieveMember":
      return { ...inSlug, username: "olga" };
    case "createGroup":
      return { ...inSlug, body: { name, location: "aws-us-east-1" } };
    case "retrieveGroup":
    case "retrieveGroupConfiguration":
    case "unarchiveGroup":
    case "updateGroupVersion":
    case "retrieveAwsMigration":
    case "createGroupToken":
    case "rotateGroupTokens":
      return { ...inSlug, groupName: "default" };
    case "awaitGroupLocation":
      return { ...inSlug, groupName: "default", location: "aws-us-east-1" };
    case "listGroupsById":
    case "listDatabasesById":
      return inId;
    case "retrieveGroupById":
    case "createGroupTokenById":
      return { ...inId, groupId: await defaultGroup() };
    case "createDatabaseById":
      return { ...inId, body: { name, group_id: await defaultGroup() } };
    case "updateGroupConfiguration":
      return { ...inSlug, groupName: "default", body: { delete_protection: false } };
    case "renameGroup":
      return { ...inSlug, groupName: "default", body: { name: "default" } };
    case "addGroupLocation":
    case "removeGroupLocation":
      return { ...inSlug, groupName: "default", location: "aws-eu-west-1" };
    case "deleteGroup":
      await group();
      return { ...inSlug, groupName: name };
    case "transferGroup":
      await group();
      return { ...inSlug, groupName: name, body: { organization: "elsewhere" } };
    case "restoreGroup": {
      const groupId = await group();
      await olga.ok("deleteGroup", { ...inSlug, groupName: name });
      return { ...inId, groupId };
    }
    case "createDatabase":
      return { ...inSlug, body: { name, group: "default" } };
    case "retrieveDatabase":
    case "deleteDatabase":
    case "retrieveDatabaseConfiguration":
    case "retrieveDatabaseUsage":
    case "listTopQueries":
    case "wakeDatabase":
    case "updateDatabaseVersion":
    case "listInstances":
    case "createDatabaseToken":
    case "rotateDatabaseTokens":
      await database();
      return { ...inSlug, databaseName: name };
    case "uploadDump":
      return { ...inSlug, body: { file: new File(["create table t (x);"], "dump.sql") } };
    case "transferDatabase":
      await database();
      return { ...inSlug, databaseName: name, body: { org: "elsewhere" } };
    case "retrieveInstance":
    case "awaitInstance":
      await database();
      return { ...inSlug, databaseName: name, instanceName: "aws-us-east-1" };
    case "addInstance":
      await database();
      return { ...inSlug, databaseName: name, body: { location: "aws-us-west-2" } };
    case "removeInstance":
      await database();
      await olga.ok("addInstance", { ...inSlug, databaseName: name, body: { location: "aws-us-west-2" } });
      return { ...inSlug, databaseName: name, instanceName: "aws-us-west-2" };
    case "updateDatabaseConfiguration":
      await database();
      return { ...inSlug, databaseName: name, body: { size_limit: "1gb" } };
    case "retrieveDatabaseById":
    case "deleteDatabaseById":
    case "createDatabaseTokenById":
      return { ...inId, databaseId: await database() };
    case "restoreDatabase": {
      const databaseId = await database();
      await olga.ok("deleteDatabase", { ...inSlug, databaseName: name });
      return { ...inId, databaseId };
    }
    case "listDeletedGroups":
      return inId;
    case "listDeletedDatabases":
      return { ...inId, query: { deleted: "true" } };
    case "revokeOwnApiToken":
      await api.token({ user: user || "olga", organization: homeOf({ user, slug, is }), name });
      return { tokenName: name };
    case "createApiToken":
    case "createNestedApiToken":
      if (variant === "unrestricted") return { tokenName: name };
      if (variant === "for the organization") return { tokenName: name, body: { organization: slug } };
      return { tokenName: name, body: { organization: slug, group: "default", scopes: ["read"] } };
    case "revokeApiToken": {
      await api.token({ user: user || "olga", organization: slug, name });
      const { tokens } = await olga.ok("listApiTokens", inSlug);
      return { ...inSlug, tokenId: tokens.find((token) => token.name === name)?.id ?? "" };
    }
    case "retrieveUser":
    case "retrieveLocation":
      return { locationCode: "ams" };
    case "updateSubscription":
      return { ...inSlug, body: { plan: slug === "zero" ? "starter" : "scaler" } };
    case "createInvite":
      return { ...inSlug, body: { email: `${name}@users.example` } };
    case "deleteInvite":
      return { ...inSlug, email: `${name}@users.example` };
    case "listLocationsByPlatform":
    case "listPlans":
    case "listOwnApiTokens":
    case "invalidateApiTokens":
    case "listOrganizations":
    case "listOrganizationsAsObject":
    case "validateApiToken":
    case "listLocations":
      return {};
    default:
      return inSlug;
  }
}

test("§4 every operation has an access rule", () => {
  expect([...new Set(rules.map(([operation]) => operation))].sort()).toEqual(Object.keys(contract).sort());
});

describe.each(rules)("§5 access to %s %s", (operation, variant, rule) => {
  test.each(Object.entries(callers))("is granted or denied to %s as specified", async (label, caller) => {
    const request = await requestFor(operation, variant, caller);
    const status = await calling(api, credentials[label] ?? "a.b.c").status(operation, request);
    // Mints new credentials, because this request has invalidated the credentials that later tests need.
    if (operation === "invalidateApiTokens" && status === 200) await mintCredentials();
    expect(status).toBe(expected(rule, caller));
  });
});
