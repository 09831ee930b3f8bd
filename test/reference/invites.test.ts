import { describe, expect, test } from "vitest";
import { raw } from "./calling";
import { PEOPLE } from "./people";
import { NOON, world } from "./world";

async function team() {
  const { api, as, owner, slug } = await world({ seed: PEOPLE });
  return {
    api,
    as,
    owner,
    slug,
    invited: async () => (await owner.ok("listInvites", slug)).invites.map(({ email, role }) => [email, role]),
    isInvited: async (user: string) =>
      (await (await as({ user, organization: null })).ok("retrieveUser", {})).user.has_pending_invites,
  };
}

describe("inviting a user", () => {
  test("wire-facts 8 adds the email address to the invites, with the role `member` by default", async () => {
    const { owner, slug } = await team();
    const { invited } = await owner.ok("createInvite", { ...slug, body: { email: "New@Else.example" } });
    expect(invited).toEqual({ email: "new@else.example", role: "member", organization: "acme" });
    expect((await owner.ok("listInvites", slug)).invites).toEqual([
      { id: 1, email: "new@else.example", role: "member", created_at: NOON, accepted: false },
    ]);
  });

  test("wire-facts 8 replaces an earlier invite for the same email", async () => {
    const { owner, slug, invited } = await team();
    for (const role of ["member", "admin"] as const)
      await owner.ok("createInvite", { ...slug, body: { email: "new@else.example", role } });
    expect(await invited()).toEqual([["new@else.example", "admin"]]);
  });

  test("wire-facts 1.7 accepts a username, and shows the user a pending invite until they join", async () => {
    const { owner, slug, invited, isInvited } = await team();
    expect(await isInvited("max")).toBe(false);
    await owner.ok("createInvite", { ...slug, body: { username: "max", role: "viewer" } });
    expect(await invited()).toEqual([["max@users.example", "viewer"]]);
    expect(await isInvited("max")).toBe(true);
    await owner.ok("addMember", { ...slug, body: { username: "max" } });
    expect(await isInvited("max")).toBe(false);
    expect(await invited()).toEqual([]);
  });
});

test("wire-facts 8 deletes an invite regardless of the case of its email", async () => {
  const { owner, slug, invited } = await team();
  await owner.ok("createInvite", { ...slug, body: { email: "new+1@else.example" } });
  expect(await owner.ok("deleteInvite", { ...slug, email: "New+1@else.example" })).toEqual({});
  expect(await invited()).toEqual([]);
});

test("wire-facts 8 serves invites at the addresses that the official CLI uses", async () => {
  const { api, invited } = await team();
  const credential = api.apiToken;
  const at = (path: string) => `${api.url}/v1/organizations/acme/${path}`;
  const body = '{"email":"new@else.example","role":"viewer"}';
  expect((await raw(at("invite"), { method: "POST", credential, body })).status).toBe(200);
  const { invites } = await (await raw(at("invites"), { credential })).json();
  expect(invites).toMatchObject([{ email: "new@else.example", role: "viewer", accepted: false }]);
  expect((await raw(at("invites/new@else.example"), { method: "DELETE", credential })).status).toBe(200);
  expect(await invited()).toEqual([]);
});
