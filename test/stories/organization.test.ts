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
import { inGroup, settings } from "./declarations";
import { organizationSlug } from "./outside";
import { type StoryScene, story } from "./story";

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
