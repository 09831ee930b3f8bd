// @module-tag no-database-is-lost

import { test } from "vitest";
import { keptDespiteImport, operationImpossible, replacementByImport } from "../../kit/lifecycle/messages";
import { importOverLive } from "../../kit/lifecycle/restore/messages";
import { aDatabase, aGroup, idOf, inGroup, TENANTS, tenants } from "./declarations";
import { createGroup, isDeleted, isRestored, willBeRestored } from "./outside";
import { type StoryScene, story } from "./story";

const orders = aDatabase({ name: "orders", group: "default" }, { protect: true });

/** Deletes a database whose name the program then uses. */
async function olderNamesake({ here, facts }: StoryScene): Promise<void> {
  facts.older = await here.database("orders");
  await here.delete(facts.older);
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
        expected: ({ id, fact }: StoryScene) => ({
          fails: [
            importOverLive({ managed: { title: 'database "orders"', id: id("orders") }, id: fact("older") }),
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
        expected: ({ id, fact }) => ({
          changes: { restored: "import update deletedAt name" },
          says: [isDeleted("orders", { by: "nobody" })],
          databases: { orders: id("orders"), "orders-old": fact("older") },
        }),
        preview: ({ fact }) => ({ says: [willBeRestored("orders", fact("older"))] }),
        up: { says: [isRestored("orders-old")] },
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
    up: ({ id, fact }) => ({
      changes: { orders: "import update delete deletedAt name" },
      says: [
        isDeleted("orders", { by: "nobody" }),
        isRestored("orders-old"),
        keptDespiteImport({
          title: 'database "orders"',
          id: id("orders"),
          importedId: fact("older"),
          isDeclared: true,
        }),
      ],
      databases: { orders: id("orders"), "orders-old": fact("older") },
    }),
    next: [
      {
        wished: ({ id, fact }) => ({
          orders: aDatabase({ name: "orders-old", group: "default" }, { protect: true, import: fact("older") }),
          kept: aDatabase({ name: "orders", group: "default" }, { import: id("orders") }),
        }),
        preview: false,
        up: ({ id, fact }) => ({
          changes: { kept: "import" },
          databases: { orders: id("orders"), "orders-old": fact("older") },
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
    before: { tenants, inside: inGroup("inside", idOf("tenants")) },
    next: [
      // The first `up` fails, but has recorded the import in the state.
      ...[1, 2].map(() => ({
        wished: importing,
        expected: ({ id, fact }: StoryScene) => ({
          fails: [
            operationImpossible({ operation: "replace", object: `database "inside" (${id("inside")})` }),
            replacementByImport({
              kind: "database",
              moved: { kind: "group", from: id("tenants"), to: fact("others") },
              property: "group",
            }).answer,
          ].join(": "),
          databases: { inside: id("inside") },
        }),
      })),
      {
        wished: (scene) => ({ ...importing(scene), inside: inGroup("inside", scene.id("tenants")) }),
        preview: false,
        up: ({ id, fact }) => ({
          changes: { tenants: "delete" },
          says: [
            keptDespiteImport({
              title: 'group "tenants"',
              id: id("tenants"),
              importedId: fact("others"),
              isDeclared: true,
            }),
          ],
          databases: { inside: id("inside") },
        }),
      },
    ],
  }),
);
