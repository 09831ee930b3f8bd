// @module-tag previews-are-true
// @module-tag all-drift-is-shown

import { expect, test } from "vitest";
import { declaredTwice, notRestorableNow } from "../../kit/lifecycle/messages";
import { recoveryDisabledIn } from "../../provider/resources/messages";
import {
  importByOrganizationId,
  mayLoseAccess,
  settingsUnmanaged,
} from "../../provider/resources/organization/messages";
import { SEED } from "../engine/seed";
import { aDatabase, aDatabaseNamed, organizationSettings } from "./declarations";
import { databaseRestored, databaseRestorePlanned } from "./messages";
import { organizationSlug } from "./outside";
import { type StoryScene, story } from "./story";

const OTHER_ID = "5d1f7c2e-9a44-4f0b-b6c8-2e3a4b5c6d7e";
const both = { requireMfa: true, restoreEnabled: true };
const urnOf = (slot: string) => `urn:pulumi:dev::test::dbplatform:index:OrganizationSettings::${slot}`;

test(
  "sets, corrects and imports an organization's settings, and stops managing them",
  story({
    wished: { acme: organizationSettings(both, { import: "acme" }) },
    preview: ({ here: { api } }) => ({
      fails: importByOrganizationId({ importedId: "acme", configured: { slug: "acme", id: api.organizationId } }),
    }),
    up: false,
    next: [
      {
        wished: { acme: organizationSettings(both, { import: OTHER_ID }) },
        preview: { fails: `${OTHER_ID} is not the UUID of organization "acme"` },
        up: false,
      },
      {
        wished: ({ here: { api } }) => ({
          acme: organizationSettings(both, { import: api.organizationId.toUpperCase() }),
        }),
        preview: ({ here: { api } }) => ({ fails: `in lowercase with hyphens: \`import: "${api.organizationId}"\`` }),
        up: false,
      },
      {
        wished: ({ here: { api } }) => ({ acme: organizationSettings(both, { import: api.organizationId }) }),
        preview: false,
        up: { changes: { acme: "import update requireMfa" }, writes: ["updateOrganization"] },
        afterwards: ({ firstId, here: { api } }) => expect(firstId("acme")).toBe(api.organizationId),
      },
      { wished: { acme: organizationSettings(both) }, expected: { requests: ["retrieveOrganization"], writes: [] } },
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
        wished: { acme: organizationSettings(both), twice: organizationSettings({ overages: true }) },
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
        wished: { acme: organizationSettings({ restoreEnabled: true }) },
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

test(
  "says that a second factor becomes mandatory only if it was not",
  story({
    seed: { ...SEED, organizations: SEED.organizations.map((each) => ({ ...each, require_mfa: true })) },
    wished: { acme: organizationSettings({ requireMfa: true }) },
    expected: { changes: { acme: "create" } },
    next: [
      {
        wished: { acme: organizationSettings({ requireMfa: false }) },
        expected: { changes: { acme: "update requireMfa" } },
      },
      {
        wished: { acme: organizationSettings({ overages: true }) },
        preview: { changes: { acme: "update overages" } },
        up: false,
      },
      {
        wished: { acme: organizationSettings({ requireMfa: true }) },
        preview: {
          changes: { acme: "update requireMfa" },
          says: [mayLoseAccess({ username: "ada", organization: "acme" })],
        },
        up: false,
      },
    ],
  }),
);

const orders = aDatabase({ name: "orders", group: "default" }, { dependsOn: "acme" });

test(
  "previews a restore that becomes possible because the same update enables recovery",
  story({
    before: { acme: organizationSettings({ overages: true }), orders },
    async outside({ here, firstId }) {
      await here.deleteDatabase(firstId("orders"));
      await here.outside.updateOrganization({ organizationSlug, body: { restore_enabled: false } });
    },
    wished: { acme: organizationSettings({ overages: false }), orders },
    expected: { fails: recoveryDisabledIn({ organization: "acme" }) },
    up: { writes: ["updateOrganization"] },
    next: [
      {
        wished: { acme: organizationSettings({ restoreEnabled: true }), orders },
        expected: {
          changes: { acme: "update restoreEnabled", orders: "update deletedAt" },
          says: ["once recovery is enabled, can be restored"],
          writes: ["updateOrganization", "restoreDatabase"],
        },
        preview: ({ firstId }) => ({ says: [databaseRestorePlanned("orders", firstId("orders"))] }),
        up: { says: [databaseRestored("orders")] },
      },
    ],
  }),
);

const notRestorable = ({ firstId }: StoryScene, isPlanned = false) =>
  notRestorableNow({
    title: 'database "orders"',
    id: firstId("orders"),
    reason: recoveryDisabledIn({ organization: "acme" }),
    isPlanned,
  });

test(
  "warns before deleting or replacing a database if recovery is turned off for the organization",
  story({
    before: { orders: aDatabaseNamed("orders") },
    outside: ({ here }) => here.outside.updateOrganization({ organizationSlug, body: { restore_enabled: false } }),
    wished: { orders: aDatabaseNamed("orders", "other") },
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
