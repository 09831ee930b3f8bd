// @module-tag no-database-is-lost
// @module-tag nothing-is-created-twice-or-adopted
// @module-tag failures-and-interruptions
// @module-tag previews-are-true
// @module-tag all-drift-is-shown
// @module-tag no-false-differences
// @module-tag clear-messages

import { expect, test } from "vitest";
import { createInstead } from "../../kit/lifecycle/restore/messages";
import { keyTakenElsewhere } from "../../kit/lifecycle/taken/messages";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { readImported, readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { invite } from "../../provider/resources/organization/invite";
import { member } from "../../provider/resources/organization/member";
import {
  acceptedInviteKept,
  acceptedInviteNotChanged,
  acceptedInviteNotImported,
  alreadyMember,
  INVITES_NEED_PLAN,
  inviteNotFound,
  inviteOutOfSight,
  inviteSpelling,
  memberNotFound,
} from "../../provider/resources/organization/messages";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";
import { type ManagedResource, made } from "./managed";
import { storyPlatform } from "./story-fixture";

const organizationSlug = "acme";
/** Zoe has an account with this email. */
const email = "zoe@users.example";
const inputs = { email, role: "viewer" };
const outside = ({ api }: LifecycleFixture) => clientOf(api, api.apiToken);
const accept = (here: LifecycleFixture) =>
  outside(here).addMember({ organizationSlug, body: { username: "zoe", role: "viewer" } });
const invitesIn = async (here: LifecycleFixture): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await outside(here).listInvites({ organizationSlug })).invites.map((each) => [each.email, each.role]),
  );

const changed = ({ id, state }: ManagedResource, role: string) => ({
  id,
  oldInputs: inputs,
  state,
  news: { email, role },
});

async function accepted(here: LifecycleFixture): Promise<ManagedResource> {
  const managed = await made(invite, inputs, here.context);
  await accept(here);
  const read = await readManaged(invite, managed, here.again());
  return { ...managed, state: read?.state ?? {} };
}

test("reads all invites with one request, and changes the role of an invite in place", async () => {
  const here = await lifecycleFixture();
  const all = await Promise.all(
    ["lea@acme.example", "kim@acme.example"].map((address) =>
      made(invite, { ...inputs, email: address }, here.context),
    ),
  );
  here.asked();
  const later = here.again();
  for (const one of all) expect((await readManaged(invite, one, later))?.state).toEqual(one.state);
  expect(here.asked()).toEqual(["retrieveOrganization", "listInvites"]);

  const [first] = all as [ManagedResource];
  const news = { ...first.inputs, email: "LEA@acme.example", role: "admin" };
  const compared = { id: first.id, oldInputs: first.inputs, state: first.state, news };
  expect((await diff(invite, compared, later)).differences.map(({ path }) => path)).toEqual(["role"]);
  await update(invite, compared, here.again());
  expect(await invitesIn(here)).toEqual({ "lea@acme.example": "admin", "kim@acme.example": "viewer" });
});

test("records an accepted invite, and does not invite the person again after the member is removed", async () => {
  const here = await lifecycleFixture();
  const managed = await accepted(here);
  expect(managed.state).toMatchObject({ email, role: "viewer", accepted: true, username: "zoe" });
  await outside(here).updateMember({ organizationSlug, username: "zoe", body: { role: "admin" } });
  await outside(here).removeMember({ organizationSlug, username: "zoe" });
  here.asked();
  const later = here.again();
  const read = await readManaged(invite, managed, later);
  const unchanged = { id: managed.id, oldInputs: inputs, state: read?.state ?? {}, news: inputs };
  expect((await diff(invite, unchanged, later)).differences).toEqual([]);
  expect(here.asked()).toEqual(["retrieveOrganization"]);
});

test("refuses to change the role of an accepted invite, and explains how to manage the member", async () => {
  const here = await lifecycleFixture();
  const managed = await accepted(here);
  const says = acceptedInviteNotChanged({ email, username: "zoe" });
  await expect(planUpdate(invite, changed(managed, "admin"), here.again())).rejects.toThrow(says);
  await expect(update(invite, changed(managed, "admin"), here.again())).rejects.toThrow(says);
  const unread = { ...managed, state: { ...managed.state, accepted: false } };
  await expect(update(invite, changed(unread, "admin"), here.again())).rejects.toThrow(says);
});

test("withdraws a pending invite on deletion, but does not remove a member who accepted the invite", async () => {
  const here = await lifecycleFixture();
  const pending = await made(invite, { email: "lea@acme.example", role: "viewer" }, here.context);
  await remove(invite, pending, here.again());
  expect(await invitesIn(here)).toEqual({});

  const managed = await accepted(here);
  for (const state of [managed.state, { ...managed.state, accepted: false }]) {
    here.said.length = 0;
    await remove(invite, { ...managed, state }, here.again());
    expect(here.said).toContain(acceptedInviteKept({ email }));
  }
  const { members } = await outside(here).listMembers({ organizationSlug });
  expect(members.map(({ username }) => username)).toContain("zoe");

  await outside(here).removeMember({ organizationSlug, username: "zoe" });
  await outside(here).createInvite({ organizationSlug, body: { email } });
  await remove(invite, managed, here.again());
  expect(await invitesIn(here)).toEqual({ [email]: "member" });
});

test("refuses to invite members, people with a pending invite, and anybody on the free plan", async () => {
  const here = await lifecycleFixture();
  await outside(here).createInvite({ organizationSlug, body: { email: "lea@acme.example" } });
  const { advice } = keyTakenElsewhere({
    title: 'invite "Lea@acme.example"',
    id: "lea@acme.example",
    isReplacing: false,
  });
  const again = { email: "Lea@acme.example", role: "admin" };
  for (const attempt of [() => planCreate(invite, again, here.again()), () => create(invite, again, here.again())])
    await expect(attempt()).rejects.toThrow(advice);
  expect(await invitesIn(here)).toEqual({ "lea@acme.example": "member" });

  await accept(here);
  await expect(planCreate(invite, inputs, here.again())).rejects.toThrow(alreadyMember({ email, username: "zoe" }));
  const managed = await made(invite, { email: "kim@acme.example", role: "viewer" }, here.again());
  await here.api.plan("starter");
  const other = { email: "eve@acme.example", role: "viewer" };
  for (const attempt of [() => planCreate(invite, other, here.again()), () => create(invite, other, here.again())])
    await expect(attempt()).rejects.toThrow(INVITES_NEED_PLAN);
  const raised = {
    id: managed.id,
    oldInputs: managed.inputs,
    state: managed.state,
    news: { ...managed.inputs, role: "admin" },
  };
  for (const attempt of [() => planUpdate(invite, raised, here.again()), () => update(invite, raised, here.again())])
    await expect(attempt()).rejects.toThrow(INVITES_NEED_PLAN);
});

test("imports a pending invite by its exact email, and refuses to import an accepted invite", async () => {
  const here = await lifecycleFixture();
  await outside(here).createInvite({ organizationSlug, body: inputs as never });
  await expect(readImported(invite, "ZOE@users.example", here.again())).rejects.toThrow(inviteSpelling({ email }));
  expect((await readImported(invite, email, here.again())).state).toMatchObject({ email, accepted: false });
  await accept(here);
  const { message, advice } = acceptedInviteNotImported({ email, username: "zoe" });
  await expect(readImported(invite, email, here.again())).rejects.toThrow(`${message}. ${advice}`);
});

test.each([
  [invite, "nobody@acme.example", inviteNotFound({ email: "nobody@acme.example", organization: organizationSlug })],
  [member, "nobody", memberNotFound({ username: "nobody", organization: organizationSlug })],
])("refuses to import a person who does not exist, and does not guess why", async (resource, id, fact) => {
  const failure = await readImported(resource, id, (await lifecycleFixture()).context).catch(String);
  expect(failure).toBe(
    `Refusal: ${fact}. ${createInstead({ kind: resource.type.toLowerCase(), isRestorable: false })}`,
  );
  expect(failure).not.toMatch(/withdrawn|declined|expired|empty/);
});

test("if members' emails are hidden, keeps an accepted invite in the state and reports an error", async () => {
  const { here, wire, open } = await storyPlatform();
  const managed = await made(invite, inputs, open());
  await accept(here);
  wire.trouble = ({ operation }) =>
    operation === "listMembers"
      ? ({ send }) => send(200, JSON.stringify({ members: [{ username: "ada", role: "owner" }] }))
      : undefined;
  const hidden = inviteOutOfSight({ email });
  await expect(readManaged(invite, managed, open())).rejects.toThrow(`${hidden.answer}. ${hidden.advice}`);
});
