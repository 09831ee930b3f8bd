// @module-tag no-database-is-lost
// @module-tag previews-are-true
// @module-tag clear-messages

import { expect, test } from "vitest";
import { RESTORE_BEFORE_REPLACEMENT } from "../../kit/lifecycle/messages";
import { newNameInUse } from "../../kit/messages";
import { groupRestoredToo } from "../../provider/resources/database/messages";
import { aConfiguration, aDatabase, aDatabaseNamed, aGroup, dbIdOf, idOf, TENANTS, tenants } from "./declarations";
import {
  configurationOf,
  createGroup,
  deleteGroup,
  groupWillBeRestored,
  isDeleted,
  isGroupDeleted,
  isGroupRestored,
  isRestored,
  organizationSlug,
  willBeRestored,
} from "./outside";
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
    async outside({ here, id }) {
      await here.deleteDatabase(id("orders"));
      await here.api.advance(FIVE_DAYS_S);
    },
    preview: ({ id }) => ({
      changes: { orders: "update deletedAt" },
      says: [isDeleted("orders"), willBeRestored("orders", id("orders"))],
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
        up: ({ id }) => ({
          changes: { orders: "update deletedAt" },
          says: [isDeleted("orders"), isRestored("orders")],
          databases: { orders: id("orders") },
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
      const { here, id, facts } = scene;
      await here.deleteDatabase(id("orders"));
      await restoreDatabase(scene, id("orders"), { name: "renamed" });
      facts.namesake = await here.createDatabase("orders");
    },
    wished: configured(true),
    expected: ({ id, fact }) => ({
      changes: { orders: "update name", limits: "update blockReads" },
      says: [/`name` of database "renamed" .* differs/],
      databases: { renamed: id("orders"), orders: fact("namesake") },
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
        up: ({ id }) => ({
          changes: { orders: "update deletedAt group" },
          says: [
            isDeleted("orders", { withGroup: true }),
            isRestored("orders"),
            /with group: "renamed", as it was deleted/,
          ],
          databases: { orders: id("orders") },
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
      says: [isGroupDeleted("shop", { carts: fact("carts") }, { at: SECOND_DELETION, by: "nobody" }), /new, empty/],
    }),
    preview: ({ fact }) => ({ says: [groupWillBeRestored("shop", fact("shop"))] }),
    up: { says: [isGroupRestored("shop")] },
    afterwards: async ({ here, fact, managed }) =>
      expect(await here.databases()).toEqual({ carts: fact("carts"), sessions: managed("sessions").id }),
  }),
);

test(
  "restores a database that does not return with its group, and says so",
  story({
    before: whole,
    outside: (scene) => deleteShopTwice(scene, scene.id("carts")),
    expected: ({ id }) => ({
      changes: { shop: "update deletedAt", carts: "update deletedAt", sessions: "update deletedAt" },
      says: [
        isGroupDeleted("shop", { carts: id("carts") }, { at: SECOND_DELETION }),
        isDeleted("sessions", { withGroup: true }),
      ],
      databases: { carts: id("carts"), sessions: id("sessions") },
    }),
    preview: ({ id }) => ({
      says: [groupWillBeRestored("shop", id("shop")), willBeRestored("sessions", id("sessions"))],
    }),
    up: { says: [isGroupRestored("shop"), isRestored("sessions")] },
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
      await restoreDatabase(scene, scene.id("first"));
      await renameGroup(scene, "tenants", "renamed");
    },
    preview: ({ id }) => ({
      changes: { tenants: "update name", second: "update deletedAt" },
      says: [isDeleted("second", { withGroup: true }), willBeRestored("second", id("second"))],
    }),
    up: false,
  }),
);

/** A database that names its group literally. */
const literal = (group: string, name = "inside") => ({ ...aDatabaseNamed(name, group), after: "tenants" });
const inside = { tenants, inside: literal("tenants") };

test(
  "restores a deleted group and its database although the program renames the group",
  story({
    before: inside,
    outside: (scene) => deleteGroup(scene, "tenants"),
    wished: { tenants: aGroup({ ...TENANTS, name: "customers" }), inside: literal("customers") },
    expected: ({ id }) => ({
      changes: { tenants: "update deletedAt name", inside: "update deletedAt" },
      says: [isGroupDeleted("tenants", { inside: id("inside") })],
      databases: { inside: id("inside") },
    }),
    preview: ({ id }) => ({ says: [groupWillBeRestored("tenants", id("tenants"))] }),
    up: { says: [isGroupRestored("tenants")] },
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
      const { here, id, facts } = scene;
      await deleteGroup(scene, "tenants");
      facts.namesake = await here.createDatabase("inside");
      await here.outside.restoreGroup({ organizationId: here.api.organizationId, groupId: id("tenants") });
    },
    wished: { tenants, inside: literal("tenants", "inside-2") },
    expected: ({ id, fact }) => ({
      changes: { inside: "update deletedAt name" },
      says: [isDeleted("inside", { withGroup: true })],
      databases: { inside: fact("namesake"), "inside-2": id("inside") },
    }),
    preview: ({ id }) => ({ says: [willBeRestored("inside", id("inside"))] }),
    up: { says: [isRestored("inside-2")] },
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
        expected: ({ id, fact }) => ({
          changes: { inside: "update deletedAt name", tenants: "update deletedAt" },
          says: [isGroupDeleted("tenants", { foreign: fact("foreign"), inside: id("inside") })],
          databases: { foreign: fact("foreign"), renamed: id("inside") },
        }),
        preview: ({ id }) => ({
          says: [
            willBeRestored("inside", id("inside")),
            groupRestoredToo({ groupName: "tenants", groupId: id("tenants"), isInStack: true }),
            groupWillBeRestored("tenants", id("tenants")),
          ],
        }),
        up: { says: [isRestored("renamed"), isGroupRestored("tenants")] },
      },
    ],
  }),
);

test(
  "keeps a deleted database in the state while reads are stale, and removes it in the next run",
  story({
    before: { orders: aDatabaseNamed("orders") },
    async outside({ here, id }) {
      here.api.fault({ operation: "*", stale: true, times: 10_000 });
      await here.deleteDatabase(id("orders"));
    },
    wished: {},
    preview: false,
    up: { fails: "404" },
    afterwards: ({ managed, id }) => expect(managed("orders").id).toBe(id("orders")),
    next: [
      {
        outside: ({ here }) => here.api.clearFaults(),
        preview: false,
        up: { changes: { orders: "delete" }, says: [isDeleted("orders")], databases: {} },
      },
    ],
  }),
);

test.each([403, 500])("reads the configuration of a deleted database even if look-ups by name answer %i", (status) =>
  story({
    before: configured(true),
    async outside({ here, id }) {
      await here.deleteDatabase(id("orders"));
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
    outside: ({ here, id }) => here.deleteDatabase(id("orders")),
    wished: { orders: aDatabase({ name: "sales", group: "default" }) },
    expected: { fails: RESTORE_BEFORE_REPLACEMENT },
  }),
);
