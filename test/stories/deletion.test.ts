// @module-tag no-database-is-lost
// @module-tag previews-are-true
// @module-tag clear-messages

import { expect, test } from "vitest";
import { RESTORE_BEFORE_REPLACEMENT } from "../../kit/lifecycle/messages";
import { newNameInUse } from "../../kit/messages";
import { groupRestoredToo } from "../../provider/resources/database/messages";
import { aConfiguration, aDatabase, aDatabaseNamed, aGroup, dbIdOf, idOf, TENANTS, tenants } from "./declarations";
import {
  databaseDeleted,
  databaseRestored,
  databaseRestorePlanned,
  groupDeleted,
  groupRestored,
  groupRestorePlanned,
} from "./messages";
import { configurationOf, createGroup, deleteGroup, organizationSlug } from "./outside";
import { type StoryScene, story } from "./story";

const FIVE_DAYS_S = 5 * 86_400;
const MINUTE_S = 60;

const restoreDatabase = ({ here: { outside, api } }: StoryScene, databaseId: string, body = {}) =>
  outside.restoreDatabase({ organizationId: api.organizationId, databaseId, body });

const renameGroup = ({ here: { outside } }: StoryScene, groupName: string, name: string) =>
  outside.renameGroup({ organizationSlug, groupName, body: { name } });

test(
  "restores a database exactly five days after its deletion, but not one second later",
  story({
    before: { orders: aDatabaseNamed("orders") },
    async outside({ here, firstId }) {
      await here.deleteDatabase(firstId("orders"));
      await here.api.advance(FIVE_DAYS_S);
    },
    preview: ({ firstId }) => ({
      changes: { orders: "update deletedAt" },
      says: [databaseDeleted("orders"), databaseRestorePlanned("orders", firstId("orders"))],
    }),
    up: false,
    next: [
      {
        outside: ({ here }) => here.api.advance(1),
        preview: { changes: { orders: "create" }, says: [/^Database "orders" no longer exists/, /^A new, empty/] },
        up: false,
      },
      {
        outside: ({ here }) => here.api.advance(-1),
        preview: false,
        up: ({ firstId }) => ({
          changes: { orders: "update deletedAt" },
          says: [databaseDeleted("orders"), databaseRestored("orders")],
          databases: { orders: firstId("orders") },
        }),
      },
    ],
  }),
);

const configured = (blockReads: boolean) => ({
  orders: aDatabaseNamed("orders"),
  limits: aConfiguration({ database: dbIdOf("orders"), blockReads }),
});

test(
  "configures a database that was restored under another name, even if its old name is in use again",
  story({
    before: configured(false),
    async outside(scene) {
      const { here, firstId, facts } = scene;
      await here.deleteDatabase(firstId("orders"));
      await restoreDatabase(scene, firstId("orders"), { name: "renamed" });
      facts.namesake = await here.createDatabase("orders");
    },
    wished: configured(true),
    expected: ({ firstId, fact }) => ({
      changes: { orders: "update name", limits: "update blockReads" },
      says: [/`name` of database "renamed" .* differs/],
      databases: { renamed: firstId("orders"), orders: fact("namesake") },
    }),
    isUnsettled: true,
    async afterwards(scene) {
      expect(await configurationOf(scene, "renamed")).toMatchObject({ block_reads: true });
      expect(await configurationOf(scene, "orders")).toMatchObject({ block_reads: false });
    },
  }),
);

test(
  "deletes a group after its database, even if the deletion of the group starts first",
  story({
    before: { tenants },
    wished: { tenants, orders: aDatabaseNamed("orders", "tenants") },
    expected: { changes: { orders: "create" } },
    next: [
      {
        outside: ({ here }) => void here.api.fault({ operation: "deleteDatabaseById", latency: 50 }),
        wished: {},
        expected: { changes: { orders: "delete", tenants: "delete" }, databases: {} },
        up: { writes: ["deleteDatabaseById", "deleteGroup"] },
      },
    ],
  }),
);

test(
  "restores a database whose group was renamed before both were deleted, but does not move it",
  story({
    before: { orders: aDatabaseNamed("orders") },
    async outside(scene) {
      await renameGroup(scene, "default", "renamed");
      await deleteGroup(scene, "renamed");
    },
    wished: { orders: aDatabaseNamed("orders", "other") },
    expected: { fails: "it was deleted with group" },
    next: [
      {
        wished: { orders: aDatabaseNamed("orders") },
        preview: false,
        up: ({ firstId }) => ({
          changes: { orders: "update deletedAt group" },
          says: [
            databaseDeleted("orders", { withGroup: true }),
            databaseRestored("orders"),
            /with group: "renamed", as it was deleted/,
          ],
          databases: { orders: firstId("orders") },
        }),
        isUnsettled: true,
        afterwards: ({ managed }) => expect(managed("orders").outputs.groupName).toBe("renamed"),
      },
    ],
  }),
);

const shop = aGroup({ ...TENANTS, name: "shop" });
const whole = {
  shop,
  carts: aDatabaseNamed("carts", idOf("shop")),
  sessions: aDatabaseNamed("sessions", idOf("shop")),
};
const SECOND_DELETION = "2026-03-01T12:01:00Z";

/** Deletes a group, restores it with one of its two databases, and deletes it again a minute later. */
async function deleteShopTwice(scene: StoryScene, carts: string): Promise<void> {
  await deleteGroup(scene, "shop");
  await restoreDatabase(scene, carts);
  await scene.here.api.advance(MINUTE_S);
  await deleteGroup(scene, "shop");
}

test(
  "leaves the name of a database that does not return with its imported group to a new one",
  story({
    async past(scene) {
      const { here, facts } = scene;
      facts.shop = await createGroup(scene, "shop");
      facts.carts = await here.createDatabase("carts", "shop");
      await here.createDatabase("sessions", "shop");
      await deleteShopTwice(scene, facts.carts);
    },
    wished: ({ fact }) => ({
      shop: aGroup({ ...TENANTS, name: "shop" }, { import: fact("shop") }),
      sessions: whole.sessions,
    }),
    expected: ({ fact }) => ({
      changes: { shop: "import update deletedAt", sessions: "create" },
      says: [groupDeleted("shop", { carts: fact("carts") }, { at: SECOND_DELETION, by: "nobody" }), /new, empty/],
    }),
    preview: ({ fact }) => ({ says: [groupRestorePlanned("shop", fact("shop"))] }),
    up: { says: [groupRestored("shop")] },
    afterwards: async ({ here, fact, managed }) =>
      expect(await here.databases()).toEqual({ carts: fact("carts"), sessions: managed("sessions").id }),
  }),
);

test(
  "restores a database that does not return with its group, and says so",
  story({
    before: whole,
    outside: (scene) => deleteShopTwice(scene, scene.firstId("carts")),
    expected: ({ firstId }) => ({
      changes: { shop: "update deletedAt", carts: "update deletedAt", sessions: "update deletedAt" },
      says: [
        groupDeleted("shop", { carts: firstId("carts") }, { at: SECOND_DELETION }),
        databaseDeleted("sessions", { withGroup: true }),
      ],
      databases: { carts: firstId("carts"), sessions: firstId("sessions") },
    }),
    preview: ({ firstId }) => ({
      says: [groupRestorePlanned("shop", firstId("shop")), databaseRestorePlanned("sessions", firstId("sessions"))],
    }),
    up: { says: [groupRestored("shop"), databaseRestored("sessions")] },
  }),
);

test(
  "reports a database that stayed deleted although its group is live again",
  story({
    before: {
      tenants,
      first: aDatabaseNamed("first", idOf("tenants")),
      second: aDatabaseNamed("second", idOf("tenants")),
    },
    async outside(scene) {
      await deleteGroup(scene, "tenants");
      await restoreDatabase(scene, scene.firstId("first"));
      await renameGroup(scene, "tenants", "renamed");
    },
    preview: ({ firstId }) => ({
      changes: { tenants: "update name", second: "update deletedAt" },
      says: [databaseDeleted("second", { withGroup: true }), databaseRestorePlanned("second", firstId("second"))],
    }),
    up: false,
  }),
);

/** A database that names its group literally. */
const literal = (group: string, name = "inside") => ({ ...aDatabaseNamed(name, group), dependsOn: "tenants" });
const inside = { tenants, inside: literal("tenants") };

test(
  "restores a deleted group and its database although the program renames the group",
  story({
    before: inside,
    outside: (scene) => deleteGroup(scene, "tenants"),
    wished: { tenants: aGroup({ ...TENANTS, name: "customers" }), inside: literal("customers") },
    expected: ({ firstId }) => ({
      changes: { tenants: "update deletedAt name", inside: "update deletedAt" },
      says: [groupDeleted("tenants", { inside: firstId("inside") })],
      databases: { inside: firstId("inside") },
    }),
    preview: ({ firstId }) => ({ says: [groupRestorePlanned("tenants", firstId("tenants"))] }),
    up: { says: [groupRestored("tenants")] },
    afterwards: ({ managed }) => expect(managed("inside").outputs.groupName).toBe("customers"),
  }),
);

test(
  "rejects in the preview a change that would fail after the group is restored",
  story({
    before: inside,
    async outside(scene) {
      await deleteGroup(scene, "tenants");
      scene.facts.customers = await createGroup(scene, "customers");
    },
    wished: { ...inside, tenants: aGroup({ ...TENANTS, name: "customers" }) },
    preview: ({ fact }) => ({
      fails: newNameInUse({ kind: "group", name: "customers", id: fact("customers") }).answer,
    }),
    up: false,
    next: [
      {
        wished: { ...inside, tenants: aGroup({ ...TENANTS, locations: ["aws-nowhere-1"] }) },
        preview: { fails: /aws-nowhere-1/ },
        up: false,
      },
    ],
  }),
);

test(
  "does not plan to restore the group of a database that somebody else has already restored",
  story({
    before: inside,
    async outside(scene) {
      const { here, firstId, facts } = scene;
      await deleteGroup(scene, "tenants");
      facts.namesake = await here.createDatabase("inside");
      await here.outside.restoreGroup({ organizationId: here.api.organizationId, groupId: firstId("tenants") });
    },
    wished: { tenants, inside: literal("tenants", "inside-2") },
    expected: ({ firstId, fact }) => ({
      changes: { inside: "update deletedAt name" },
      says: [databaseDeleted("inside", { withGroup: true })],
      databases: { inside: fact("namesake"), "inside-2": firstId("inside") },
    }),
    preview: ({ firstId }) => ({ says: [databaseRestorePlanned("inside", firstId("inside"))] }),
    up: { says: [databaseRestored("inside-2")] },
  }),
);

test(
  "restores a whole group although one of its databases is restored first, and brings back the group",
  story({
    before: { tenants },
    async outside({ here, facts }) {
      facts.foreign = await here.createDatabase("foreign", "tenants");
    },
    wished: inside,
    expected: { changes: { inside: "create" } },
    next: [
      {
        outside: (scene) => deleteGroup(scene, "tenants"),
        // The database names its group literally, so it does not wait for the group.
        wished: { inside: aDatabaseNamed("renamed", "tenants"), tenants: { ...tenants, dependsOn: "inside" } },
        expected: ({ firstId, fact }) => ({
          changes: { inside: "update deletedAt name", tenants: "update deletedAt" },
          says: [groupDeleted("tenants", { foreign: fact("foreign"), inside: firstId("inside") })],
          databases: { foreign: fact("foreign"), renamed: firstId("inside") },
        }),
        preview: ({ firstId }) => ({
          says: [
            databaseRestorePlanned("inside", firstId("inside")),
            groupRestoredToo({ groupName: "tenants", groupId: firstId("tenants"), isInStack: true }),
            groupRestorePlanned("tenants", firstId("tenants")),
          ],
        }),
        up: { says: [databaseRestored("renamed"), groupRestored("tenants")] },
      },
    ],
  }),
);

test(
  "keeps a deleted database in the state while reads are stale, and removes it in the next run",
  story({
    before: { orders: aDatabaseNamed("orders") },
    async outside({ here, firstId }) {
      here.api.fault({ operation: "*", stale: true, times: 10_000 });
      await here.deleteDatabase(firstId("orders"));
    },
    wished: {},
    preview: false,
    up: { fails: "404" },
    afterwards: ({ managed, firstId }) => expect(managed("orders").id).toBe(firstId("orders")),
    next: [
      {
        outside: ({ here }) => here.api.clearFaults(),
        preview: false,
        up: { changes: { orders: "delete" }, says: [databaseDeleted("orders")], databases: {} },
      },
    ],
  }),
);

test.each([403, 500])("reads the configuration of a deleted database even if look-ups by name answer %i", (status) =>
  story({
    before: configured(true),
    async outside({ here, firstId }) {
      await here.deleteDatabase(firstId("orders"));
      await here.createDatabase("orders");
      here.api.fault({ operation: "retrieveDatabase", status, times: 99 });
    },
    wished: {},
    preview: { changes: { orders: "delete", limits: "delete" }, says: [/^Database "orders" was deleted/] },
    up: false,
  })(),
);

test(
  "with `driftDetection: on-refresh`, refuses to replace a deleted database until it is restored",
  story({
    settings: { driftDetection: "on-refresh" },
    before: { orders: aDatabaseNamed("orders") },
    outside: ({ here, firstId }) => here.deleteDatabase(firstId("orders")),
    wished: { orders: aDatabase({ name: "sales", group: "default" }) },
    expected: { fails: RESTORE_BEFORE_REPLACEMENT },
  }),
);
