// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import {
  deletionBesideImport,
  keptDespiteImport,
  operationImpossible,
  replacementByImport,
} from "../../kit/lifecycle/messages";
import { importOverLive } from "../../kit/lifecycle/restore/messages";
import { restoredDatabaseNameTaken } from "../../provider/resources/database/messages";
import { aConfiguration, aDatabase, aDatabaseNamed, aGroup, dbIdOf, idOf, TENANTS, tenants } from "./declarations";
import { databaseDeleted, databaseRestored, databaseRestorePlanned } from "./messages";
import { createGroup } from "./outside";
import { type StoryScene, story } from "./story";

const orders = aDatabase({ name: "orders", group: "default" }, { protect: true });

/** Deletes a database whose name the program then uses. */
async function olderNamesake({ here, facts }: StoryScene): Promise<void> {
  facts.older = await here.createDatabase("orders");
  await here.deleteDatabase(facts.older);
}

test(
  "refuses an import that would replace a live database, and advises how to keep both databases",
  story({
    past: olderNamesake,
    before: { orders },
    next: [
      ...["orders", "orders-old"].map((name) => ({
        wished: ({ fact }: StoryScene) => ({
          orders: aDatabase({ name, group: "default" }, { protect: true, import: fact("older") }),
        }),
        expected: ({ firstId, fact }: StoryScene) => ({
          fails: [
            importOverLive({ managed: { title: 'database "orders"', id: firstId("orders") }, id: fact("older") }),
            "declare a second resource",
            /^(?!.*destroy)/s,
          ],
        }),
      })),
      {
        wished: ({ fact }) => ({
          orders,
          restored: aDatabase({ name: "orders-old", group: "default" }, { import: fact("older") }),
        }),
        expected: ({ firstId, fact }) => ({
          changes: { restored: "import update deletedAt name" },
          says: [databaseDeleted("orders", { by: "nobody" })],
          databases: { orders: firstId("orders"), "orders-old": fact("older") },
        }),
        preview: ({ fact }) => ({ says: [databaseRestorePlanned("orders", fact("older"))] }),
        up: { says: [databaseRestored("orders-old")] },
      },
    ],
  }),
);

test(
  "with `driftDetection: on-refresh`, keeps the old database when its resource imports a different one",
  story({
    settings: { driftDetection: "on-refresh" },
    past: olderNamesake,
    before: { orders },
    wished: ({ fact }) => ({
      orders: aDatabase({ name: "orders-old", group: "default" }, { protect: true, import: fact("older") }),
    }),
    preview: false,
    up: ({ firstId, fact }) => ({
      changes: { orders: "import update delete deletedAt name" },
      says: [
        databaseDeleted("orders", { by: "nobody" }),
        databaseRestored("orders-old"),
        keptDespiteImport({
          title: 'database "orders"',
          id: firstId("orders"),
          importedId: fact("older"),
          isDeclared: true,
        }),
      ],
      databases: { orders: firstId("orders"), "orders-old": fact("older") },
    }),
    next: [
      {
        wished: ({ firstId, fact }) => ({
          orders: aDatabase({ name: "orders-old", group: "default" }, { protect: true, import: fact("older") }),
          kept: aDatabase({ name: "orders", group: "default" }, { import: firstId("orders") }),
        }),
        preview: false,
        up: ({ firstId, fact }) => ({
          changes: { kept: "import" },
          databases: { orders: firstId("orders"), "orders-old": fact("older") },
        }),
      },
    ],
  }),
);

const importing = ({ fact }: StoryScene) => ({
  tenants: aGroup({ ...TENANTS, name: "others" }, { import: fact("others") }),
  inside: aDatabase({ name: "inside", group: idOf("tenants") }),
});

test(
  "with `driftDetection: on-refresh`, keeps a group and its databases when importing another group",
  story({
    settings: { driftDetection: "on-refresh" },
    async past(scene) {
      scene.facts.others = await createGroup(scene, "others");
    },
    before: { tenants, inside: aDatabaseNamed("inside", idOf("tenants")) },
    next: [
      // The first `up` fails, but has recorded the import in the state.
      ...[1, 2].map(() => ({
        wished: importing,
        expected: ({ firstId, fact }: StoryScene) => ({
          fails: [
            operationImpossible({ operation: "replace", object: `database "inside" (${firstId("inside")})` }),
            replacementByImport({
              kind: "database",
              moved: { kind: "group", from: firstId("tenants"), to: fact("others") },
              property: "group",
            }).answer,
          ].join(": "),
          databases: { inside: firstId("inside") },
        }),
      })),
      {
        wished: (scene) => ({ ...importing(scene), inside: aDatabaseNamed("inside", scene.firstId("tenants")) }),
        preview: false,
        up: ({ firstId, fact }) => ({
          changes: { tenants: "delete" },
          says: [
            keptDespiteImport({
              title: 'group "tenants"',
              id: firstId("tenants"),
              importedId: fact("others"),
              isDeclared: true,
            }),
          ],
          databases: { inside: firstId("inside") },
        }),
      },
    ],
  }),
);

const inOne = (group: string, name = "inside") => ({
  one: aGroup({ ...TENANTS, name: "one" }),
  inside: { ...aDatabaseNamed(name, group), dependsOn: "one" },
});

const importingTwo = ({ fact }: StoryScene, group: string, name?: string) => ({
  two: aGroup({ ...TENANTS, name: "two" }, { import: fact("two") }),
  ...inOne(group, name),
});

async function createTwo(scene: StoryScene): Promise<void> {
  scene.facts.two = await createGroup(scene, "two");
}

test(
  "with `driftDetection: on-refresh`, refuses to move a database to a group that the same update imports",
  story({
    settings: { driftDetection: "on-refresh" },
    past: createTwo,
    before: inOne("one"),
    next: [
      ...[({ fact }: StoryScene) => fact("two").toUpperCase(), () => "two"].map((spelled) => ({
        wished: (scene: StoryScene) => importingTwo(scene, spelled(scene)),
        expected: ({ firstId, fact }: StoryScene) => ({
          fails: replacementByImport({
            kind: "database",
            moved: { kind: "group", from: firstId("one"), to: fact("two") },
            property: "group",
          }).answer,
          databases: { inside: firstId("inside") },
        }),
      })),
      {
        // The name of the database says nothing of a group.
        wished: (scene) => importingTwo(scene, "one", "two"),
        preview: false,
        up: { changes: { inside: "replace name" }, says: [/without its data/] },
      },
    ],
  }),
);

test(
  "moves a database to a group that the same update imports",
  story({
    past: createTwo,
    before: inOne("one"),
    wished: (scene) => importingTwo(scene, "two"),
    preview: { changes: { two: "import", inside: "replace group" }, says: [/without its data/] },
    up: false,
  }),
);

const older = aDatabaseNamed("older");

test(
  "refuses to delete a live database in an update that imports databases, until the next update",
  story({
    async past({ here, facts }) {
      facts.newer = await here.createDatabase("newer");
      facts.newest = await here.createDatabase("newest");
    },
    before: {
      older,
      limits: aConfiguration({ database: dbIdOf("older") }),
      gone: { ...aDatabaseNamed("gone"), dependsOn: "older" },
    },
    outside: ({ here, firstId }) => here.deleteDatabase(firstId("gone")),
    wished: ({ fact }) => ({
      newer: aDatabase({ name: "newer", group: "default" }, { import: fact("newer") }),
      newest: aDatabase({ name: "newest", group: "default" }, { import: fact("newest") }),
    }),
    expected: { says: [databaseDeleted("gone")] },
    preview: { changes: { newer: "import", newest: "import", gone: "delete", limits: "delete", older: "delete" } },
    up: ({ firstId, fact }) => ({
      fails: deletionBesideImport({ id: firstId("older"), importedIds: [fact("newer"), fact("newest")] }).advice,
      databases: { older: firstId("older"), newer: fact("newer"), newest: fact("newest") },
    }),
    afterwards: async ({ stack }) =>
      expect([...(await stack.managed()).keys()].sort()).toEqual(["newer", "newest", "older"]),
    next: [
      {
        expected: { changes: { older: "delete" } },
        up: ({ fact }) => ({ databases: { newer: fact("newer"), newest: fact("newest") } }),
      },
    ],
  }),
);

test(
  "keeps the old database when its resource imports a different one, even if the first update fails",
  story({
    settings: { driftDetection: "on-refresh" },
    async past({ here, facts }) {
      facts.other = await here.createDatabase("other");
    },
    before: { orders },
    wished: ({ fact }) => ({
      orders: aDatabase({ name: "other", group: "default" }, { import: fact("other") }),
      failing: aDatabaseNamed("failing", "none"),
    }),
    preview: false,
    up: { fails: "none" },
    next: [
      {
        wished: ({ fact }) => ({ orders: aDatabase({ name: "other", group: "default" }, { import: fact("other") }) }),
        preview: false,
        up: ({ firstId, fact }) => ({
          changes: { orders: "delete" },
          says: [`Kept database "orders" (${firstId("orders")})`],
          databases: { orders: firstId("orders"), other: fact("other") },
        }),
      },
    ],
  }),
);

const imported =
  (name: string) =>
  ({ fact }: StoryScene) => ({
    orders: aDatabase({ name, group: "default" }, { protect: true, import: fact("older") }),
  });

test(
  "repairs a stack whose state marks a live database as replaced after a failed import",
  story({
    settings: { driftDetection: "on-refresh" },
    past: olderNamesake,
    before: { orders },
    wished: imported("orders"),
    preview: false,
    up: ({ firstId }) => ({ fails: restoredDatabaseNameTaken({ name: "orders", id: firstId("orders") }) }),
    next: [
      {
        preview: ({ firstId }) => ({ fails: restoredDatabaseNameTaken({ name: "orders", id: firstId("orders") }) }),
        up: false,
      },
      {
        wished: imported("orders-old"),
        preview: false,
        up: ({ firstId, fact }) => ({
          changes: { orders: "update delete deletedAt name" },
          says: [databaseRestored("orders-old"), `\`import: "${firstId("orders")}"\``],
          databases: { orders: firstId("orders"), "orders-old": fact("older") },
        }),
      },
    ],
  }),
);
