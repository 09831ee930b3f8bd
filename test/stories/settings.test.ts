// @module-tag no-database-is-lost
// @module-tag clear-messages

import { expect, test } from "vitest";
import { settingsTakenOver } from "../../kit/lifecycle/messages";
import { ownerDeleted } from "../../kit/lifecycle/restore/messages";
import {
  configurationOfRetained,
  configurationUnmanaged,
  referenceToDeleted,
} from "../../provider/resources/database/messages";
import { firstTriggersRecorded } from "../../provider/resources/token/messages";
import {
  aConfiguration,
  aDatabase,
  aDatabaseNamed,
  aDatabaseToken,
  aRotation,
  type Declarations,
  dbIdOf,
  organizationSettings,
} from "./declarations";
import { databaseDeleted, databaseRestored, databaseRestorePlanned } from "./messages";
import { configurationOf, organizationSlug } from "./outside";
import { type Expectation, type StoryScene, story } from "./story";

const BLOCKED = { property: "blockWrites", is: true, byDefault: false };
const UNREADABLE = { property: "blockReads", is: true, byDefault: false };
const PROTECTED = { property: "deleteProtection", is: true, byDefault: false };
const LIMITED = { property: "allowedIps", is: ["10.0.0.0/8"], byDefault: [] };

const databases = Object.fromEntries(
  ["u", "v", "w", "x", "y", "z"].map((name) => [name, aDatabase({ name, group: "default", sizeLimit: "1gb" })]),
);

const settingsOf = (database: string, wanted: object) => aConfiguration({ database: dbIdOf(database), ...wanted });

const BEFORE: Declarations = {
  ...databases,
  a: settingsOf("x", { blockWrites: true }),
  b: settingsOf("y", { blockReads: true }),
  c: settingsOf("z", { blockWrites: true, blockReads: true, allowedIps: ["10.0.0.0/8"], deleteProtection: true }),
  e: settingsOf("v", { blockWrites: true }),
  i: settingsOf("u", { blockWrites: true }),
};

const AFTER: Declarations = {
  ...databases,
  a: settingsOf("y", { blockWrites: true }),
  b: settingsOf("x", { blockReads: true }),
  d: settingsOf("z", { blockReads: true }),
  e: settingsOf("w", { blockWrites: true }),
  f: settingsOf("v", { blockReads: false }),
};

const takenOver = (
  { firstId }: StoryScene,
  database: string,
  rest: Omit<Parameters<typeof settingsTakenOver>[0], "subject">,
) => settingsTakenOver({ subject: `database ${firstId(database)}`, ...rest });

const moved = (scene: StoryScene): string[] => [
  takenOver(scene, "x", { from: "a", to: "b", remaining: [BLOCKED] }),
  takenOver(scene, "y", { from: "b", to: "a", remaining: [UNREADABLE] }),
  takenOver(scene, "v", { from: "e", to: "f", remaining: [BLOCKED] }),
];

const renamed = (scene: StoryScene): string =>
  takenOver(scene, "z", { from: "c", to: "d", remaining: [BLOCKED, PROTECTED, LIMITED] });

test.each([
  ["is read before each update", "always"],
  ["is read only on `--refresh`", "on-refresh"],
])(
  "lists each setting that stays in force on a database that another resource configures, if it %s",
  (_, driftDetection) =>
    story({
      settings: { driftDetection },
      before: BEFORE,
      wished: AFTER,
      expected: (scene): Expectation => ({
        changes: {
          a: "replace database",
          b: "replace database",
          c: "delete",
          d: "create",
          e: "replace database",
          f: "create",
          i: "delete",
        },
        says: moved(scene),
      }),
      // Without a read, a preview does not know what the deleted resource has set.
      preview: (scene) => ({ says: driftDetection === "on-refresh" ? [] : [renamed(scene)] }),
      up: (scene) => ({
        says: [renamed(scene), configurationUnmanaged({ id: scene.firstId("u"), assignments: ["blockWrites: true"] })],
      }),
      async afterwards(scene) {
        expect(await configurationOf(scene, "x")).toMatchObject({ block_reads: true, block_writes: true });
        expect(await configurationOf(scene, "z")).toMatchObject({
          delete_protection: true,
          allowed_ips: ["10.0.0.0/8"],
        });
      },
      next: [
        {
          // The messages say what to write to lift or to keep the settings.
          wished: {
            ...AFTER,
            b: settingsOf("x", { blockReads: true, blockWrites: false }),
            d: settingsOf("z", { blockReads: true, blockWrites: false, deleteProtection: true, allowedIps: [] }),
          },
          preview: false,
          up: { changes: { b: "update blockWrites", d: "update allowedIps blockWrites deleteProtection" } },
          async afterwards(scene) {
            expect(await configurationOf(scene, "x")).toMatchObject({ block_reads: true, block_writes: false });
            expect(await configurationOf(scene, "z")).toMatchObject({ block_writes: false, delete_protection: true });
          },
        },
      ],
    })(),
);

const limited = (wanted: object) => ({
  orders: aDatabaseNamed("orders"),
  limits: { ...settingsOf("orders", { blockWrites: true, sizeLimit: "1gb", ...wanted }), ignoreChanges: ["sizeLimit"] },
});

const deleteOrders = ({ here, firstId }: StoryScene) => here.deleteDatabase(firstId("orders"));

const reapplied: Expectation = {
  changes: { orders: "update deletedAt", limits: "update blockReads blockWrites" },
  says: [databaseDeleted("orders")],
  writes: ["restoreDatabase", "updateDatabaseConfiguration"],
};

test(
  "reapplies the configuration in the same update that restores its database, but not what the program ignores",
  story({
    before: limited({ blockReads: true }),
    outside: deleteOrders,
    expected: reapplied,
    preview: ({ firstId }) => ({ says: [databaseRestorePlanned("orders", firstId("orders"))] }),
    up: { says: [databaseRestored("orders")] },
    next: [
      {
        outside: deleteOrders,
        wished: limited({}),
        expected: reapplied,
        preview: ({ firstId }) => ({ says: [databaseRestorePlanned("orders", firstId("orders"))] }),
        up: { says: [databaseRestored("orders")] },
        async afterwards(scene) {
          expect(scene.managed("limits").outputs).not.toHaveProperty("blockReads");
          expect(await configurationOf(scene, "orders")).toMatchObject({ block_reads: false, block_writes: true });
        },
      },
    ],
  }),
);

test(
  "says once, for two removed databases, which restrictions remain if they are retained",
  story({
    before: {
      orders: aDatabaseNamed("orders"),
      shop: aDatabaseNamed("shop"),
      a: settingsOf("orders", { blockWrites: true }),
      b: settingsOf("shop", { blockWrites: true }),
    },
    wished: {},
    preview: false,
    up: {
      changes: { orders: "delete", shop: "delete", a: "delete", b: "delete" },
      says: [configurationOfRetained({ assignments: ["blockWrites: true"] })],
    },
  }),
);

test(
  "reports the restore deadline when a database that another stack manages is deleted",
  story({
    async past({ here, facts }) {
      facts.elsewhere = await here.createDatabase("elsewhere");
    },
    before: ({ fact }: StoryScene) => ({ limits: aConfiguration({ database: fact("elsewhere"), blockWrites: true }) }),
    outside: ({ here, fact }) => here.deleteDatabase(fact("elsewhere")),
    expected: ({ fact }) => ({
      says: [
        ownerDeleted({
          kind: "database configuration",
          container: { kind: "database", id: fact("elsewhere"), message: databaseDeleted("elsewhere") },
        }),
      ],
    }),
  }),
);

test(
  "refuses to configure a deleted database, and prints the import that restores it",
  story({
    async past({ here, facts }) {
      facts.elsewhere = await here.createDatabase("elsewhere");
      await here.deleteDatabase(facts.elsewhere);
    },
    wished: ({ fact }) => ({
      limits: aConfiguration({ database: fact("elsewhere"), blockWrites: true }),
      token: aDatabaseToken({ database: fact("elsewhere") }),
      rotation: aRotation({ database: fact("elsewhere"), triggers: { first: "1" } }),
    }),
    expected: ({ fact }) => ({ fails: referenceToDeleted({ id: fact("elsewhere"), deletion: "", isInStack: false }) }),
    next: [
      {
        wished: ({ fact }) => ({
          limits: aConfiguration({ database: fact("elsewhere"), blockWrites: true }, { import: fact("elsewhere") }),
        }),
        expected: ({ fact }) => ({ fails: `\`import: "${fact("elsewhere")}"\`` }),
      },
      {
        wished: ({ fact }) => ({
          elsewhere: aDatabase({ name: "elsewhere", group: "default" }, { import: fact("elsewhere") }),
          limits: settingsOf("elsewhere", { blockWrites: true }),
          token: aDatabaseToken({ database: dbIdOf("elsewhere") }),
          rotation: aRotation({ database: dbIdOf("elsewhere"), triggers: { first: "1" } }),
        }),
        expected: ({ fact }) => ({
          changes: { elsewhere: "import update deletedAt", limits: "create", token: "create", rotation: "create" },
          says: [databaseDeleted("elsewhere", { by: "nobody" }), firstTriggersRecorded({ hasValue: true })],
          databases: { elsewhere: fact("elsewhere") },
        }),
        preview: ({ fact }) => ({ says: [databaseRestorePlanned("elsewhere", fact("elsewhere"))] }),
        up: { says: [databaseRestored("elsewhere")] },
      },
    ],
  }),
);

test(
  "lists the settings of an organization that another resource takes over",
  story({
    before: { former: organizationSettings({ overages: true, requireMfa: true }) },
    wished: { next: organizationSettings({ overages: false }) },
    expected: {
      changes: { former: "delete", next: "create" },
      says: [/organization "acme".*former.*next.*`requireMfa: true`/s],
      writes: ["updateOrganization"],
    },
    afterwards: async ({ here }) =>
      expect((await here.outside.retrieveOrganization({ organizationSlug })).organization).toMatchObject({
        overages: false,
        require_mfa: true,
      }),
  }),
);
