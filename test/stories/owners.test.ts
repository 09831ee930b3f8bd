// @module-tag no-database-is-lost
// @module-tag previews-are-true
// @module-tag all-drift-is-shown

import { expect, test } from "vitest";
import { deletedWithReplaced } from "../../kit/lifecycle/messages";
import type { Operation } from "../../platform/contract/api";
import type { Declared, Value } from "../fake-engine/declared-program";
import {
  aConfiguration,
  aDatabaseNamed,
  aDatabaseToken,
  aGroup,
  aGroupToken,
  anApiToken,
  dbIdOf,
  idOf,
  TENANTS,
} from "./declarations";
import { databaseDeleted } from "./messages";
import { deleteGroup, groupNamed } from "./outside";
import { story } from "./story";

const groupIn = (location: string) => aGroup({ ...TENANTS, location, forceDestroy: true });
const tenants = groupIn("aws-us-east-1");

const still = (what: string) => new RegExp(`the program still declares ${what}`);

// The engine sees no dependency on a group that a literal names.
test.each<[string, Declared, Operation]>([
  ['API token "ci"', anApiToken({ name: "ci", group: "tenants", scopes: ["read"] }), "createApiToken"],
  ["group token", aGroupToken({ group: "tenants" }), "createGroupTokenById"],
  ['database "orders"', aDatabaseNamed("orders", "tenants"), "createDatabase"],
])("refuses to delete a group in which the same update creates %s", (title, declared, operation) =>
  story({
    before: { tenants },
    wished: { declared },
    preview: { changes: { declared: "create", tenants: "delete" } },
    up: { fails: still(title), writes: [operation] },
    afterwards: async (scene) =>
      expect(await groupNamed(scene, "tenants")).toMatchObject({ uuid: scene.firstId("tenants") }),
  })(),
);

const orders = aDatabaseNamed("orders");
const limits = (database: Value) => aConfiguration({ database, blockWrites: true });

test(
  "keeps a database for which the same update issues a token, but not its configuration",
  story({
    before: { orders, limits: limits(dbIdOf("orders")) },
    wished: ({ firstId }) => ({ app: aDatabaseToken({ database: firstId("orders").toUpperCase() }) }),
    preview: false,
    up: ({ firstId }) => ({
      fails: still("database token"),
      writes: ["createDatabaseTokenById"],
      databases: { orders: firstId("orders") },
    }),
    afterwards: ({ managed }) => expect(() => managed("limits")).toThrow(),
  }),
);

test(
  "removes a deleted database from the state, even if its configuration is still declared",
  story({
    before: { orders },
    wished: ({ firstId }) => ({ orders, limits: limits(firstId("orders")) }),
    preview: false,
    up: { changes: { limits: "create" } },
    next: [
      {
        outside: ({ here, firstId }) => here.deleteDatabase(firstId("orders")),
        wished: ({ firstId }) => ({ limits: limits(firstId("orders")) }),
        expected: { changes: { orders: "delete" }, says: [databaseDeleted("orders")] },
      },
    ],
  }),
);

test(
  "refuses to delete a group that the same update restores with a declared database",
  story({
    before: { tenants, inside: { ...aDatabaseNamed("inside", "tenants"), dependsOn: "tenants" } },
    outside: (scene) => deleteGroup(scene, "tenants"),
    wished: { inside: aDatabaseNamed("inside", "tenants") },
    preview: false,
    up: ({ firstId }) => ({
      fails: still(`database "inside" \\(${firstId("inside")}\\)`),
      writes: ["restoreDatabase"],
      databases: { inside: firstId("inside") },
    }),
  }),
);

const literally = (location: string) => ({
  tenants: groupIn(location),
  ci: anApiToken({ name: "ci", group: "tenants", scopes: ["read"] }, { dependsOn: "tenants" }),
  wide: { ...aGroupToken({ group: "tenants" }), dependsOn: "tenants" },
});

test(
  "replaces the tokens of a group that is replaced under the same name",
  story({
    before: literally("aws-us-east-1"),
    wished: literally("aws-eu-west-1"),
    expected: { changes: { tenants: "replace location", ci: "replace groupId", wide: "replace groupId" } },
    up: { says: [/^A SQL-engine token cannot be revoked/] },
  }),
);

test(
  "replaces a token whose group an option of Pulumi replaces, of which no comparison speaks",
  story({
    before: literally("aws-us-east-1"),
    wished: {
      ...literally("aws-us-east-1"),
      tenants: aGroup(
        { ...TENANTS, forceDestroy: true, locations: ["aws-eu-west-1"] },
        { replaceOnChanges: ["locations"], deleteBeforeReplace: true },
      ),
    },
    preview: false,
    up: {
      changes: { tenants: "replace locations", ci: "replace groupId", wide: "replace groupId" },
      says: [/^A new, empty group/, /^A SQL-engine token cannot be revoked/],
    },
  }),
);

test.each(["before", "after"])(
  "refuses to replace a group that the program declares %s a database with the group's literal name",
  (place) => {
    const program = (location: string, group: Value = "tenants") => {
      const [one, other] = [{ tenants: groupIn(location) }, { inside: aDatabaseNamed("inside", group) }];
      return place === "before" || group !== "tenants" ? { ...one, ...other } : { ...other, ...one };
    };
    const moved = program("aws-eu-west-1", idOf("tenants"));
    return story({
      before: { tenants },
      wished: program("aws-us-east-1"),
      preview: false,
      up: { changes: { inside: "create" } },
      next: [
        {
          wished: program("aws-eu-west-1"),
          expected: ({ firstId }) => ({
            fails: deletedWithReplaced({ kind: "group", inside: `database "inside" (${firstId("inside")})` }).answer,
            databases: { inside: firstId("inside") },
          }),
        },
        {
          wished: moved,
          expected: ({ firstId }) => ({
            fails: deletedWithReplaced({ kind: "group", inside: `database "inside" (${firstId("inside")})` }).answer,
            databases: { inside: firstId("inside") },
          }),
        },
        // Follows the message. The engine then shows and deletes the database first.
        { wished: program("aws-us-east-1", idOf("tenants")), preview: false, up: {} },
        {
          wished: moved,
          expected: { changes: { tenants: "replace location", inside: "replace" }, says: [/without its data/] },
        },
      ],
    })();
  },
);

test(
  "reports a deleted database to its configuration that the program renames with an alias",
  story({
    async past({ here, facts }) {
      facts.orders = await here.createDatabase("orders");
    },
    before: ({ fact }) => ({ limits: limits(fact("orders")) }),
    outside: ({ here, fact }) => here.deleteDatabase(fact("orders")),
    wished: ({ fact }) => ({ renamed: { ...limits(fact("orders")), formerName: "limits" } }),
    expected: { says: ["This database configuration belongs to that database"] },
  }),
);
