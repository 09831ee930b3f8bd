import { describe, expect, test } from "vitest";
import { refuse, USERNAME_MISSING, USERNAMES_DIFFER } from "../../platform/reference/messages";
import { raw } from "./calling";
import { PEOPLE } from "./people";
import { world } from "./world";

async function team() {
  const { api, as, slug } = await world({ seed: PEOPLE });
  const olga = await as({ user: "olga", organization: null });
  return {
    api,
    as,
    olga,
    slug,
    roles: async (organizationSlug = "acme") => {
      const { members } = await olga.ok("listMembers", { organizationSlug });
      return Object.fromEntries(members.map(({ username, role }) => [username, role]));
    },
  };
}

const EVERYBODY = { olga: "owner", adam: "admin", mira: "member", vera: "viewer" };

test("wire-facts 1.5 lists members with username, role and email", async () => {
  const { olga, slug } = await team();
  const { members } = await olga.ok("listMembers", slug);
  expect(members[0]).toEqual({ username: "adam", role: "admin", email: "adam@users.example" });
  expect(members).toHaveLength(4);
});

describe("adding a member", () => {
  test("wire-facts 1.5 takes effect immediately, with the role `member` by default", async () => {
    const { as, olga, slug, roles } = await team();
    expect(await olga.ok("addMember", { ...slug, body: { username: "max" } })).toEqual({
      member: "max",
      role: "member",
    });
    await olga.ok("addMember", { ...slug, body: { username: "stan", role: "viewer" } });
    expect(await roles()).toEqual({ ...EVERYBODY, max: "member", stan: "viewer" });
    await (await as({ user: "max", organization: "acme" })).ok("listGroups", slug);
  });

  test("wire-facts 1.5 accepts the request of the official TypeScript client", async () => {
    const { api, roles } = await team();
    const answer = await raw(`${api.url}/v1/organizations/acme/members/max`, {
      method: "POST",
      credential: api.apiToken,
      body: JSON.stringify({ member: "max", role: "admin" }),
    });
    expect([answer.status, await answer.json()]).toEqual([200, { member: "max", role: "admin" }]);
    expect((await roles()).max).toBe("admin");
  });

  test.each([
    ["an unknown user", { username: "nobody" }, 404, "could not find user [nobody]"],
    [
      "a user who is already a member",
      { username: "mira" },
      409,
      "user [mira] is already a member of organization [acme]",
    ],
    ["the role `owner`", { username: "max", role: "owner" }, 400, "invalid role"],
    ["a request that names no user", {}, 400, USERNAME_MISSING],
    ["a request that names two users", { username: "max", member: "stan" }, 400, USERNAMES_DIFFER],
  ])("wire-facts 1.5 rejects %s", async (_who, body, status, error) => {
    const { olga, slug, roles } = await team();
    expect(await olga.refused("addMember", { ...slug, body: body as object })).toEqual({ status, error });
    expect(await roles()).toEqual(EVERYBODY);
  });

  test("wire-facts 1.5 returns 400 for a personal account, whose only member is its owner", async () => {
    const { olga } = await team();
    const request = { organizationSlug: "olga", body: { username: "max" } };
    expect((await olga.refused("addMember", request)).status).toBe(400);
  });
});

describe("changing a role", () => {
  test("§5 takes effect on the member's next request", async () => {
    const { as, olga, slug } = await team();
    const mira = await as({ user: "mira" });
    const group = { ...slug, body: { name: "shop", location: "aws-us-east-1" } };
    const changed = await olga.ok("updateMember", { ...slug, username: "mira", body: { role: "viewer" } });
    expect(changed.member).toEqual({ username: "mira", email: "mira@users.example", role: "viewer" });
    expect(await mira.status("createGroup", group)).toBe(403);
    await olga.ok("updateMember", { ...slug, username: "mira", body: { role: "member" } });
    await mira.ok("createGroup", group);
  });

  test.each([
    ["mira", "adam", { role: "viewer" }, 403, "updating member roles is only allowed for admin or owner"],
    ["adam", "vera", { role: "king" }, 400, "invalid role"],
    ["adam", "vera", { role: "owner" }, 400, "invalid role"],
    ["adam", "max", { role: "viewer" }, 404, "could not find member"],
    ["adam", "olga", { role: "viewer" }, 403, refuse.ownerRequired().message],
    ["olga", "olga", { role: "admin" }, 400, refuse.lastOwner().message],
  ])(
    "wire-facts 1.5 is refused when %s tries to update the role of %s with %o (status %i)",
    async (user, username, body, status, error) => {
      const { as, slug, roles } = await team();
      const caller = await as({ user });
      const request = { ...slug, username, body: body as { role: "viewer" } };
      expect(await caller.refused("updateMember", request)).toEqual({ status, error });
      expect(await roles()).toEqual(EVERYBODY);
    },
  );
});

describe("removing a member", () => {
  test("§5 keeps the member's credentials valid, but ends their access to the organization", async () => {
    const { as, olga, slug } = await team();
    const mira = await as({ user: "mira" });
    expect(await olga.ok("removeMember", { ...slug, username: "mira" })).toEqual({ member: "mira" });
    expect(await mira.refused("listGroups", slug)).toEqual({ status: 404, error: "organization not found" });
    await mira.ok("validateApiToken", {});
    const { tokens } = await olga.ok("listApiTokens", slug);
    expect(tokens.map(({ owner }) => owner?.username)).toContain("mira");
  });

  test("§5 stops the member's group-scoped tokens from accessing the group", async () => {
    const { as, olga, slug } = await team();
    const scoped = await as({ user: "adam", group: "default" });
    await scoped.ok("retrieveGroup", { ...slug, groupName: "default" });
    await olga.ok("removeMember", { ...slug, username: "adam" });
    expect(await scoped.status("retrieveGroup", { ...slug, groupName: "default" })).toBe(404);
  });

  test("wire-facts 1.5 lets members and viewers remove themselves, but not the last owner", async () => {
    const { as, olga, slug, roles } = await team();
    await (await as({ user: "vera" })).ok("removeMember", { ...slug, username: "vera" });
    expect(Object.keys(await roles())).not.toContain("vera");
    expect((await olga.refused("removeMember", { ...slug, username: "olga" })).error).toBe(refuse.lastOwner().message);
    const twin = { organizationSlug: "twin" };
    const otto = await as({ user: "otto", organization: "twin" });
    await otto.ok("removeMember", { ...twin, username: "olga" });
    expect(await otto.status("removeMember", { ...twin, username: "otto" })).toBe(400);
  });

  test.each([
    ["vera", "mira", 403, "this operation is only allowed for admin or owner"],
    ["adam", "olga", 403, refuse.ownerRequired().message],
    ["adam", "max", 404, "user [max] is not a member of org [acme]"],
  ])("wire-facts 1.5 is refused when %s tries to remove %s (status %i)", async (user, username, status, error) => {
    const { as, slug, roles } = await team();
    expect(await (await as({ user })).refused("removeMember", { ...slug, username })).toEqual({ status, error });
    expect(await roles()).toEqual(EVERYBODY);
  });
});

test("wire-facts 1.7 /v1/user and /v1/current-user return the user with their personal account's plan", async () => {
  const { api } = await team();
  for (const [user, plan] of [
    ["stan", "developer"],
    ["max", ""],
  ]) {
    const credential = await api.token({ user, organization: null });
    for (const path of ["/v1/user", "/v1/current-user"])
      expect(await (await raw(api.url + path, { credential })).json()).toEqual({
        user: {
          username: user,
          name: user,
          email: `${user}@users.example`,
          avatarUrl: "",
          plan,
          mfa: false,
          has_pending_invites: false,
        },
      });
  }
});
