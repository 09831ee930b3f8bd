// @module-tag no-database-is-lost
// @module-tag nothing-is-created-twice-or-adopted
// @module-tag previews-are-true
// @module-tag all-drift-is-shown
// @module-tag no-false-differences
// @module-tag clear-messages

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createInstead, noLongerExists } from "../../kit/lifecycle/restore/messages";
import { keyTakenElsewhere } from "../../kit/lifecycle/taken/messages";
import { DEFAULT_SEED } from "../../platform/reference/seed/default";
import {
  acceptedInviteKept,
  acceptedInviteNotChanged,
  alreadyMember,
  INVITES_NEED_PLAN,
  inviteNotFound,
  memberNotFound,
  memberReplaced,
  OWNERSHIP_NOT_GIVEN,
  ownerNotChanged,
  ownerNotRemoved,
  ownMembership,
  PERSONAL_ORGANIZATION,
} from "../../provider/resources/organization/messages";
import { SEED } from "../engine/seed";
import { aMember, anApiToken, anInvite, idOf } from "./declarations";
import { organizationSlug, use } from "./outside";
import { type StoryScene, story } from "./story";

const rolesIn = async ({ here }: StoryScene): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await here.outside.listMembers({ organizationSlug })).members.map(({ username, role }) => [username, role]),
  );

const WITH_KIM = { ...SEED, users: [...(SEED.users ?? []), { username: "kim" }] };

const person = (username: string, role = "viewer") => aMember({ username, role });
const imported = (username: string, role: string) => aMember({ username, role }, { import: username });
const zoe = person("zoe");
const kim = person("kim");

test(
  "adds and imports members, reverts changes made outside Pulumi, and never changes an owner",
  story({
    seed: WITH_KIM,
    wished: { zoe, kim },
    expected: { changes: { zoe: "create", kim: "create" } },
    preview: { requests: ["retrieveOrganization", "listMembers", "retrieveUser", "retrieveMember"] },
    up: { writes: ["addMember", "addMember"] },
    next: [
      {
        // Adding an existing member fails, and the error shows how to import the member.
        wished: { zoe, kim, max: person("max", "member") },
        expected: { fails: keyTakenElsewhere({ title: 'member "max"', id: "max", isReplacing: false }).advice },
      },
      {
        wished: { zoe, kim, max: imported("max", "member"), ada: imported("ada", "owner") },
        preview: false,
        up: { changes: { max: "import", ada: "import" }, writes: [] },
      },
      { expected: { requests: ["retrieveOrganization", "listMembers"] }, up: false },
      {
        async outside({ here: { outside } }) {
          await outside.updateMember({ organizationSlug, username: "max", body: { role: "admin" } });
          await outside.removeMember({ organizationSlug, username: "zoe" });
        },
        expected: {
          changes: { max: "update role", zoe: "create" },
          says: [
            noLongerExists({
              title: 'member "zoe"',
              reason: memberNotFound({ username: "zoe", organization: "acme" }),
            }),
          ],
          writes: { inAnyOrder: ["addMember", "updateMember"] },
        },
        afterwards: async (scene) =>
          expect(await rolesIn(scene)).toEqual({ ada: "owner", kim: "viewer", max: "member", zoe: "viewer" }),
      },
      {
        wished: { zoe, kim, max: imported("max", "member"), ada: imported("ada", "admin") },
        expected: { fails: ownerNotChanged({ username: "ada" }) },
      },
      {
        wished: {},
        preview: false,
        up: { fails: ownerNotRemoved({ username: "ada" }), writes: ["removeMember", "removeMember", "removeMember"] },
        afterwards: async (scene) => expect(await rolesIn(scene)).toHaveProperty("ada", "owner"),
      },
    ],
  }),
);

test(
  "says whom another username removes, and refuses roles and people that the platform does not take",
  story({
    seed: WITH_KIM,
    before: { zoe },
    wished: { zoe: kim },
    preview: { changes: { zoe: "replace username" }, says: [memberReplaced({ username: "zoe", wanted: "kim" })] },
    up: false,
    next: [
      {
        wished: { ci: anApiToken({ name: "ci" }), zoe: aMember({ username: idOf("ci"), role: "viewer" }) },
        preview: { changes: { ci: "create", zoe: "replace username" }, says: [memberReplaced({ username: "zoe" })] },
        up: false,
      },
      { wished: { zoe, nobody: person("nobody") }, preview: false, up: { fails: 'there is no user "nobody"' } },
      { wished: { zoe: person("zoe", "editor") }, expected: { fails: '"editor" is not a role' } },
      { wished: { zoe: person("zoe", "owner") }, expected: { fails: OWNERSHIP_NOT_GIVEN } },
      { wished: { zoe, kim: person("kim", "owner") }, expected: { fails: OWNERSHIP_NOT_GIVEN } },
      { wished: { zoe, twin: person("zoe", "admin") }, expected: { fails: "has the same `username`" } },
      { wished: { renamed: zoe }, preview: { fails: "this stack manages it as" }, up: false },
    ],
  }),
);

test(
  "with `driftDetection: on-refresh`, neither demotes nor removes a member who has become an owner",
  story({
    settings: { driftDetection: "on-refresh" },
    seed: WITH_KIM,
    before: { zoe },
    outside: ({ here }) => here.api.member("zoe", "owner"),
    // The platform itself would let the owner Ada demote another owner.
    wished: { zoe: person("zoe", "admin") },
    preview: { changes: { zoe: "update role" } },
    up: { fails: ownerNotChanged({ username: "zoe" }) },
    next: [
      { wished: { zoe: kim }, expected: { fails: ownerNotRemoved({ username: "zoe" }) } },
      {
        wished: {},
        preview: false,
        up: { fails: [ownerNotRemoved({ username: "zoe" }), "`pulumi state delete <urn>`"] },
        afterwards: async (scene) => expect(await rolesIn(scene)).toMatchObject({ zoe: "owner" }),
      },
    ],
  }),
);

test(
  "changes or removes the member whose API token the provider uses only with another admin's token",
  story({
    past: ({ here }) => here.api.member("max", "admin"),
    before: { max: imported("max", "admin") },
    outside: use({ user: "max", organization: "acme" }),
    wished: { max: person("max") },
    preview: { changes: { max: "update role" }, says: [ownMembership({ username: "max" })] },
    up: { fails: ownMembership({ username: "max" }) },
    next: [
      {
        wished: { max: person("zoe", "admin") },
        preview: {
          changes: { max: "replace username" },
          says: [memberReplaced({ username: "max", wanted: "zoe" }), ownMembership({ username: "max" })],
        },
        up: { fails: ownMembership({ username: "max" }) },
      },
      { wished: {}, preview: false, up: { fails: ownMembership({ username: "max" }) } },
      {
        outside: ({ here, stack }) => stack.useToken(here.api.apiToken),
        expected: { changes: { max: "delete" }, writes: ["removeMember"] },
      },
    ],
  }),
);

const PERSONAL = {
  users: [{ username: "ada" }, { username: "zoe" }],
  organizations: [{ slug: "ada", type: "personal" as const, members: [{ username: "ada", role: "owner" as const }] }],
};

test.each([
  ["adds nobody to", zoe],
  ["invites nobody to", anInvite({ email: "lea@acme.example", role: "viewer" })],
])("%s a personal organization", (_, other) =>
  story({ seed: PERSONAL, wished: { other }, expected: { fails: PERSONAL_ORGANIZATION } })(),
);

const { max } = parse(readFileSync("provider/resources/organization/member.yaml", "utf8")).resources;

test(
  "adds the user in the example of Member to the default data of the reference API",
  story({ seed: DEFAULT_SEED, wished: { max: aMember(max.properties) }, expected: { changes: { max: "create" } } }),
);

/** Zoe has an account with this email. */
const email = "zoe@users.example";
const eve = anInvite({ email: "eve@acme.example", role: "viewer" });
const invited = (role: string) => ({ zoe: anInvite({ email, role }), eve });

const accept = ({ here }: StoryScene) =>
  here.outside.addMember({ organizationSlug, body: { username: "zoe", role: "viewer" } });

const invitesIn = async ({ here }: StoryScene): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await here.outside.listInvites({ organizationSlug })).invites.map(({ email, role }) => [email, role]),
  );

test(
  "invites a person, and neither changes nor repeats the invite once it is accepted",
  story({
    wished: invited("viewer"),
    preview: false,
    up: { changes: { zoe: "create", eve: "create" }, writes: ["createInvite", "createInvite"] },
    afterwards: ({ managed }) => expect(managed("zoe").outputs).toMatchObject({ accepted: false }),
    next: [
      {
        wished: invited("member"),
        expected: { changes: { zoe: "update role" }, writes: ["createInvite"] },
        preview: { requests: ["retrieveOrganization", "listInvites", "retrieveUser", "retrieveMember"] },
      },
      {
        outside: ({ here }) => here.outside.deleteInvite({ organizationSlug, email }),
        expected: {
          changes: { zoe: "create" },
          says: [
            noLongerExists({ title: `invite "${email}"`, reason: inviteNotFound({ email, organization: "acme" }) }),
          ],
          writes: ["createInvite"],
        },
      },
      {
        outside: accept,
        preview: false,
        up: { writes: [] },
        afterwards: ({ managed }) =>
          expect(managed("zoe").outputs).toMatchObject({ email, accepted: true, username: "zoe" }),
      },
      { wished: invited("admin"), expected: { fails: acceptedInviteNotChanged({ email, username: "zoe" }) } },
      {
        outside: ({ here }) => here.outside.removeMember({ organizationSlug, username: "zoe" }),
        wished: invited("member"),
        expected: { requests: ["retrieveOrganization", "listInvites"], writes: [] },
      },
      {
        // This invite is not the one that the stack manages.
        outside: ({ here }) => here.outside.createInvite({ organizationSlug, body: { email, role: "admin" } }),
        wished: { eve },
        preview: false,
        up: { changes: { zoe: "delete" }, says: [acceptedInviteKept({ email })], writes: [] },
        afterwards: async (scene) =>
          expect(await invitesIn(scene)).toEqual({ [email]: "admin", "eve@acme.example": "viewer" }),
      },
    ],
  }),
);

test(
  "with `driftDetection: on-refresh`, finds out that an invite was accepted before changing or deleting it",
  story({
    settings: { driftDetection: "on-refresh" },
    before: invited("viewer"),
    outside: accept,
    wished: invited("admin"),
    preview: { changes: { zoe: "update role" } },
    up: { fails: acceptedInviteNotChanged({ email, username: "zoe" }) },
    next: [
      {
        wished: { eve },
        preview: false,
        up: { changes: { zoe: "delete" }, says: [acceptedInviteKept({ email })], writes: [] },
        afterwards: async (scene) => expect(await rolesIn(scene)).toHaveProperty("zoe", "viewer"),
      },
    ],
  }),
);

test(
  "refuses to invite members, people with a pending invite, owners, and anybody on the free plan",
  story({
    before: { eve },
    async outside(scene) {
      await scene.here.outside.createInvite({ organizationSlug, body: { email: "lea@acme.example" } });
      await accept(scene);
    },
    wished: { eve, lea: anInvite({ email: "Lea@acme.example", role: "admin" }) },
    expected: {
      fails: keyTakenElsewhere({ title: 'invite "Lea@acme.example"', id: "lea@acme.example", isReplacing: false })
        .advice,
    },
    next: [
      {
        wished: invited("viewer"),
        preview: { fails: alreadyMember({ email, username: "zoe" }) },
        up: { fails: "has become a member in the meantime" },
      },
      {
        wished: { eve, again: anInvite({ email: "EVE@acme.example", role: "viewer" }) },
        expected: { fails: "has the same `email`" },
      },
      {
        wished: { eve: anInvite({ email: "eve@acme.example", role: "owner" }) },
        expected: { fails: OWNERSHIP_NOT_GIVEN },
      },
      {
        outside: ({ here }) => here.api.plan("starter"),
        wished: { eve, lou: anInvite({ email: "lou@acme.example", role: "viewer" }) },
        expected: { fails: INVITES_NEED_PLAN },
      },
      {
        wished: { eve: anInvite({ email: "eve@acme.example", role: "admin" }) },
        expected: { fails: INVITES_NEED_PLAN },
        afterwards: async (scene) =>
          expect(await invitesIn(scene)).toEqual({ "eve@acme.example": "viewer", "lea@acme.example": "member" }),
      },
    ],
  }),
);

const importing = (id: string) => ({ zoe: anInvite({ email, role: "viewer" }, { import: id }) });
const absent = (fact: string, kind: string) => `${fact}. ${createInstead({ kind, isRestorable: false })}`;

test(
  "imports a pending invite by its exact email, and neither an accepted one nor a person who does not exist",
  story({
    outside: ({ here }) => here.outside.createInvite({ organizationSlug, body: { email, role: "viewer" } }),
    wished: importing("ZOE@users.example"),
    preview: { fails: `\`import: "${email}"\`` },
    up: false,
    next: [
      {
        wished: importing("lou@acme.example"),
        preview: {
          fails: absent(inviteNotFound({ email: "lou@acme.example", organization: organizationSlug }), "invite"),
        },
        up: false,
      },
      {
        wished: { nobody: imported("nobody", "viewer") },
        preview: {
          fails: absent(memberNotFound({ username: "nobody", organization: organizationSlug }), "member"),
        },
        up: false,
      },
      { wished: importing(email), preview: false, up: { changes: { zoe: "import" }, writes: [] } },
      {
        outside: accept,
        wished: { zoe: anInvite({ email, role: "viewer" }), again: importing(email).zoe },
        preview: { fails: /who is already a member: "zoe". To manage the membership/ },
        up: false,
      },
    ],
  }),
);

test(
  "keeps an accepted invite in the state if the emails of the members are hidden",
  story({
    before: invited("viewer"),
    async outside(scene) {
      await accept(scene);
      scene.here.api.fault({ operation: "listMembers", omit: ["email"], times: 100 });
    },
    expected: { fails: `it is not known whether ${email} has accepted the invite` },
    afterwards: ({ managed }) => expect(managed("zoe").outputs).toMatchObject({ accepted: false }),
  }),
);
