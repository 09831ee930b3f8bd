// @module-tag no-database-is-lost
// @module-tag nothing-is-created-twice-or-adopted
// @module-tag previews-are-true
// @module-tag all-drift-is-shown
// @module-tag no-false-differences
// @module-tag clear-messages

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { AnyResource } from "../../kit/definition";
import {
  createdDespiteLostResponse,
  operationImpossible,
  replacementLacksAccess,
  sameValue,
  tokenLacksAccess,
} from "../../kit/lifecycle/messages";
import { nameProposer } from "../../kit/lifecycle/naming";
import { type Properties, UNKNOWN } from "../../kit/lifecycle/properties";
import { keyTakenElsewhere, keyTakenInStack } from "../../kit/lifecycle/taken/messages";
import { check } from "../../kit/steps/check";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { readImported, readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { adminNeeded, ORGANIZATION_LEVEL, organizationTokenNeeded } from "../../provider/permissions/messages";
import { invite } from "../../provider/resources/organization/invite";
import { member } from "../../provider/resources/organization/member";
import {
  memberNotRemoved,
  memberReplaced,
  OWNERSHIP_NOT_GIVEN,
  ownerNotChanged,
  ownerNotRemoved,
  ownMembership,
  PERSONAL_ORGANIZATION,
  roleUnknown,
  userNotFound,
} from "../../provider/resources/organization/messages";
import { clientOf } from "../engine/engine-fixture";
import { SEED } from "../engine/seed";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";
import { type ManagedResource, made } from "./managed";

const organizationSlug = "acme";
const zoe = { username: "zoe", role: "viewer" };
const outside = ({ api }: LifecycleFixture) => clientOf(api, api.apiToken);

const rolesIn = async (here: LifecycleFixture): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await outside(here).listMembers({ organizationSlug })).members.map(({ username, role }) => [username, role]),
  );

/** Returns the arguments of an update that changes the inputs of a managed resource to `news`. */
const compared = ({ id, inputs, state }: ManagedResource, news: Properties) => ({ id, oldInputs: inputs, state, news });

async function importedMember(here: LifecycleFixture, username: string): Promise<ManagedResource> {
  const { state, inputs } = await readImported(member, username, here.again());
  return { resource: member, id: username, inputs, state };
}

const wanting = (operation: "create" | "update", username: string): string =>
  operationImpossible({
    operation,
    object: operation === "create" ? `member "${username}"` : `member "${username}" (${username})`,
  });

test("adds members with one request each, and reads all of them with a single request", async () => {
  const seed = { ...SEED, users: [...(SEED.users ?? []), { username: "kim" }, { username: "lea" }] };
  const here = await lifecycleFixture({}, { seed });
  await here.context.platform.platform.organization.id();
  here.asked();
  const people = await Promise.all(
    ["kim", "lea", "zoe"].map((username) => made(member, { username, role: "member" }, here.context)),
  );
  expect(here.asked().sort()).toEqual(["addMember", "addMember", "addMember", "listMembers"]);
  expect(people[0]?.state).toEqual({ username: "kim", role: "member", organizationId: here.api.organizationId });

  const later = here.again();
  for (const one of people) {
    const read = await readManaged(member, one, later);
    expect(read?.state).toEqual(one.state);
    expect((await diff(member, compared(one, one.inputs), later)).differences).toEqual([]);
  }
  expect(here.asked()).toEqual(["retrieveOrganization", "listMembers"]);
});

test("changes a role in place, and reports roles changed and members removed outside Pulumi", async () => {
  const here = await lifecycleFixture();
  const managed = await made(member, zoe, here.context);
  const state = await update(member, compared(managed, { ...zoe, role: "admin" }), here.again());
  expect(state).toMatchObject({ role: "admin" });
  expect(await rolesIn(here)).toMatchObject({ zoe: "admin" });

  await outside(here).updateMember({ organizationSlug, username: "zoe", body: { role: "member" } });
  const later = here.again();
  const read = await readManaged(member, { ...managed, inputs: { ...zoe, role: "admin" }, state }, later);
  const drifted = {
    id: "zoe",
    oldInputs: { ...zoe, role: "admin" },
    state: read?.state ?? {},
    news: { ...zoe, role: "admin" },
  };
  expect((await diff(member, drifted, later)).differences).toMatchObject([{ path: "role", replaces: false }]);

  await outside(here).removeMember({ organizationSlug, username: "zoe" });
  here.asked();
  expect(await readManaged(member, { ...managed, state }, here.again())).toBeUndefined();
  expect(here.asked()).toEqual(["retrieveOrganization", "listMembers", "retrieveMember"]);
  const renamed = { ...zoe, username: "max" };
  expect((await diff(member, compared(managed, renamed), here.again())).differences).toMatchObject([
    { path: "username", replaces: true },
  ]);
});

test.each<[string, unknown, string | undefined]>([
  ["kim", "kim", "kim"],
  ["an unknown value", UNKNOWN, undefined],
])("warns that changing the username to %s removes the member zoe", async (_, username, wanted) => {
  const here = await lifecycleFixture({}, { seed: { ...SEED, users: [...(SEED.users ?? []), { username: "kim" }] } });
  const managed = await made(member, zoe, here.context);
  await diff(member, compared(managed, { ...zoe, username }), here.again());
  expect(here.said).toEqual([memberReplaced({ username: "zoe", wanted })]);
});

test("refuses to add an existing member, and shows how to import the member", async () => {
  const here = await lifecycleFixture();
  const max = { username: "max", role: "viewer" };
  const { answer, advice } = keyTakenElsewhere({ title: 'member "max"', id: "max", isReplacing: false });
  for (const attempt of [() => planCreate(member, max, here.again()), () => create(member, max, here.again())])
    await expect(attempt()).rejects.toThrow(`${answer}. ${advice}`);
  expect(await rolesIn(here)).toMatchObject({ max: "member" });

  const later = here.again();
  await readManaged(
    member,
    { ...(await importedMember(here, "max")) },
    { ...later, platform: { ...later.platform, urn: "other" } },
  );
  await expect(planCreate(member, max, later)).rejects.toThrow(
    keyTakenInStack({ title: 'member "max"', urn: "other" }).advice,
  );
});

test.each([
  [member, zoe, 'member "zoe"', "addMember", "zoe"],
  [
    invite,
    { email: "Lea@acme.example", role: "viewer" },
    'invite "Lea@acme.example"',
    "createInvite",
    "lea@acme.example",
  ],
] as const)(
  "finds a member or invite whose creation succeeded although the response was lost",
  async (resource, args, title, operation, id) => {
    const here = await lifecycleFixture();
    here.api.fault({ operation, reset: "after" });
    const created = await create(resource as AnyResource, args, here.context);
    expect(created).toMatchObject({ id, state: { role: "viewer" } });
    expect(here.said).toContain(createdDespiteLostResponse({ title, id }));
    expect(here.asked().filter((each) => each === operation)).toHaveLength(1);
  },
);

test("rejects two resources for the same person, even if they spell the email differently", () => {
  const reasonsOf = (resource: AnyResource, ...all: readonly Properties[]) => {
    const claims = new Map<string, string>();
    return all.flatMap((news, index) =>
      check(resource, {
        news,
        olds: {},
        account: organizationSlug,
        propose: nameProposer({ logicalName: "", randomSeed: new Uint8Array(32) }),
        claim: (_, what) => {
          const first = claims.get(what);
          claims.set(what, first ?? `urn-${index}`);
          return first;
        },
      }).failures.map(({ reason }) => reason),
    );
  };
  expect(reasonsOf(member, zoe, { ...zoe, role: "admin" })).toEqual([
    sameValue({ urn: "urn-0", property: "username" }),
  ]);
  const role = "viewer";
  expect(reasonsOf(invite, { email: "lea@acme.example", role }, { email: "LEA@acme.example", role })).toEqual([
    sameValue({ urn: "urn-0", property: "email" }),
  ]);
  const roles = ["admin", "member", "viewer"];
  expect(reasonsOf(member, { ...zoe, role: "editor" })).toEqual([roleUnknown({ role: "editor", allowed: roles })]);
  expect(reasonsOf(invite, { email: "lea@acme.example", role: "owner" })).toEqual([OWNERSHIP_NOT_GIVEN]);
});

describe("an owner", () => {
  test("cannot be created by adding a member with this role", async () => {
    const here = await lifecycleFixture();
    const wanted = { ...zoe, role: "owner" };
    for (const attempt of [() => planCreate(member, wanted, here.again()), () => create(member, wanted, here.again())])
      await expect(attempt()).rejects.toThrow(OWNERSHIP_NOT_GIVEN);
    expect(await rolesIn(here)).not.toHaveProperty("zoe");
    const ada = planCreate(member, { username: "ada", role: "owner" }, here.again());
    await expect(ada).rejects.toThrow(
      keyTakenElsewhere({ title: 'member "ada"', id: "ada", isReplacing: false }).advice,
    );
  });

  test("is never demoted, even if the recorded role is outdated, and no member is made an owner", async () => {
    const here = await lifecycleFixture();
    await here.api.member("zoe", "owner");
    const ada = await importedMember(here, "ada");
    expect((await diff(member, compared(ada, { username: "ada", role: "owner" }), here.again())).differences).toEqual(
      [],
    );
    const managed = await importedMember(here, "zoe");
    for (const role of ["admin", "member"]) {
      const change = compared(managed, { username: "zoe", role });
      await expect(planUpdate(member, change, here.again())).rejects.toThrow(ownerNotChanged({ username: "zoe" }));
      await expect(update(member, change, here.again())).rejects.toThrow(ownerNotChanged({ username: "zoe" }));
    }
    expect(await rolesIn(here)).toMatchObject({ zoe: "owner" });

    // The recorded role may be out of date, so the provider must check the current role. The platform itself would let
    // the owner Ada demote another owner.
    const stale = { ...managed, inputs: zoe, state: { ...managed.state, role: "viewer" } };
    await expect(update(member, compared(stale, { ...zoe, role: "admin" }), here.again())).rejects.toThrow(
      ownerNotChanged({ username: "zoe" }),
    );
    const max = await importedMember(here, "max");
    await expect(planUpdate(member, compared(max, { username: "max", role: "owner" }), here.again())).rejects.toThrow(
      OWNERSHIP_NOT_GIVEN,
    );
  });

  test("is never removed, and the error says how to remove the resource from the state instead", async () => {
    const here = await lifecycleFixture();
    const managed = await made(member, zoe, here.context);
    await here.api.member("zoe", "owner");
    const { answer, advice } = memberNotRemoved({ username: "zoe", reason: ownerNotRemoved({ username: "zoe" }) });
    await expect(remove(member, managed, here.again())).rejects.toThrow(`${answer}. ${advice}`);
    const replaced = compared(managed, { username: "kim", role: "viewer" });
    const drifted = { ...replaced, state: { ...managed.state, role: "owner" } };
    await expect(diff(member, drifted, here.again())).rejects.toThrow(ownerNotRemoved({ username: "zoe" }));
    expect(await rolesIn(here)).toMatchObject({ zoe: "owner" });
  });
});

describe("the member whose API token the provider uses", () => {
  test("can be removed or demoted only with another admin's token", async () => {
    const here = await lifecycleFixture();
    await here.api.member("max", "admin");
    const apiToken = await here.api.token({ user: "max", organization: "acme" });
    const max = await importedMember(here, "max");
    const demoted = compared(max, { username: "max", role: "viewer" });
    const own = here.again({}, { apiToken });
    await planUpdate(member, demoted, own);
    expect(here.said).toContain(
      tokenLacksAccess({ attempt: wanting("update", "max"), reason: ownMembership({ username: "max" }) }),
    );
    await expect(update(member, demoted, here.again({}, { apiToken }))).rejects.toThrow(
      ownMembership({ username: "max" }),
    );
    await expect(remove(member, max, here.again({}, { apiToken }))).rejects.toThrow(ownMembership({ username: "max" }));
    expect(await rolesIn(here)).toMatchObject({ max: "admin" });
    await remove(member, max, here.again());
    expect(await rolesIn(here)).not.toHaveProperty("max");
  });

  test("cannot be replaced with another member, and the preview says so", async () => {
    const here = await lifecycleFixture();
    await here.api.member("max", "admin");
    const apiToken = await here.api.token({ user: "max", organization: "acme" });
    const max = await importedMember(here, "max");
    const preview = here.again({}, { apiToken });
    await diff(member, compared(max, zoe), preview);
    await planCreate(member, zoe, preview);
    const replacement = operationImpossible({ operation: "replace", object: 'member "max"' });
    expect(here.said).toContain(tokenLacksAccess({ attempt: replacement, reason: ownMembership({ username: "max" }) }));
    const { answer } = replacementLacksAccess({ object: 'member "max"', reason: ownMembership({ username: "max" }) });
    await expect(create(member, zoe, preview)).rejects.toThrow(answer);
  });

  test("must be an admin with an organization-level token to add members", async () => {
    const here = await lifecycleFixture();
    const apiToken = await here.api.token({ user: "max", organization: "acme" });
    await planCreate(member, zoe, here.again({}, { apiToken }));
    const needed = adminNeeded({ work: "managing members", organization: "acme", username: "max", role: "member" });
    expect(here.said).toContain(tokenLacksAccess({ attempt: wanting("create", "zoe"), reason: needed }));
    await expect(create(member, zoe, here.again({}, { apiToken }))).rejects.toThrow(needed);

    const pinned = await here.api.token({ organization: "acme", group: "default", scopes: ["full-access"] });
    const scoped = here.again({}, { apiToken: pinned, organizationId: here.api.organizationId });
    const { groupId = "" } = scoped.platform.platform.credential;
    await planCreate(member, zoe, scoped);
    const lacking = organizationTokenNeeded({ action: String(ORGANIZATION_LEVEL.addMember), pinnedTo: groupId });
    expect(here.said).toContain(tokenLacksAccess({ attempt: wanting("create", "zoe"), reason: lacking }));
  });
});

test("refuses to add people who have no account, and to add anybody to a personal organization", async () => {
  const here = await lifecycleFixture();
  const { answer, advice } = userNotFound({ username: "nobody" });
  const unknown = create(member, { username: "nobody", role: "viewer" }, here.context);
  await expect(unknown).rejects.toThrow(`${answer}. ${advice}`);

  const organizations = [
    { slug: "ada", type: "personal" as const, members: [{ username: "ada", role: "owner" as const }] },
  ];
  const personal = await lifecycleFixture(
    {},
    { seed: { users: [{ username: "ada" }, { username: "zoe" }], organizations } },
  );
  await expect(planCreate(member, zoe, personal.again())).rejects.toThrow(PERSONAL_ORGANIZATION);
  await expect(create(member, zoe, personal.again())).rejects.toThrow(PERSONAL_ORGANIZATION);
});

test("the user in the example of Member can be added to the default data of the reference API", async () => {
  const here = await lifecycleFixture({}, { seed: undefined });
  const { resources } = parse(readFileSync("provider/resources/organization/member.yaml", "utf8"));
  await create(member, resources.max.properties, here.context);
  expect(await rolesIn(here)).toEqual({ ada: "owner", max: "admin" });
});
