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
    expect(await owner.refused("retrieveMember", { ...slug, username: "bob" })).toEqual({
      status: 404,
      error: "could not find member",
    });
  });

  test("wire-facts 1.3 rejects a change to `restore_enabled` together with other properties (400)", async () => {
    const { owner, slug } = await world();
    const enabled = async () => (await owner.ok("retrieveOrganization", slug)).organization.restore_enabled;
    const both = { restore_enabled: false, overages: true };
    expect(await owner.status("updateOrganization", { ...slug, body: both })).toBe(400);
    expect(await enabled()).toBe(true);
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

  test("§8 row 5 on the free plan cannot list its deleted groups (403 with the documented code)", async () => {
    const { api, owner, id } = await world();
    await api.plan("starter");
    expect(await owner.refused("listDeletedGroups", id)).toEqual({
      status: 403,
      error: expect.any(String),
      code: "feature_not_available_for_starter_plan",
    });
  });

  test("wire-facts 9 returns 404 if it does not exist or the caller is not a member", async () => {
    const { owner } = await world();
    const refusal = { status: 404, error: "organization not found" };
    expect(await owner.refused("retrieveOrganization", { organizationSlug: "nowhere" })).toEqual(refusal);
    const organizationId = "6f6e2a1c-7b5e-4b53-9f0e-0d3a3e1f0001";
    expect(await owner.refused("listDeletedGroups", { organizationId })).toEqual(refusal);
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

  test.each([
    [
      "wire-facts 2.2 is refused if its name is taken",
      { name: "default", location: "aws-us-east-1" },
      409,
      "group already exists",
    ],
    [
      "wire-facts 2.2 is refused if its location is unknown",
      { name: "a", location: "amss" },
      400,
      "invalid location: amss",
    ],
    [
      "wire-facts 10 is refused if its name is too long",
      { name: "a".repeat(59), location: "aws-us-east-1" },
      400,
      "invalid group name: name must contain between 1 and 58 characters",
    ],
  ])("%s", async (_what, body, status, error) => {
    const { owner, slug, groupNames } = await world();
    expect(await owner.refused("createGroup", { ...slug, body })).toEqual({ status, error });
    expect(await groupNames()).toEqual(["default"]);
  });

  test("wire-facts 9 cannot be deleted while it is protected, but its databases can", async () => {
    const { owner, slug, groupNames, database, liveNames } = await world({
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
    expect(await owner.refused("deleteGroup", { ...slug, groupName: "default" })).toEqual({
      status: 403,
      error: "group default is delete-protected and cannot be deleted",
    });
    expect(await groupNames()).toEqual(["default"]);
    await database("orders");
    await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
    expect(await liveNames()).toEqual([]);
  });

  test("wire-facts 4.5 frees its name as soon as it is deleted", async () => {
    const { owner, slug, group, groupNames } = await world();
    const first = await group("shop");
    await owner.ok("deleteGroup", { ...slug, groupName: "shop" });
    expect(await owner.refused("retrieveGroup", { ...slug, groupName: "shop" })).toEqual({
      status: 404,
      error: "group not found",
    });
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
