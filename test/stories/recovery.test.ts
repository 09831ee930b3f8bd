// @module-tag previews-are-true
// @module-tag clear-messages

import { describe, expect, test } from "vitest";
import { notRestorableNow } from "../../kit/lifecycle/messages";
import { canBeRestoredUntil } from "../../kit/lifecycle/restore/messages";
import { dataLeftBehind, dataPossiblyLeftBehind } from "../../provider/resources/database/messages";
import { groupNotEmpty } from "../../provider/resources/group/messages";
import {
  planHasNoRecovery,
  RECOVERY_ENABLED,
  recoveryDisabledByUpdate,
  recoveryDisabledIn,
} from "../../provider/resources/messages";
import { aDatabase, aDatabaseNamed, aGroup, idOf, organizationSettings, TENANTS, tenants } from "./declarations";
import { databaseDeleted } from "./messages";
import { deleteGroup, organizationSlug, withOrganizationId } from "./outside";
import { type StoryScene, story } from "./story";

const setRecovery = ({ here }: StoryScene, restore_enabled: boolean) =>
  here.outside.updateOrganization({ organizationSlug, body: { restore_enabled } });

const DISABLED = recoveryDisabledIn({ organization: "acme" });

const warning = (reason: string, { firstId }: StoryScene, isPlanned?: boolean): string =>
  notRestorableNow({ title: 'database "orders"', id: firstId("orders"), reason, ...(isPlanned && { isPlanned }) });

const left = ({ firstId }: StoryScene): string =>
  dataLeftBehind({ title: 'database "orders"', id: firstId("orders"), isDeletedFirst: true });

describe.each([
  ["recovery is disabled", DISABLED, (scene: StoryScene) => setRecovery(scene, false)],
  [
    "the plan has no recovery",
    planHasNoRecovery({ organization: "acme" }),
    ({ here }: StoryScene) => here.api.plan("starter"),
  ],
] as const)("if %s", (_, reason, outside) => {
  test(
    "warns once if a replacement deletes a database that cannot be restored",
    story({
      before: { orders: aDatabaseNamed("orders") },
      outside,
      wished: { tenants, orders: aDatabaseNamed("orders", idOf("tenants")) },
      preview: (scene) => ({
        changes: { tenants: "create", orders: "replace group" },
        says: [dataPossiblyLeftBehind({ title: 'database "orders"', property: "group" }), warning(reason, scene, true)],
      }),
      up: false,
      next: [
        {
          wished: { orders: aDatabaseNamed("orders", "other") },
          expected: (scene) => ({
            changes: { orders: "replace group" },
            says: [left(scene), warning(reason, scene, true)],
          }),
        },
      ],
    }),
  );

  test(
    "warns before it deletes a database or group that cannot be restored",
    story({
      before: { tenants, orders: aDatabaseNamed("orders") },
      async outside(scene) {
        await outside(scene);
        scene.here.api.clearJournal();
      },
      wished: {},
      expected: { changes: { tenants: "delete", orders: "delete" } },
      up: (scene) => ({
        says: [
          warning(reason, scene),
          notRestorableNow({ title: 'group "tenants"', id: scene.firstId("tenants"), reason }),
        ],
        writes: { inAnyOrder: ["deleteDatabaseById", "deleteGroup"] },
      }),
      // The preview and the update ask once, so the warnings cost no request.
      afterwards: ({ here }) =>
        expect(here.api.journal().filter(({ operation }) => operation === "retrieveOrganization")).toHaveLength(2),
    }),
  );

  const notEmpty = ({ fact }: StoryScene, obstacle?: string) =>
    groupNotEmpty({ name: "tenants", contained: [{ name: "foreign", id: fact("foreign") }], obstacle });

  test(
    "does not call databases restorable when it refuses to delete their group",
    story({
      before: { tenants },
      async outside({ here, facts }) {
        facts.foreign = await here.createDatabase("foreign", "tenants");
      },
      wished: {},
      preview: false,
      up: (scene) => ({ fails: notEmpty(scene) }),
      next: [
        { outside, preview: false, up: (scene) => ({ fails: notEmpty(scene, reason) }) },
        {
          wished: { tenants: aGroup({ ...TENANTS, location: "aws-eu-west-1" }) },
          preview: (scene) => ({ fails: notEmpty(scene, reason) }),
          up: false,
        },
      ],
    }),
  );
});

test(
  "does not warn of a missing recovery if the update enables it, or if the database is already deleted",
  story({
    before: {
      acme: organizationSettings({ restoreEnabled: false }),
      orders: aDatabaseNamed("orders"),
      gone: aDatabaseNamed("gone"),
    },
    outside: ({ here, firstId }) => here.deleteDatabase(firstId("gone")),
    wished: { acme: organizationSettings({ restoreEnabled: false }), orders: aDatabaseNamed("orders") },
    expected: { changes: { gone: "delete" }, says: [/^Database "gone" was deleted/] },
    next: [
      {
        wished: { acme: organizationSettings({ restoreEnabled: true }) },
        preview: false,
        up: { changes: { acme: "update restoreEnabled", orders: "delete" } },
      },
    ],
  }),
);

const acme = (restoreEnabled: boolean, dependsOn?: string) =>
  organizationSettings({ restoreEnabled }, dependsOn === undefined ? {} : { dependsOn });

test(
  "warns that a database cannot be restored if the update that replaces it disables recovery",
  story({
    before: { acme: acme(true), orders: aDatabaseNamed("orders") },
    wished: {
      acme: acme(false),
      orders: aDatabase({ name: "orders", group: "other" }, { dependsOn: "acme" }),
    },
    preview: (scene) => ({
      changes: { acme: "update restoreEnabled", orders: "replace group" },
      says: [left(scene), warning(recoveryDisabledByUpdate({ organization: "acme" }), scene, true)],
    }),
    up: false,
    next: [
      {
        // The settings follow, and the old database is deleted last.
        wished: { orders: aDatabaseNamed("purchases"), acme: acme(false, "orders") },
        preview: false,
        up: (scene) => ({
          changes: { acme: "update restoreEnabled", orders: "replace name" },
          says: [/The old one can be restored until/, warning(DISABLED, scene)],
          writes: ["createDatabase", "updateOrganization", "deleteDatabaseById"],
        }),
      },
    ],
  }),
);

test.each([
  ["database", aDatabaseNamed("orders")],
  ["group", aGroup({ ...TENANTS, name: "orders" })],
] as const)("says that a deleted %s can be restored once recovery is enabled, and refuses until then", (kind, orders) =>
  story({
    before: { orders },
    async outside(scene) {
      await (kind === "group" ? deleteGroup(scene, "orders") : scene.here.deleteDatabase(scene.firstId("orders")));
      await setRecovery(scene, false);
    },
    expected: { says: [new RegExp(`^${kind} .*${RECOVERY_ENABLED}`, "i")], fails: DISABLED },
    next: [
      {
        // A new object with the name of the deleted one.
        wished: { other: orders },
        preview: {
          changes: { orders: "delete", other: "create" },
          says: [
            /was deleted/,
            canBeRestoredUntil({ restorableUntil: "2026-03-06T12:00:00.000Z", obstacle: DISABLED }),
          ],
        },
        up: false,
      },
      {
        outside: (scene) => setRecovery(scene, true),
        wished: { orders },
        preview: false,
        up: { changes: { orders: "update deletedAt" }, says: [/was deleted/, /^Restored/] },
        afterwards: ({ managed, firstId }) => expect(managed("orders").id).toBe(firstId("orders")),
      },
    ],
  })(),
);

test(
  "with a group-scoped token, neither warns of a missing recovery nor asks who deleted a database",
  story({
    settings: withOrganizationId,
    before: { orders: aDatabaseNamed("orders"), gone: aDatabaseNamed("gone") },
    async outside(scene) {
      const { here, firstId, stack } = scene;
      await setRecovery(scene, false);
      await here.deleteDatabase(firstId("gone"));
      stack.useToken(await here.api.token({ organization: "acme", group: "default", scopes: ["full-access"] }));
      here.api.clearJournal();
    },
    wished: {},
    expected: { changes: { orders: "delete", gone: "delete" }, says: [databaseDeleted("gone", { by: "nobody" })] },
    afterwards: ({ here }) =>
      expect(here.api.journal().map(({ operation }) => operation)).not.toContain("listAuditLogs"),
  }),
);

test(
  "says of a database that the program leaves deleted whether it can be restored at present",
  story({
    before: { orders: aDatabaseNamed("orders") },
    outside: ({ here, firstId }) => here.deleteDatabase(firstId("orders")),
    wished: { orders: { ...aDatabaseNamed("orders"), ignoreChanges: ["deletedAt"] } },
    preview: {
      says: [databaseDeleted("orders"), /stays deleted.* It can be restored until 2026-03-06 12:00 UTC\. To/],
    },
    up: false,
    next: [
      {
        outside: (scene) => setRecovery(scene, false),
        preview: { says: [/was deleted/, /stays deleted.* It can be restored until .*recovery/] },
        up: false,
      },
    ],
  }),
);
