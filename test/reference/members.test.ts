import { describe, expect, test } from "vitest";
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
    const { as, slug, roles } = await team();
    await (await as({ user: "vera" })).ok("removeMember", { ...slug, username: "vera" });
    expect(Object.keys(await roles())).not.toContain("vera");
    const twin = { organizationSlug: "twin" };
    const otto = await as({ user: "otto", organization: "twin" });
    await otto.ok("removeMember", { ...twin, username: "olga" });
    expect(await otto.status("removeMember", { ...twin, username: "otto" })).toBe(400);
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
