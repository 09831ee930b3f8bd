// @module-tag no-database-is-lost
// @module-tag previews-are-true
// @module-tag clear-messages

import { test } from "vitest";
import { emptyDespiteDeleted } from "../../kit/lifecycle/taken/messages";
import { groupNamePlanned, groupNameReused, groupRestoredToo } from "../../provider/resources/database/messages";
import {
  aConfiguration,
  aDatabase,
  aDatabaseNamed,
  aGroup,
  aGroupToken,
  anApiToken,
  aRotation,
  type Declarations,
  dbIdOf,
  idOf,
  TENANTS,
  tenants,
} from "./declarations";
import {
  databaseDeleted,
  databaseRestored,
  databaseRestorePlanned,
  groupDeleted,
  groupRestored,
  groupRestorePlanned,
  RESTORABLE,
} from "./messages";
import { createGroup, deleteGroup, withOrganizationId } from "./outside";
import { NOON, type StoryScene, story } from "./story";

type Kind = "database" | "group";
type Remedy = Parameters<typeof emptyDespiteDeleted>[0]["remedy"];

const empty = (kind: Kind, name: string, id: string, remedy: Remedy = "importHere"): string =>
  emptyDespiteDeleted({ kind, name, deleted: { id, deletedAt: NOON, restorable: RESTORABLE }, remedy });

/** Creates a group with a database, and deletes both. */
async function deletedTenants(scene: StoryScene): Promise<void> {
  const { here, facts } = scene;
  facts.tenants = await createGroup(scene, "tenants");
  facts.inside = await here.createDatabase("inside", "tenants");
  await deleteGroup(scene, "tenants");
}

test(
  "warns once when a new resource takes the name of a deleted database or group",
  story({
    async past(scene) {
      scene.facts.orders = await scene.here.createDatabase("orders");
      await scene.here.deleteDatabase(scene.fact("orders"));
      scene.facts.tenants = await createGroup(scene, "tenants");
      await deleteGroup(scene, "tenants");
    },
    wished: { orders: aDatabaseNamed("orders"), tenants, unrelated: aDatabase({ group: "default" }) },
    expected: { changes: { orders: "create", tenants: "create", unrelated: "create" } },
    preview: ({ fact }) => ({
      says: [empty("database", "orders", fact("orders")), empty("group", "tenants", fact("tenants"))],
    }),
    up: ({ fact }) => ({
      says: [
        empty("database", "orders", fact("orders"), "importElsewhere"),
        empty("group", "tenants", fact("tenants"), "renameFirst"),
      ],
    }),
  }),
);

test(
  "prints steps that restore a deleted group whose name is in use again",
  story({
    past: deletedTenants,
    wished: { tenants },
    expected: { changes: { tenants: "create" } },
    preview: ({ fact }) => ({ says: [empty("group", "tenants", fact("tenants"))] }),
    up: ({ fact }) => ({ says: [empty("group", "tenants", fact("tenants"), "renameFirst")] }),
    next: [
      {
        wished: ({ fact }) => ({
          tenants: aGroup({ ...TENANTS, name: "tenants-new" }),
          old: aGroup(TENANTS, { import: fact("tenants"), dependsOn: "tenants" }),
        }),
        expected: ({ fact }) => ({
          changes: { tenants: "update name", old: "import update deletedAt" },
          says: [groupDeleted("tenants", { inside: fact("inside") }, { by: "nobody" })],
          databases: { inside: fact("inside") },
        }),
        preview: ({ fact }) => ({ says: [groupRestorePlanned("tenants", fact("tenants"))] }),
        up: { says: [groupRestored("tenants")] },
      },
    ],
  }),
);

/** The new group is the first one that the stack manages under this name. */
const nameReused = ({ fact, firstId }: StoryScene): string =>
  groupNameReused({ groupName: "tenants", groupId: fact("tenants"), successor: firstId("tenants") });

const urn = "urn:pulumi:dev::test::dbplatform:index:Group::tenants";

test(
  "refuses to import a database if a new group takes the name of its deleted group",
  story({
    past: deletedTenants,
    wished: ({ fact }) => ({
      tenants,
      inside: aDatabase({ name: "inside", group: idOf("tenants") }, { import: fact("inside") }),
    }),
    preview: ({ fact }) => ({
      fails: groupNamePlanned({ groupName: "tenants", groupId: fact("tenants"), urn, isInStack: false }),
    }),
    up: (scene) => ({ fails: nameReused(scene), writes: ["createGroup"] }),
    next: [
      { preview: (scene) => ({ fails: nameReused(scene) }), up: false },
      {
        wished: ({ fact }) => ({
          tenants: aGroup({ ...TENANTS, name: "tenants-new" }),
          inside: aDatabase(
            { name: "inside", group: fact("tenants") },
            { import: fact("inside"), dependsOn: "tenants" },
          ),
        }),
        expected: ({ fact }) => ({
          changes: { tenants: "update name", inside: "update deletedAt" },
          says: [databaseDeleted("inside", { withGroup: true })],
          databases: { inside: fact("inside") },
        }),
        preview: ({ fact }) => ({
          says: [
            databaseRestorePlanned("inside", fact("inside")),
            groupRestoredToo({ groupName: "tenants", groupId: fact("tenants"), isInStack: false }),
          ],
        }),
        up: { says: [databaseRestored("inside")] },
      },
    ],
  }),
);

test(
  "warns about each database that is created again after an incomplete `destroy`",
  story({
    before: {
      kept: aDatabaseNamed("kept"),
      protection: aConfiguration({ database: dbIdOf("kept"), deleteProtection: true }),
      one: aDatabaseNamed("one"),
      two: aDatabaseNamed("two"),
    },
    wished: {},
    preview: false,
    up: ({ firstId }) => ({
      fails: /delete-protected/,
      writes: ["deleteDatabaseById", "deleteDatabaseById"],
      databases: { kept: firstId("kept") },
    }),
    next: [
      {
        wished: {
          kept: aDatabaseNamed("kept"),
          protection: aConfiguration({ database: dbIdOf("kept"), deleteProtection: true }),
          one: aDatabaseNamed("one"),
          two: aDatabaseNamed("two"),
        },
        expected: { changes: { protection: "create", one: "create", two: "create" } },
        preview: ({ firstId }) => ({ says: ["one", "two"].map((name) => empty("database", name, firstId(name))) }),
        up: ({ firstId }) => ({
          says: ["one", "two"].map((name) => empty("database", name, firstId(name), "importElsewhere")),
        }),
      },
    ],
  }),
);

const deleteOrders = ({ here, firstId }: StoryScene) => here.deleteDatabase(firstId("orders"));

const isAliasAdvised = (id: string, slot: string): RegExp =>
  new RegExp(`${id}.*add \`aliases: \\["urn:\\S*::${slot}"\\]\``);

test(
  "advises `aliases` if the stack manages what was deleted under another logical name",
  story({
    before: { orders: aDatabaseNamed("orders"), tenants, inside: aDatabaseNamed("inside", idOf("tenants")) },
    async outside(scene) {
      await deleteOrders(scene);
      await deleteGroup(scene, "tenants");
    },
    wished: {
      purchases: aDatabaseNamed("orders"),
      renamed: tenants,
      inside: aDatabaseNamed("inside", idOf("renamed")),
    },
    preview: ({ firstId }) => ({
      says: [
        databaseDeleted("orders"),
        groupDeleted("tenants", { inside: firstId("inside") }),
        isAliasAdvised(firstId("orders"), "orders"),
        isAliasAdvised(firstId("tenants"), "tenants"),
      ],
      fails: "follow the warning about that group",
    }),
    up: false,
  }),
);

const ORDERS = { name: "orders", group: "default" };
const replaced = { replaceOnChanges: ["deletedAt"] };

test(
  "advises against `replaceOnChanges`, which replaces a deleted database under its name or under another",
  story({
    before: { orders: aDatabaseNamed("orders"), generated: aDatabase({ group: "default" }) },
    async outside(scene) {
      await deleteOrders(scene);
      await scene.here.deleteDatabase(scene.firstId("generated"));
    },
    wished: { orders: aDatabase(ORDERS, replaced), generated: aDatabase({ group: "default" }, replaced) },
    expected: {
      changes: { orders: "replace deletedAt", generated: "replace deletedAt" },
      says: [databaseDeleted("orders"), /Database "generated-\w+" was deleted/],
    },
    preview: ({ firstId }) => ({
      says: ["orders", "generated"].map((name) => new RegExp(`^A new.*${firstId(name)}.*remove \`deletedAt\``)),
    }),
    up: ({ firstId }) => ({
      says: ["orders", "generated"].map((name) => new RegExp(`^A new.*${firstId(name)}.*declare a second resource`)),
    }),
  }),
);

test(
  "does not call a new database empty that has a seed",
  story({
    async past({ here, facts }) {
      facts.orders = await here.createDatabase("orders");
      await here.deleteDatabase(facts.orders);
      await here.createDatabase("source");
    },
    wished: { orders: aDatabase({ ...ORDERS, seed: { database: "source" } }) },
    preview: ({ fact }) => ({
      changes: { orders: "create" },
      says: [new RegExp(`^A new database .*${fact("orders")}`)],
    }),
    up: false,
    next: [
      {
        outside: ({ here }) => here.api.advance(5 * 86_400 + 1),
        expected: { changes: { orders: "create" } },
      },
    ],
  }),
);

const importedTenants = ({ fact }: StoryScene) => aGroup(TENANTS, { import: fact("tenants") });

test(
  "refuses a new database whose name belongs to a database that is restored with its group",
  story({
    past: deletedTenants,
    wished: (scene) => ({ tenants: importedTenants(scene), inside: aDatabaseNamed("inside", idOf("tenants")) }),
    expected: ({ fact }) => ({ fails: `\`import: "${fact("inside")}"\`` }),
    up: ({ fact }) => ({ writes: ["restoreGroup"], databases: { inside: fact("inside") } }),
    next: [
      {
        wished: (scene) => ({
          tenants: importedTenants(scene),
          inside: aDatabase({ name: "inside", group: idOf("tenants") }, { import: scene.fact("inside") }),
        }),
        expected: ({ fact }) => ({ changes: { inside: "import" }, databases: { inside: fact("inside") } }),
      },
    ],
  }),
);

test(
  "restores a database with its group despite `ignoreChanges`, and refuses `replaceOnChanges`",
  story({
    before: { tenants, inside: aDatabaseNamed("inside", idOf("tenants")) },
    outside: (scene) => deleteGroup(scene, "tenants"),
    wished: { tenants, inside: aDatabase({ name: "inside", group: idOf("tenants") }, replaced) },
    preview: ({ firstId }) => ({ fails: [firstId("inside"), "remove `deletedAt` (or `*`) from `replaceOnChanges`"] }),
    up: false,
    next: [
      {
        wished: {
          tenants,
          inside: aDatabase({ name: "inside", group: idOf("tenants") }, { ignoreChanges: ["deletedAt"] }),
        },
        expected: ({ firstId }) => ({
          changes: { tenants: "update deletedAt" },
          says: [
            groupDeleted("tenants", { inside: firstId("inside") }),
            new RegExp(
              `This update restores database "inside" \\(${firstId("inside")}\\) .* although \`ignoreChanges\``,
            ),
          ],
          databases: { inside: firstId("inside") },
        }),
        preview: ({ firstId }) => ({ says: [groupRestorePlanned("tenants", firstId("tenants"))] }),
        up: { says: [groupRestored("tenants")] },
      },
    ],
  }),
);

test(
  "refuses to restore a database whose name another database has taken",
  story({
    before: { orders: aDatabaseNamed("orders") },
    async outside(scene) {
      await deleteOrders(scene);
      scene.facts.other = await scene.here.createDatabase("orders");
    },
    expected: ({ fact }) => ({
      fails: new RegExp(`"orders".*${fact("other")}.*another \`name\``),
      databases: { orders: fact("other") },
    }),
  }),
);

const inTenants = (name: string) => ({ tenants, orders: aDatabaseNamed(name, idOf("tenants")) });

test(
  "restores a database with its group under its old name if the new one is taken, but not if both are",
  story({
    async past({ here, facts }) {
      facts.sales = await here.createDatabase("sales", "other");
    },
    before: inTenants("orders"),
    outside: (scene) => deleteGroup(scene, "tenants"),
    wished: inTenants("sales"),
    preview: ({ firstId }) => ({
      changes: { tenants: "update deletedAt", orders: "update deletedAt name" },
      says: [
        groupDeleted("tenants", { orders: firstId("orders") }),
        groupRestorePlanned("tenants", firstId("tenants")),
      ],
    }),
    up: false,
    next: [
      {
        outside: ({ here }) => here.createDatabase("orders", "other"),
        preview: ({ fact }) => ({ fails: new RegExp(`"sales".*${fact("sales")}.*another \`name\``) }),
        up: false,
      },
    ],
  }),
);

/** A chapter that only previews what the preview refuses. */
const refusal = (wished: Declarations, fails: (scene: StoryScene) => string | RegExp) => ({
  wished,
  preview: (scene: StoryScene) => ({ fails: fails(scene) }),
  up: false as const,
});

test(
  "does not mistake a database for a group of the same name",
  story({
    before: { namesake: aDatabaseNamed("tenants") },
    outside: ({ here, firstId }) => here.deleteDatabase(firstId("namesake")),
    preview: false,
    up: false,
    next: [
      ...[
        aDatabaseNamed("orders", "tenants"),
        aGroupToken({ group: "tenants" }),
        anApiToken({ name: "ci", group: "tenants", scopes: ["read"] }),
        aRotation({ group: "tenants" }),
      ].map((refers) => refusal({ namesake: aDatabaseNamed("tenants"), refers }, () => 'no group "tenants"')),
      {
        wished: {
          created: aDatabaseNamed("created"),
          orders: { ...aDatabaseNamed("orders", "created"), dependsOn: "created" },
        },
        expected: { fails: /no group "created".*"default", "other"/ },
        up: { writes: ["createDatabase"] },
      },
    ],
  }),
);

test(
  "does not mistake a group for a database of the same name",
  story({
    wished: { tenants, copy: aDatabase({ name: "copy", group: "default", seed: { database: "tenants" } }) },
    expected: { fails: 'no database "tenants"' },
    up: { writes: ["createGroup"] },
  }),
);

/** Creates and deletes a database and a group, twice. */
async function deletedTwice(scene: StoryScene): Promise<void> {
  const { here, facts } = scene;
  for (const time of ["first", "second"]) {
    facts[time] = await here.createDatabase("orders");
    await here.deleteDatabase(facts[time]);
    facts[`${time} group`] = await createGroup(scene, "tenants");
    await deleteGroup(scene, "tenants");
    await here.api.advance(3600);
  }
}

const importing = (name: string) => ({ orders: aDatabase(ORDERS, { import: name }) });

/** Matches the options that import these objects, in this order. */
const optionsIn =
  (...facts: readonly string[]) =>
  ({ fact }: StoryScene): RegExp =>
    new RegExp(facts.map((name) => `\`import: "${fact(name)}"\``).join(".*"), "s");

test(
  "lists what had the name, latest first, if a resource imports a name instead of an id",
  story({
    past: deletedTwice,
    next: [
      refusal(importing("orders"), () => /not by its name. No live database is named "orders"/),
      refusal(importing("orders"), optionsIn("second", "first")),
      refusal({ tenants: aGroup(TENANTS, { import: "tenants" }) }, optionsIn("second group", "first group")),
      {
        async outside({ here, facts }) {
          facts.live = await here.createDatabase("orders");
        },
        ...refusal(importing("orders"), optionsIn("live", "second", "first")),
      },
      refusal(importing("order"), () => /No live or restorable database is named "order"$/),
      {
        // The credential cannot list deleted databases.
        async outside({ here, fact }) {
          await here.deleteDatabase(fact("live"));
          here.api.fault({ operation: "listDeletedDatabases", status: 403 });
        },
        ...refusal(importing("orders"), () => /No live database is named "orders"$/),
      },
    ],
  }),
);

const isPinned =
  (kind: Kind) =>
  ({ fact }: StoryScene): RegExp =>
    new RegExp(`pinned to group ${fact("tenants")} and sees no live (or restorable )?${kind} named`);

test(
  "does not call a name free if the credential sees only one group",
  story({
    settings: withOrganizationId,
    async past(scene) {
      const { here, stack, facts } = scene;
      facts.tenants = await createGroup(scene, "tenants");
      await here.createDatabase("orders");
      stack.useToken(await here.api.token({ group: "tenants", scopes: ["full-access"] }));
    },
    next: [
      refusal(importing("orders"), isPinned("database")),
      refusal({ other: aGroup({ ...TENANTS, name: "default" }, { import: "default" }) }, isPinned("group")),
    ],
  }),
);
