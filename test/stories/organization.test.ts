// @module-tag nothing-is-created-twice-or-adopted
// @module-tag previews-are-true
// @module-tag all-drift-is-shown

import { expect, test } from "vitest";
import { declaredTwice, notRestorableNow } from "../../kit/lifecycle/messages";
import { noLongerExists } from "../../kit/lifecycle/restore/messages";
import { keyTakenElsewhere } from "../../kit/lifecycle/taken/messages";
import { recoveryDisabledIn } from "../../provider/resources/messages";
import {
  acceptedInviteKept,
  acceptedInviteNotChanged,
  importByOrganizationId,
  inviteNotFound,
  mayLoseAccess,
  memberNotFound,
  ownerNotChanged,
  ownerNotRemoved,
  settingsUnmanaged,
} from "../../provider/resources/organization/messages";
import { aMember, anInvite, inGroup, settings } from "./declarations";
import { organizationSlug } from "./outside";
import { type StoryScene, story } from "./story";

const email = "zoe@users.example";

const rolesIn = async ({ here }: StoryScene): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await here.outside.listMembers({ organizationSlug })).members.map(({ username, role }) => [username, role]),
  );

const zoe = aMember({ username: "zoe", role: "viewer" });
const max = aMember({ username: "max", role: "member" }, { import: "max" });
const ada = aMember({ username: "ada", role: "owner" }, { import: "ada" });

test(
  "adds and imports members, reverts changes made outside Pulumi, and never changes an owner",
  story({
    wished: { zoe },
    preview: false,
    up: { changes: { zoe: "create" }, writes: ["addMember"] },
    next: [
      {
        // Adding an existing member fails, and the error shows how to import the member.
        wished: { zoe, max: aMember({ username: "max", role: "member" }) },
        preview: { fails: keyTakenElsewhere({ title: 'member "max"', id: "max", isReplacing: false }).advice },
        up: false,
      },
      {
        wished: { zoe, max, ada },
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
          expect(await rolesIn(scene)).toEqual({ ada: "owner", max: "member", zoe: "viewer" }),
      },
      {
        wished: { zoe, max, ada: aMember({ username: "ada", role: "admin" }, { import: "ada" }) },
        preview: { fails: ownerNotChanged({ username: "ada" }) },
        up: false,
      },
      {
        wished: {},
        preview: false,
        up: { fails: ownerNotRemoved({ username: "ada" }), writes: ["removeMember", "removeMember"] },
        afterwards: async (scene) => expect(await rolesIn(scene)).toHaveProperty("ada", "owner"),
      },
    ],
  }),
);

test(
  "invites a person, and refuses to change the role once the invite is accepted",
  story({
    wished: { zoe: anInvite({ email, role: "viewer" }) },
    preview: false,
    up: { changes: { zoe: "create" }, writes: ["createInvite"] },
    afterwards: ({ managed }) => expect(managed("zoe").outputs).toMatchObject({ accepted: false }),
    next: [
      {
        wished: { zoe: anInvite({ email, role: "member" }) },
        preview: false,
        up: { changes: { zoe: "update role" }, writes: ["createInvite"] },
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
        outside: ({ here }) => here.outside.addMember({ organizationSlug, body: { username: "zoe", role: "member" } }),
        preview: false,
        up: { writes: [] },
      },
      { expected: { requests: ["retrieveOrganization"] }, up: false },
      {
        wished: { zoe: anInvite({ email, role: "admin" }) },
        preview: { fails: acceptedInviteNotChanged({ email, username: "zoe" }) },
        up: false,
      },
      {
        wished: {},
        preview: false,
        up: { changes: { zoe: "delete" }, says: [acceptedInviteKept({ email })], writes: [] },
        afterwards: async (scene) => expect(await rolesIn(scene)).toHaveProperty("zoe", "member"),
      },
    ],
  }),
);

const both = { requireMfa: true, restoreEnabled: true };
const urnOf = (slot: string) => `urn:pulumi:dev::test::dbplatform:index:OrganizationSettings::${slot}`;

test(
  "sets, corrects and imports an organization's settings, and stops managing them",
  story({
    wished: { acme: settings(both, { import: "acme" }) },
    preview: ({ here: { api } }) => ({
      fails: importByOrganizationId({ importedId: "acme", configured: { slug: "acme", id: api.organizationId } }),
    }),
    up: false,
    next: [
      {
        wished: ({ here: { api } }) => ({ acme: settings(both, { import: api.organizationId }) }),
        preview: false,
        up: { changes: { acme: "import update requireMfa" }, writes: ["updateOrganization"] },
        afterwards: ({ id, here: { api } }) => expect(id("acme")).toBe(api.organizationId),
      },
      { wished: { acme: settings(both) }, preview: false, up: { writes: [] } },
      {
        async outside({ here: { outside } }) {
          await outside.updateOrganization({ organizationSlug, body: { restore_enabled: false } });
          await outside.updateOrganization({ organizationSlug, body: { require_mfa: false, overages: true } });
        },
        expected: {
          changes: { acme: "update requireMfa restoreEnabled" },
          writes: ["updateOrganization", "updateOrganization"],
        },
        preview: { says: [mayLoseAccess({ username: "ada", organization: "acme" })] },
      },
      {
        wished: { acme: settings(both), twice: settings({ overages: true }) },
        preview: {
          fails: new RegExp(
            ["acme", "twice"]
              .map((slot) => declaredTwice({ type: "OrganizationSettings", urn: urnOf(slot), only: "an organization" }))
              .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
              .join("|"),
          ),
        },
        up: false,
      },
      {
        wished: { acme: settings({ restoreEnabled: true }) },
        preview: false,
        up: { writes: [] },
      },
      {
        wished: {},
        preview: false,
        up: {
          changes: { acme: "delete" },
          says: [
            settingsUnmanaged({
              organization: "acme",
              assignments: ["overages: true", "requireMfa: true", "restoreEnabled: true"],
            }),
          ],
          writes: [],
        },
      },
    ],
  }),
);

const notRestorable = ({ id }: StoryScene, isPlanned = false) =>
  notRestorableNow({
    title: 'database "orders"',
    id: id("orders"),
    reason: recoveryDisabledIn({ organization: "acme" }),
    isPlanned,
  });

test(
  "warns before deleting or replacing a database if recovery is turned off for the organization",
  story({
    before: { orders: inGroup("orders") },
    outside: ({ here }) => here.outside.updateOrganization({ organizationSlug, body: { restore_enabled: false } }),
    wished: { orders: inGroup("orders", "other") },
    preview: (scene) => ({
      changes: { orders: "replace group" },
      says: [notRestorable(scene, true), /without its data/],
    }),
    up: false,
    next: [
      // Pulumi does not call the provider to preview a deletion, so the warning first appears in the update.
      { wished: {}, expected: { changes: { orders: "delete" } }, up: (scene) => ({ says: [notRestorable(scene)] }) },
    ],
  }),
);
