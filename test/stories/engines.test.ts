// @module-tag no-database-is-lost
// @module-tag previews-are-true

import { expect, test } from "vitest";
import { aDatabase, dbIdOf } from "./declarations";
import { databaseDeleted, databaseRestored, databaseRestorePlanned } from "./messages";
import { organizationSlug } from "./outside";
import { type StoryScene, story } from "./story";

const orders = (engine?: "libsql" | "tursodb", more: object = {}) => ({
  orders: aDatabase({ name: "orders", group: "default", ...(engine && { engine }), ...more }),
});

const engineOf = async ({ here }: StoryScene, databaseName: string) =>
  (await here.outside.retrieveDatabase({ organizationSlug, databaseName })).database.engine;

test(
  "creates a database with the chosen engine, and replaces it for another one, which its preview says",
  story({
    wished: orders("tursodb"),
    preview: false,
    up: { changes: { orders: "create" }, writes: ["createDatabase"] },
    async afterwards(scene) {
      expect(await engineOf(scene, "orders")).toBe("tursodb");
      expect(scene.managed("orders").outputs.engine).toBe("tursodb");
    },
    next: [
      { wished: orders(), expected: { changes: {} }, up: { writes: [] } },
      {
        wished: orders("libsql"),
        expected: { changes: { orders: "replace engine" }, says: [/without its data.*`seed: \{ dumpFile \}`/] },
        up: { writes: ["deleteDatabaseById", "createDatabase"] },
        async afterwards(scene) {
          expect(await engineOf(scene, "orders")).toBe("libsql");
          expect(scene.managed("orders").id).not.toBe(scene.firstId("orders"));
        },
      },
    ],
  }),
);

test.each(["always", "on-refresh"])(
  "manages no engine that the program does not choose, and asks which one the platform has chosen (%s)",
  (driftDetection) =>
    story({
      settings: { driftDetection },
      wished: orders(),
      preview: false,
      up: { changes: { orders: "create" }, writes: ["createDatabase"] },
      afterwards: ({ managed }) => expect(managed("orders").outputs).not.toHaveProperty("engine"),
      next: [
        { wished: orders("libsql"), expected: { changes: {} }, up: { writes: [] } },
        { wished: orders("tursodb"), preview: { changes: { orders: "replace engine" }, says: [/engine/] }, up: false },
      ],
    })(),
);

test(
  "restores a deleted database with its engine",
  story({
    before: orders("tursodb"),
    outside: ({ here, firstId }) => here.deleteDatabase(firstId("orders")),
    expected: {
      changes: { orders: "update deletedAt" },
      says: [databaseDeleted("orders")],
      writes: ["restoreDatabase"],
    },
    preview: ({ firstId }) => ({ says: [databaseRestorePlanned("orders", firstId("orders"))] }),
    up: { says: [databaseRestored("orders")] },
    afterwards: ({ managed, firstId }) =>
      expect(managed("orders")).toMatchObject({ id: firstId("orders"), outputs: { engine: "tursodb" } }),
  }),
);

test(
  "refuses to restore a deleted database that the program wants with another engine",
  story({
    before: orders("tursodb"),
    outside: ({ here, firstId }) => here.deleteDatabase(firstId("orders")),
    wished: orders("libsql"),
    expected: { fails: /engine/ },
  }),
);

test(
  "imports a deleted database with its engine, and replaces none whose engine is not known",
  story({
    past: async ({ here, facts }) => {
      const { database } = await here.outside.createDatabase({
        organizationSlug,
        body: { name: "orders", group: "default", use_tursodb: true },
      });
      facts.id = database.DbId;
      await here.deleteDatabase(database.DbId);
    },
    wished: ({ fact }) => ({
      orders: aDatabase({ name: "orders", group: "default", engine: "tursodb" }, { import: fact("id") }),
    }),
    preview: false,
    up: {
      changes: { orders: "import update deletedAt" },
      writes: ["restoreDatabase"],
      says: [/^Restored database "orders"/, /was deleted/],
    },
    afterwards: ({ managed, fact }) =>
      expect(managed("orders")).toMatchObject({ id: fact("id"), outputs: { engine: "tursodb" } }),
  }),
);

test(
  "refuses in the preview to copy a database to another engine",
  story({
    before: orders("libsql"),
    wished: {
      ...orders("libsql"),
      copy: aDatabase({ name: "copy", group: "default", engine: "tursodb", seed: { database: dbIdOf("orders") } }),
    },
    expected: { fails: /engine: .*"orders" runs on libsql/ },
  }),
);

test(
  "says that the data stays behind when a database is renamed whose engine is not the program's",
  story({
    async past({ here, facts }) {
      facts.id = await here.createDatabase("orders");
      await here.deleteDatabase(facts.id);
    },
    wished: ({ fact }) => ({
      orders: aDatabase({ name: "orders", group: "default", engine: "tursodb" }, { import: fact("id") }),
    }),
    preview: false,
    up: {
      says: [/can be restored/, /with its data\.$/, /does not cause a replacement/],
      changes: { orders: "import update deletedAt" },
    },
    isUnsettled: true,
    next: [
      {
        wished: { orders: aDatabase({ name: "sales", group: "default", engine: "tursodb" }) },
        preview: {
          changes: { orders: "replace engine name" },
          says: [/without its data, by one with another `engine`/],
        },
        up: false,
      },
    ],
  }),
);
