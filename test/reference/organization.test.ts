import { describe, expect, test } from "vitest";
import { raw } from "./calling";
import { world } from "./world";

describe("an organization", () => {
  test("§2.7 has an id, and a slug that is also its name", async () => {
    const { api, owner, slug } = await world();
    const answer = await raw(`${api.url}/v1/organizations/acme`, { credential: api.apiToken });
    const { organization } = await answer.json();
    expect(organization).toMatchObject({ id: api.organizationId, slug: "acme", name: "acme", restore_enabled: true });
    expect((await owner.ok("retrieveUser", {})).user.username).toBe("ada");
    expect((await owner.ok("retrieveMember", { ...slug, username: "ada" })).member.role).toBe("owner");
  });

  test("wire-facts 1.3 stores a change to `restore_enabled`", async () => {
    const { owner, slug } = await world();
    const enabled = async () => (await owner.ok("retrieveOrganization", slug)).organization.restore_enabled;
    await owner.ok("updateOrganization", { ...slug, body: { restore_enabled: false } });
    expect(await enabled()).toBe(false);
  });

  test("wire-facts 1.2 stores each change to `overages` and `require_mfa`", async () => {
    const { api } = await world();
    const ask = async (body?: object) => {
      const change = body && { method: "PATCH", body: JSON.stringify(body) };
      const answer = await raw(`${api.url}/v1/organizations/acme`, { credential: api.apiToken, ...change });
      const { overages, require_mfa } = (await answer.json()).organization;
      return { overages, require_mfa };
    };
    expect(await ask()).toEqual({ overages: false, require_mfa: false });
    expect(await ask({ overages: true })).toEqual({ overages: true, require_mfa: false });
    expect(await ask({ require_mfa: true })).toEqual({ overages: true, require_mfa: true });
    expect(await ask({ overages: false })).toEqual({ overages: false, require_mfa: true });
    expect(await ask()).toEqual({ overages: false, require_mfa: true });
  });

  test("wire-facts 1.2 is identified by slug in v1 paths and bodies, and by UUID in v3 paths", async () => {
    const slug = "00000000-0000-4000-8000-00000000000a";
    const member = { username: "ada", role: "owner" as const };
    const { api, owner } = await world({
      seed: { users: [{ username: "ada" }], organizations: [{ slug, members: [member] }] },
    });
    const { organizationId } = api;
    const refusal = { status: 404, error: "organization not found" };
    expect(await owner.refused("retrieveOrganization", { organizationSlug: organizationId })).toEqual(refusal);
    const body = { organization: organizationId };
    expect(await owner.refused("createApiToken", { tokenName: "ci", body })).toEqual(refusal);
    expect(await owner.refused("listDeletedGroups", { organizationId: slug })).toEqual(refusal);
    await owner.ok("retrieveOrganization", { organizationSlug: slug });
    await owner.ok("listDeletedGroups", { organizationId });
  });
});

describe("a group", () => {
  test("wire-facts 2.1 has a record with every field that clients read", async () => {
    const { api } = await world();
    const answer = await raw(`${api.url}/v1/organizations/acme/groups/default`, { credential: api.apiToken });
    expect((await answer.json()).group).toEqual({
      name: "default",
      version: expect.any(String),
      status: { locations: [{ name: "aws-us-east-1", status: "running" }] },
      uuid: expect.any(String),
      locations: ["aws-us-east-1"],
      primary: "aws-us-east-1",
      delete_protection: false,
      archived: false,
    });
  });

  test("wire-facts 9 does not protect its databases from deletion", async () => {
    const { owner, slug, database, liveNames } = await world({
      seed: {
        users: [{ username: "ada" }],
        organizations: [
          {
            slug: "acme",
            members: [{ username: "ada", role: "owner" }],
            groups: [{ name: "default", delete_protection: true }],
          },
        ],
      },
    });
    await database("orders");
    await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
    expect(await liveNames()).toEqual([]);
  });

  test("wire-facts 4.5 frees its name as soon as it is deleted", async () => {
    const { owner, slug, group, groupNames } = await world();
    const first = await group("shop");
    await owner.ok("deleteGroup", { ...slug, groupName: "shop" });
    expect(await group("shop")).not.toBe(first);
    expect(await groupNames()).toEqual(["default", "shop"]);
  });
});

test("§4.5 returns locations as a map from code to description", async () => {
  const { owner } = await world();
  const { locations } = await owner.ok("listLocations", {});
  expect(Object.keys(locations)).toEqual([
    "aws-ap-northeast-1",
    "aws-ap-south-1",
    "aws-eu-west-1",
    "aws-us-east-1",
    "aws-us-east-2",
    "aws-us-west-2",
  ]);
});
