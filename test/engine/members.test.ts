import * as dbplatform from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { noLongerExists } from "../../kit/lifecycle/restore/messages";
import { existsElsewhere } from "../../kit/lifecycle/taken/messages";
import {
  acceptedInviteKept,
  acceptedInviteNotChanged,
  memberNotFound,
  ownerNotChanged,
  ownerNotRemoved,
} from "../../provider/resources/organization/messages";
import { type EngineFixture, engineFixture } from "./engine-fixture";
import { operationsOf } from "./journal";

const organizationSlug = "acme";
const email = "zoe@users.example";

const rolesIn = async ({ outside }: EngineFixture): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await outside.listMembers({ organizationSlug })).members.map(({ username, role }) => [username, role]),
  );

test("adds and imports members, reverts changes made outside Pulumi, and never changes an owner", async () => {
  const here = await engineFixture();
  const { outside, writes } = here;
  const requests = operationsOf(here.api);
  const roles: Record<string, string> = { zoe: "viewer" };
  const imports: Record<string, string> = {};
  const stack = await here.stack(async () => {
    for (const [username, role] of Object.entries(roles))
      new dbplatform.Member(username, { username, role }, imports[username] ? { import: imports[username] } : {});
    return { members: (await dbplatform.getMembers()).members };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["addMember"]);

  // Adding an existing member fails, and the error shows how to import the member.
  roles.max = "member";
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(existsElsewhere({ title: 'member "max"', id: "max", isReplacing: false }).advice);
  roles.ada = "owner";
  Object.assign(imports, { max: "max", ada: "ada" });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual([]);

  requests();
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  // The provider lists the members once for the resources, and once for the function `getMembers`.
  expect(requests()).toEqual(["retrieveOrganization", "listMembers", "listMembers"]);

  await outside.updateMember({ organizationSlug, username: "max", body: { role: "admin" } });
  await outside.removeMember({ organizationSlug, username: "zoe" });
  writes();
  const drift = await stack.preview({ expectNoChanges: true, diff: true });
  expect(drift.code).toBe(7);
  expect(drift.output).toMatch(/~ role\s*: "admin" => "member"/);
  expect(drift.output).toContain(
    noLongerExists({ title: 'member "zoe"', reason: memberNotFound({ username: "zoe", organization: "acme" }) }),
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes().sort()).toEqual(["addMember", "updateMember"]);
  expect(await rolesIn(here)).toEqual({ ada: "owner", max: "member", zoe: "viewer" });

  roles.ada = "admin";
  const demoted = await stack.preview();
  expect(demoted.code).not.toBe(0);
  expect(demoted.output).toContain(ownerNotChanged({ username: "ada" }));
  roles.ada = "owner";
  const destroyed = await stack.destroy();
  expect(destroyed.code).not.toBe(0);
  expect(destroyed.output).toContain(ownerNotRemoved({ username: "ada" }));
  expect(await rolesIn(here)).toHaveProperty("ada", "owner");
});

test("invites a person, and refuses to change the role once the invite is accepted", async () => {
  const here = await engineFixture();
  const { outside, writes } = here;
  const requests = operationsOf(here.api);
  const args = { email, role: "viewer" };
  const stack = await here.stack(async () => {
    const { accepted } = new dbplatform.Invite("zoe", args);
    return { accepted, pending: (await dbplatform.getInvites()).invites.length };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toMatchObject({ accepted: false });
  args.role = "member";
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["createInvite", "createInvite"]);

  await outside.addMember({ organizationSlug, body: { username: "zoe", role: "member" } });
  writes();
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  requests();
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(requests()).toEqual(["retrieveOrganization", "listInvites"]);

  args.role = "admin";
  const raised = await stack.preview();
  expect(raised.code).not.toBe(0);
  expect(raised.output).toContain(acceptedInviteNotChanged({ email, username: "zoe" }));
  args.role = "member";
  const destroyed = await stack.destroy();
  expect(destroyed).toMatchObject({ code: 0 });
  expect(destroyed.output).toContain(acceptedInviteKept({ email }));
  expect(writes()).toEqual([]);
  expect(await rolesIn(here)).toHaveProperty("zoe", "member");
});

test("manages members and invites with the dynamic providers", async () => {
  const here = await engineFixture();
  const { outside, writes } = here;
  const stack = await here.stack(async () => {
    new dynamic.Member("zoe", { username: "zoe", role: "viewer" });
    new dynamic.Invite("lea", { email: "lea@acme.example", role: "viewer" });
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes().sort()).toEqual(["addMember", "createInvite"]);
  await outside.updateMember({ organizationSlug, username: "zoe", body: { role: "admin" } });
  writes();
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["updateMember"]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await rolesIn(here)).not.toHaveProperty("zoe");
});
