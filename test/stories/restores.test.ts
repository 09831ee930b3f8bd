// @module-tag no-database-is-lost
// @module-tag previews-are-true

import { expect, test } from "vitest";
import { createInstead, differenceKept, newObjectPlanned } from "../../kit/lifecycle/restore/messages";
import { dataLeftBehind, groupRestoredToo } from "../../provider/resources/database/messages";
import { groupNotEmpty } from "../../provider/resources/group/messages";
import { objectNotFound } from "../../provider/resources/messages";
import { clientOf } from "../engine/engine-fixture";
import { aDatabase, aDatabaseNamed, aGroup, anApiToken, idOf, TENANTS, tenants } from "./declarations";
import {
  databaseDeleted,
  databaseRestored,
  databaseRestorePlanned,
  groupDeleted,
  groupRestored,
  groupRestorePlanned,
} from "./messages";
import { deleteGroup, groupNamed, organizationSlug } from "./outside";
import { type StoryScene, story } from "./story";

const FIVE_DAYS = 5 * 86_400;

const deleteOrders = ({ here, firstId }: StoryScene) => here.deleteDatabase(firstId("orders"));

async function deletedOrders({ here, facts }: StoryScene): Promise<void> {
  facts.orders = await here.createDatabase("orders");
  await here.deleteDatabase(facts.orders);
}

const importing =
  (slot: string, group = "default") =>
  ({ fact }: StoryScene) => ({ [slot]: aDatabase({ name: slot, group }, { import: fact(slot) }) });

const absent = (id: string) => objectNotFound({ kind: "database", id, organization: "acme" });

test(
  "restores a database and its deleted group through `import`, but not the group's other databases",
  story({
    async past(scene) {
      const { here, facts } = scene;
      facts.orders = await here.createDatabase("orders", "other");
      facts.sibling = await here.createDatabase("sibling", "other");
      facts.other = (await groupNamed(scene, "other"))?.uuid ?? "";
      await deleteGroup(scene, "other");
    },
    wished: importing("orders", "other"),
    expected: ({ fact }) => ({
      changes: { orders: "import update deletedAt" },
      says: [databaseDeleted("orders", { by: "nobody", withGroup: true })],
      writes: ["restoreDatabase"],
      databases: { orders: fact("orders") },
    }),
    preview: ({ fact }) => ({
      says: [
        databaseRestorePlanned("orders", fact("orders")),
        groupRestoredToo({ groupName: "other", groupId: fact("other"), isInStack: false }),
      ],
    }),
    up: { says: [databaseRestored("orders")] },
    afterwards: async (scene) => expect(await groupNamed(scene, "other")).toMatchObject({ uuid: scene.fact("other") }),
    next: [
      { wished: {}, preview: false, up: { changes: { orders: "delete" } } },
      {
        wished: importing("sibling", "other"),
        preview: false,
        up: ({ fact }) => ({
          changes: { sibling: "import update deletedAt" },
          says: [databaseDeleted("sibling", { by: "nobody", withGroup: true }), databaseRestored("sibling")],
          databases: { sibling: fact("sibling") },
        }),
      },
    ],
  }),
);

test(
  "explains an `import` of an id that no database has or can be restored by any longer",
  story({
    async past(scene) {
      await deletedOrders(scene);
      scene.facts.never = "00000000-0000-4000-8000-000000000000";
    },
    wished: importing("never"),
    preview: ({ fact }) => ({
      fails: [absent(fact("never")), createInstead({ kind: "database", isRestorable: true })],
    }),
    up: false,
    next: [
      {
        outside: ({ here }) => here.api.advance(FIVE_DAYS),
        wished: importing("orders"),
        preview: ({ fact }) => ({
          changes: { orders: "import update deletedAt" },
          says: [databaseDeleted("orders", { by: "nobody" }), databaseRestorePlanned("orders", fact("orders"))],
        }),
        up: false,
      },
      {
        outside: ({ here }) => here.api.advance(1),
        preview: false,
        up: ({ fact }) => ({ fails: absent(fact("orders")), databases: {} }),
      },
    ],
  }),
);

test(
  "announces no new database in place of one that is gone for good and that the program no longer declares",
  story({
    before: { orders: aDatabaseNamed("orders") },
    async outside(scene) {
      await deleteOrders(scene);
      await scene.here.api.advance(FIVE_DAYS + 1);
    },
    wished: {},
    expected: {
      changes: {},
      says: [newObjectPlanned({ kind: "database", isRestorable: true, isDeclared: false })],
      databases: {},
    },
  }),
);

test(
  "reports a deleted database that the program no longer declares, and leaves it deleted",
  story({
    before: { orders: aDatabaseNamed("orders") },
    outside: deleteOrders,
    wished: {},
    expected: { changes: { orders: "delete" }, says: [databaseDeleted("orders")], writes: [], databases: {} },
  }),
);

test(
  "accepts that somebody else has restored the database that an update could not restore",
  story({
    before: { orders: aDatabaseNamed("orders") },
    async outside(scene) {
      await deleteOrders(scene);
      scene.here.api.fault({ operation: "restoreDatabase", status: 422, body: { error: "busy" }, times: 99 });
    },
    preview: false,
    up: { fails: "busy" },
    next: [
      {
        async outside({ here, firstId }) {
          here.api.clearFaults();
          const { organizationId } = here.api;
          await here.outside.restoreDatabase({ organizationId, databaseId: firstId("orders") });
        },
        expected: ({ firstId }) => ({ writes: [], databases: { orders: firstId("orders") } }),
      },
    ],
  }),
);

test(
  "refuses to import a managed database by its name or by an id in capitals, and deletes nothing",
  story({
    before: { orders: aDatabaseNamed("orders") },
    next: [
      ...[(_: string) => "orders", (id: string) => id.toUpperCase()].map((spelled) => ({
        wished: ({ firstId }: StoryScene) => ({
          orders: aDatabase({ name: "orders", group: "default" }, { import: spelled(firstId("orders")) }),
        }),
        expected: ({ firstId }: StoryScene) => ({
          fails: `\`import: "${firstId("orders")}"\``,
          databases: { orders: firstId("orders") },
        }),
      })),
      {
        wished: ({ firstId }) => ({
          orders: aDatabase({ name: "orders", group: "default" }, { import: firstId("orders") }),
        }),
        preview: false,
        up: ({ firstId }) => ({ databases: { orders: firstId("orders") } }),
      },
    ],
  }),
);

test(
  "restores a deleted copy of a database through `import`, and ignores the seed in the program",
  story({
    async past({ here, facts }) {
      facts.orders = await here.createDatabase("orders");
      const body = { name: "copy", group: "default", seed: { type: "database" as const, name: "orders" } };
      facts.copy = (await here.outside.createDatabase({ organizationSlug, body })).database.DbId;
      await here.deleteDatabase(facts.copy);
    },
    wished: ({ fact }) => ({
      copy: aDatabase({ name: "copy", group: "default", seed: { dumpFile: "no/such.sql" } }, { import: fact("copy") }),
    }),
    preview: false,
    up: {
      changes: { copy: "import update deletedAt" },
      says: [databaseDeleted("copy", { by: "nobody" }), databaseRestored("copy"), /^Changing `seed` has no effect/],
      writes: ["restoreDatabase"],
    },
    afterwards: ({ managed, fact }) => expect(managed("copy").outputs.parent).toMatchObject({ dbId: fact("orders") }),
  }),
);

const renamed = (group: string) => ({ "Orders DB": aDatabase({ name: "renamed", group }) });

test(
  "follows a database that was renamed outside, replaces it in another group, and imports the replaced one",
  story({
    before: { "Orders DB": aDatabase({ group: "default" }) },
    async outside({ here, firstId, facts }) {
      [facts.generated = ""] = Object.keys(await here.databases());
      expect(facts.generated).toMatch(/^orders-db-[0-9a-f]{7}$/);
      await here.deleteDatabase(firstId("Orders DB"));
      const { organizationId } = here.api;
      const at = { organizationId, databaseId: firstId("Orders DB") };
      await here.outside.restoreDatabase({ ...at, body: { name: "renamed" } });
    },
    expected: ({ firstId, fact }) => ({
      changes: { "Orders DB": "update name" },
      says: [
        differenceKept({
          title: 'database "renamed"',
          id: firstId("Orders DB"),
          difference: { property: "name", is: "renamed", wanted: fact("generated") },
        }),
      ],
      writes: [],
    }),
    isUnsettled: true,
    next: [
      { wished: renamed("default"), preview: false, up: { writes: [] } },
      {
        wished: renamed("other"),
        // The old one is deleted first, because both have the same name.
        expected: ({ firstId }) => ({
          changes: { "Orders DB": "replace group" },
          says: [
            dataLeftBehind({
              title: 'database "renamed"',
              id: firstId("Orders DB"),
              restorableUntil: "2026-03-06T12:00:00Z",
              isDeletedFirst: true,
            }),
          ],
          writes: ["deleteDatabaseById", "createDatabase"],
        }),
      },
      { wished: {}, preview: false, up: { changes: { "Orders DB": "delete" }, databases: {} } },
      {
        wished: ({ firstId }) => ({
          again: aDatabase({ name: "first-again", group: "default" }, { import: firstId("Orders DB") }),
        }),
        preview: false,
        up: ({ firstId }) => ({
          changes: { again: "import update deletedAt name" },
          says: [databaseDeleted("renamed", { by: "nobody" }), databaseRestored("first-again")],
          databases: { "first-again": firstId("Orders DB") },
        }),
      },
    ],
  }),
);

const ci = { ci: anApiToken({ group: idOf("tenants"), scopes: ["read"] }) };
const inside = { one: aDatabaseNamed("one", idOf("tenants")), two: aDatabaseNamed("two", idOf("tenants")) };

const isValid = async ({ here }: StoryScene, token: string): Promise<boolean> =>
  clientOf(here.api, token)
    .validateApiToken({})
    .then(
      () => true,
      () => false,
    );

test(
  "restores a deleted group with its databases, and creates a new API token in place of the one that died with it",
  story({
    before: { tenants, ...inside, ...ci },
    async outside(scene) {
      scene.facts.token = await scene.secret("ci");
      await deleteGroup(scene, "tenants");
    },
    expected: ({ firstId }) => ({
      changes: { tenants: "update deletedAt", one: "update deletedAt", two: "update deletedAt", ci: "create" },
      says: [
        groupDeleted("tenants", { one: firstId("one"), two: firstId("two") }),
        /^API token "ci\S+" no longer exists/,
      ],
      writes: ["restoreGroup", "createApiToken"],
      databases: { one: firstId("one"), two: firstId("two") },
    }),
    preview: ({ firstId }) => ({ says: [groupRestorePlanned("tenants", firstId("tenants"))] }),
    up: { says: [groupRestored("tenants")] },
    async afterwards(scene) {
      expect(await isValid(scene, await scene.secret("ci"))).toBe(true);
      expect(await isValid(scene, scene.fact("token"))).toBe(false);
    },
  }),
);

const forced = aGroup({ ...TENANTS, forceDestroy: true });

test(
  "refuses to delete a group with a database of another stack until `forceDestroy` is applied",
  story({
    before: { tenants },
    async outside({ here, facts }) {
      facts.stranger = await here.createDatabase("stranger", "tenants");
    },
    wished: {},
    preview: false,
    up: ({ fact }) => ({
      fails: groupNotEmpty({ name: "tenants", contained: [{ name: "stranger", id: fact("stranger") }] }),
      databases: { stranger: fact("stranger") },
    }),
    next: [
      { wished: { tenants: forced }, preview: false, up: { changes: { tenants: "update forceDestroy" }, writes: [] } },
      { wished: {}, preview: false, up: { changes: { tenants: "delete" }, databases: {} } },
    ],
  }),
);
