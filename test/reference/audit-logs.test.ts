import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { DOCUMENTED_CODES, OWN_CODES } from "../../platform/reference/operations/operation";
import { raw } from "./calling";
import { PEOPLE } from "./people";
import { NOON, world } from "./world";

const acme = { organizationSlug: "acme" };

async function logs() {
  const { api, as, owner, slug, group } = await world({ seed: PEOPLE });
  return {
    api,
    as,
    owner,
    slug,
    group,
    entries: async (organizationSlug = "acme") => {
      const caller = await as({ user: "olga", organization: organizationSlug });
      return (await caller.ok("listAuditLogs", { organizationSlug })).audit_logs;
    },
  };
}

describe("an audit-log entry", () => {
  test("§2.6 records the action, origin, author and time, and the changed object", async () => {
    const { api, as, entries } = await logs();
    await api.advance(90);
    const adam = await as({ user: "adam" });
    const body = { name: "shop", location: "aws-eu-west-1" };
    const { group } = await adam.ok("createGroup", { ...acme, body });
    expect(await entries()).toEqual([
      {
        code: "group-create",
        message: "",
        origin: "api",
        author: "adam",
        created_at: "2026-03-01T12:01:30.000Z",
        data: { group: "shop", uuid: group.uuid, location: "aws-eu-west-1" },
      },
    ]);
  });

  test.each([
    ["turso-cli/v1.0.0 (linux/amd64)", "cli"],
    ["Mozilla/5.0 (X11; Linux x86_64)", "web"],
    ["@tursodatabase/api", "api"],
  ])("wire-facts 0 records a request by %s with the origin %s", async (userAgent, origin) => {
    const { api, entries } = await logs();
    await raw(`${api.url}/v1/organizations/acme`, {
      method: "PATCH",
      credential: api.apiToken,
      headers: { "User-Agent": userAgent },
      body: '{"overages":true}',
    });
    expect(await entries()).toMatchObject([{ code: "org-set-overages", origin, data: { overages: true } }]);
  });

  test("§1 contains no credential, even when a caller sends a credential as a name", async () => {
    const { api, owner, entries } = await logs();
    await owner.refused("createApiToken", { tokenName: api.apiToken, body: { organization: "acme" } });
    const { token } = await owner.ok("createApiToken", { tokenName: "ci", body: { organization: "acme" } });
    const [minted, ...rest] = await entries();
    expect(minted).toMatchObject({ code: "user-token-create", data: { name: "ci", id: expect.any(String) } });
    expect(rest).toEqual([]);
    for (const secret of [api.apiToken, token]) expect(JSON.stringify([minted, rest])).not.toContain(secret);
  });

  test("§1 stays readable if a name contains a credential and an escaped quotation mark", async () => {
    const { api, owner, slug, entries } = await logs();
    const username = "kim%22 eyJhbGci.e30.c2lnbmF0dXJlLW9mLWEtdG9rZW4";
    await api.member(username, "member");
    await owner.ok("removeMember", { ...slug, username });
    expect(await entries()).toMatchObject([{ code: "org-member-rm", data: { member: 'kim" [credential]' } }]);
  });

  test("§3 is not written for reads, dry runs or changes without effect", async () => {
    const { as, owner, slug, entries } = await logs();
    await owner.ok("listGroups", slug);
    await owner.ok("updateOrganization", { ...slug, body: {} });
    await owner.ok("updateGroupConfiguration", { ...slug, groupName: "default", body: {} });
    const olga = await as({ user: "olga", organization: null });
    await olga.ok("createOrganization", { query: { dry_run: "true" }, body: { name: "new" } });
    expect(await entries()).toEqual([]);
  });
});

describe("changes to an organization and its members", () => {
  test("§4.6 each write exactly one audit-log entry", async () => {
    const { as, owner, slug, entries } = await logs();
    await owner.ok("updateOrganization", { ...slug, body: { restore_enabled: false } });
    await owner.ok("addMember", { ...slug, body: { username: "max" } });
    await owner.ok("updateMember", { ...slug, username: "max", body: { role: "viewer" } });
    await (await as({ user: "max", organization: "acme" })).ok("removeMember", { ...slug, username: "max" });
    await owner.ok("removeMember", { ...slug, username: "vera" });
    await owner.ok("createInvite", { ...slug, body: { email: "new@else.example" } });
    await owner.ok("deleteInvite", { ...slug, email: "new@else.example" });
    await owner.ok("openBillingPortal", slug);
    const told = (await entries()).reverse().map(({ code, author, data }) => [code, author, data]);
    expect(told).toEqual([
      ["org-configure", "olga", { restore_enabled: false }],
      ["org-member-add", "olga", { member: "max", role: "member" }],
      ["org-member-update", "olga", { member: "max", role: "viewer" }],
      ["org-member-leave", "max", { member: "max" }],
      ["org-member-rm", "olga", { member: "vera" }],
      ["org-invite-create", "olga", { email: "new@else.example", role: "member" }],
      ["org-invite-delete", "olga", { email: "new@else.example" }],
    ]);
  });

  test("§4.6 are in the organization's log, but its deletion is in the personal account's log", async () => {
    const { api, as, entries } = await logs();
    await api.store.transaction(["olga"], (state) =>
      state.updateTable("organizations").set({ plan: "scaler" }).where("slug", "=", "olga").execute(),
    );
    const olga = await as({ user: "olga", organization: null });
    await olga.ok("createOrganization", { body: { name: "new" } });
    expect(await entries("new")).toMatchObject([{ code: "org-create", data: { organization: "new" } }]);
    await olga.ok("deleteOrganization", { organizationSlug: "new" });
    expect(await entries("olga")).toMatchObject([{ code: "org-delete", data: { organization: "new" } }]);
  });

  test("§4.6 are recorded in the log of each organization whose tokens are revoked or invalidated", async () => {
    const { as, entries } = await logs();
    const olga = await as({ user: "olga", organization: null });
    for (const organization of ["acme", "twin"])
      await olga.ok("createApiToken", { tokenName: organization, body: { organization } });
    await olga.ok("revokeOwnApiToken", { tokenName: "twin" });
    const codes = async (slug: string) => (await entries(slug)).map(({ code }) => code);
    expect(await codes("twin")).toEqual(["user-token-revoke", "user-token-create"]);
    await olga.ok("invalidateApiTokens", {});
    expect(await codes("acme")).toEqual(["user-token-invalidate", "user-token-create"]);
    // Reading the log of `twin` above created another token for `twin`. The log now records its invalidation, too.
    expect(await codes("twin")).toEqual(["user-token-invalidate", "user-token-revoke", "user-token-create"]);
  });

  test("§3 are recorded in the logs of both organizations when a group is transferred", async () => {
    const { as, group, entries } = await logs();
    const uuid = await group("shop");
    const olga = await as({ user: "olga", organization: null });
    await olga.ok("transferGroup", { ...acme, groupName: "shop", body: { organization: "twin" } });
    const entry = { code: "group-transfer", data: { group: "shop", uuid, organization: "twin" } };
    expect((await entries())[0]).toMatchObject(entry);
    expect(await entries("twin")).toMatchObject([entry]);
  });
});

describe("changes to groups and databases", () => {
  test("§4.6 each write exactly one audit-log entry, with names but without tokens", async () => {
    const { owner, slug, entries } = await logs();
    const inDefault = { ...slug, groupName: "default" };
    const orders = { ...slug, databaseName: "orders" };
    const file = new File(["12345"], "dump.sql");
    const { database } = await owner.ok("createDatabase", { ...slug, body: { name: "orders", group: "default" } });
    await owner.ok("addInstance", { ...orders, body: { location: "aws-us-west-2" } });
    await owner.ok("removeInstance", { ...orders, instanceName: "aws-us-west-2" });
    await owner.ok("createDatabaseToken", { ...orders, query: { expiration: "1d", authorization: "read-only" } });
    await owner.ok("rotateDatabaseTokens", orders);
    await owner.ok("createGroupToken", inDefault);
    await owner.ok("rotateGroupTokens", inDefault);
    await owner.ok("uploadDump", { ...slug, body: { file } });
    await owner.ok("updateDatabaseVersion", orders);
    await owner.ok("wakeDatabase", orders);
    await owner.ok("updateGroupVersion", inDefault);
    await owner.ok("unarchiveGroup", inDefault);
    const ofDatabase = { database: "orders" };
    const ofGroup = { group: "default" };
    const instance = { ...ofDatabase, instance: "aws-us-west-2" };
    expect((await entries()).reverse().map(({ code, data }) => [code, data])).toEqual([
      ["db-create", { ...ofDatabase, ...ofGroup, id: database.DbId }],
      ["instance-create", instance],
      ["instance-delete", instance],
      ["db-token-create", { ...ofDatabase, expiration: "1d", authorization: "read-only" }],
      ["db-token-rotate", ofDatabase],
      ["group-token-create", { ...ofGroup, authorization: "full-access" }],
      ["group-token-rotate", ofGroup],
      ["db-dump-upload", { size_bytes: 5 }],
      ["db-update", ofDatabase],
      ["db-aunrchive", ofDatabase],
      ["group-update", ofGroup],
      ["group-unarchive", { ...ofGroup, uuid: expect.any(String) }],
    ]);
  });
});

describe("listing the audit log", () => {
  async function manyEntries() {
    const made = await logs();
    for (const name of ["a", "b", "c", "d", "e"]) await made.group(name);
    return made;
  }

  test.each([
    ["no page", {}, ["e", "d", "c", "b", "a"], { page: 1, page_size: 100, total_pages: 1, total_rows: 5 }],
    [
      "the first page of two entries",
      { page: "1", page_size: "2" },
      ["e", "d"],
      { page: 1, page_size: 2, total_pages: 3, total_rows: 5 },
    ],
    [
      "the last page of two entries",
      { page: "3", page_size: "2" },
      ["a"],
      { page: 3, page_size: 2, total_pages: 3, total_rows: 5 },
    ],
    [
      "a page beyond the last one",
      { page: "4", page_size: "2" },
      [],
      { page: 4, page_size: 2, total_pages: 3, total_rows: 5 },
    ],
  ])(
    "§4.6, §8 row 3, §8 row 4 returns the latest entries first when %s is requested",
    async (_what, query, groups, pagination) => {
      const { owner, slug } = await manyEntries();
      const answer = await owner.ok("listAuditLogs", { ...slug, query });
      expect(answer.audit_logs.map(({ data }) => data.group)).toEqual(groups);
      expect(answer.pagination).toEqual(pagination);
    },
  );

  test("§4.6 returns only the organization's own entries", async () => {
    const { owner, slug, entries } = await logs();
    await owner.ok("updateOrganization", { ...slug, body: { require_mfa: true } });
    expect(await entries("twin")).toEqual([]);
    expect((await entries())[0]?.created_at).toBe(NOON);
  });
});

test("the documentation lists exactly the codes that the audit log can contain", async () => {
  const text = await readFile("docs/reference-api-rules.md", "utf8");
  const section = /## The audit log\n([\s\S]*?)\n## /.exec(text)?.[1] ?? "";
  const [documented = "", ours = ""] = section.split("Ours, where");
  const codesIn = (part: string) =>
    [...part.matchAll(/`((?:db|group|instance|org|user)-[a-z-]+)`/g)].map(([, code]) => code).sort();
  expect(codesIn(documented)).toEqual([...DOCUMENTED_CODES].sort());
  expect(codesIn(ours)).toEqual([...OWN_CODES].sort());
});
