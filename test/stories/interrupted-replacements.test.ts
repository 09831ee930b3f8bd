// @module-tag no-database-is-lost
// @module-tag tokens
// @module-tag previews-are-true

import { expect, test } from "vitest";
import { RESTORE_BEFORE_REPLACEMENT, replacedIsGone, replacementOfRestoredRefused } from "../../kit/lifecycle/messages";
import { newObjectPlanned } from "../../kit/lifecycle/restore/messages";
import { emptyBecauseLost, nameInUseBesideDeleted, nameInUseByReplaced } from "../../kit/lifecycle/taken/messages";
import { dataLeftBehind } from "../../provider/resources/database/messages";
import {
  aConfiguration,
  aDatabase,
  aDatabaseNamed,
  aGroup,
  anApiToken,
  aRotation,
  type Declarations,
  idOf,
  TENANTS,
  tenants,
} from "./declarations";
import {
  databaseDeleted,
  databaseRestored,
  databaseRestorePlanned,
  groupRestored,
  groupRestorePlanned,
} from "./messages";
import { groupNamed, organizationSlug } from "./outside";
import { type Story, type StoryScene, story } from "./story";

const FIVE_DAYS_S = 5 * 86_400;
const UNDO = "undo the change that replaces it";
const BUSY = { status: 422, body: { error: "busy" }, times: 99 } as const;
const TITLE = 'database "orders"';
const ON_REFRESH = { driftDetection: "on-refresh" };

const clearFaults = ({ here }: StoryScene) => here.api.clearFaults();

const failRestores = ({ here }: StoryScene) => void here.api.fault({ operation: "restoreDatabase", ...BUSY });

const restoreAs = ({ here: { api, outside }, firstId }: StoryScene, name: string) =>
  outside.restoreDatabase({ organizationId: api.organizationId, databaseId: firstId("orders"), body: { name } });

const ordersIn = (group: string): Declarations => ({ orders: aDatabaseNamed("orders", group) });

/** The beginning of a story in which a replacement has deleted the old database, but could not create the new one. */
const interrupted = {
  before: ordersIn("default"),
  outside: ({ here }: StoryScene) => void here.api.fault({ operation: "createDatabase", ...BUSY }),
  wished: ordersIn("other"),
  preview: false,
  up: {
    fails: ["busy", /can be restored .*until 2026-03-06 12:00 UTC/, UNDO],
    writes: ["deleteDatabaseById"],
    databases: {},
  },
  afterwards: clearFaults,
} satisfies Story;

const managesOrdersAgain = ({ firstId }: StoryScene) => ({
  changes: { orders: "replace" },
  says: [databaseRestored("orders")],
  databases: { orders: firstId("orders") },
});

const configured = (group: string): Declarations => ({
  ...ordersIn(group),
  limits: aConfiguration({ database: idOf("orders"), blockReads: true }),
});

test(
  "restores the old database when a failed replacement is taken back, also in a second attempt",
  story({
    ...interrupted,
    before: configured("default"),
    wished: configured("other"),
    preview: ({ firstId }) => ({
      changes: { orders: "replace group", limits: "replace" },
      says: [
        dataLeftBehind({
          title: TITLE,
          id: firstId("orders"),
          restorableUntil: "2026-03-06T12:00:00Z",
          isDeletedFirst: true,
        }),
      ],
    }),
    next: [
      { preview: { changes: { orders: "replace group", limits: "replace database" }, says: [UNDO] }, up: false },
      {
        // Pulumi itself refuses an import of the id that the interrupted replacement still has.
        wished: ({ firstId }) => ({
          orders: aDatabase({ name: "orders", group: "default" }, { import: firstId("orders") }),
        }),
        preview: false,
        up: { fails: "previously-imported resources that still specify an ID may not be replaced" },
      },
      {
        outside: failRestores,
        wished: configured("default"),
        preview: ({ firstId }) => ({
          changes: { orders: "replace", limits: "replace blockReads" },
          says: [databaseRestorePlanned("orders", firstId("orders"))],
        }),
        up: { fails: "busy" },
        afterwards: clearFaults,
      },
      {
        preview: false,
        up: (scene) => ({
          ...managesOrdersAgain(scene),
          changes: { orders: "replace", limits: "replace blockReads" },
          writes: ["restoreDatabase", "updateDatabaseConfiguration"],
        }),
      },
      { wished: {}, preview: { changes: { orders: "delete", limits: "delete" } }, up: false },
    ],
  }),
);

test(
  "creates the new database of a failed replacement that the program keeps",
  story({
    ...interrupted,
    next: [
      {
        preview: false,
        up: ({ firstId }) => ({ changes: { orders: "replace group" }, says: [`\`import: "${firstId("orders")}"\``] }),
        afterwards: ({ firstId, managed }) => expect(managed("orders").id).not.toBe(firstId("orders")),
      },
    ],
  }),
);

test(
  "creates another database than a failed replacement, if the program now asks for that",
  story({
    ...interrupted,
    next: [{ wished: { orders: aDatabaseNamed("sales") }, expected: { changes: { orders: "replace name" } } }],
  }),
);

test(
  "with `driftDetection: on-refresh`, replaces the database only after the failed replacement was taken back",
  story({
    settings: ON_REFRESH,
    ...interrupted,
    before: configured("default"),
    wished: configured("other"),
    next: [
      { preview: false, up: { fails: RESTORE_BEFORE_REPLACEMENT } },
      {
        outside: failRestores,
        wished: configured("default"),
        preview: false,
        up: { fails: "busy" },
        afterwards: clearFaults,
      },
      {
        preview: false,
        up: (scene) => ({
          ...managesOrdersAgain(scene),
          changes: { orders: "replace", limits: "replace blockReads" },
        }),
      },
      {
        wished: configured("other"),
        preview: false,
        up: {
          changes: { orders: "replace group", limits: "replace" },
          says: [/without its data/, /If the database is retained/],
        },
        afterwards: ({ firstId, managed }) => expect(managed("orders").id).not.toBe(firstId("orders")),
      },
    ],
  }),
);

const rotated = (group: string): Declarations => ({
  ...ordersIn(group),
  rotation: aRotation({ database: idOf("orders"), triggers: { turn: "1" } }),
});

test(
  "with `driftDetection: on-refresh`, says nothing of an old rotation that has the id of the new one",
  story({
    settings: ON_REFRESH,
    ...interrupted,
    before: rotated("default"),
    wished: rotated("other"),
    next: [
      {
        wished: rotated("default"),
        preview: false,
        up: (scene) => ({
          ...managesOrdersAgain(scene),
          changes: { orders: "replace", rotation: "replace" },
          says: [databaseRestored("orders"), "This update rotates no key"],
        }),
      },
    ],
  }),
);

test.each(["orders", "orders-back"])(
  "refuses to replace a database that was restored as %s after a failed replacement, and manages it again",
  (name) =>
    story({
      ...interrupted,
      next: [
        {
          outside: (scene) => restoreAs(scene, name),
          expected: { fails: replacementOfRestoredRefused({ kind: "database" }).advice },
        },
        {
          wished: ordersIn("default"),
          expected: ({ firstId }) => ({ changes: { orders: "replace" }, databases: { [name]: firstId("orders") } }),
          up: { writes: [] },
          // The next update renames it.
          ...(name !== "orders" && { isUnsettled: true }),
        },
      ],
    })(),
);

test(
  "with `driftDetection: on-refresh`, manages a database again that was restored after a failed replacement",
  story({
    settings: ON_REFRESH,
    ...interrupted,
    next: [
      {
        outside: (scene) => restoreAs(scene, "orders"),
        preview: false,
        up: ({ firstId }) => ({
          fails: nameInUseByReplaced({ kind: "database", name: "orders", id: firstId("orders"), isRead: false }).advice,
        }),
      },
      {
        wished: ordersIn("default"),
        expected: ({ firstId }) => ({ changes: { orders: "replace" }, databases: { orders: firstId("orders") } }),
        up: { writes: [] },
      },
    ],
  }),
);

test(
  "with `driftDetection: on-refresh`, manages a database again that was restored under another name",
  story({
    settings: ON_REFRESH,
    ...interrupted,
    next: [
      {
        outside: (scene) => restoreAs(scene, "orders-back"),
        wished: ordersIn("default"),
        expected: ({ firstId }) => ({
          changes: { orders: "replace" },
          databases: { "orders-back": firstId("orders") },
        }),
        up: { writes: [] },
        isUnsettled: true,
      },
    ],
  }),
);

const teamIn = (location: string): Declarations => ({
  team: aGroup({ name: "team", location, forceDestroy: true }),
  orders: aDatabaseNamed("orders", idOf("team")),
  generated: aDatabase({ group: idOf("team") }),
});

test.each(["always", "on-refresh"])(
  "with `driftDetection: %s`, restores a group and its databases under their names after a failed replacement",
  (driftDetection) =>
    story({
      settings: { driftDetection },
      before: teamIn("aws-us-east-1"),
      async outside({ here, managed, facts }) {
        facts.generated = String(managed("generated").outputs.name);
        here.api.fault({ operation: "createGroup", ...BUSY });
      },
      wished: teamIn("aws-eu-west-1"),
      preview: false,
      up: { fails: "busy", writes: ["deleteDatabaseById", "deleteDatabaseById", "deleteGroup"], databases: {} },
      afterwards: clearFaults,
      next: [
        {
          wished: teamIn("aws-us-east-1"),
          preview: ({ firstId, fact }) => ({
            changes: { team: "replace", orders: "replace", generated: "replace" },
            says: [
              groupRestorePlanned("team", firstId("team")),
              databaseRestorePlanned("orders", firstId("orders")),
              databaseRestorePlanned(fact("generated"), firstId("generated")),
            ],
          }),
          up: ({ firstId, fact }) => ({
            changes: { team: "replace", orders: "replace", generated: "replace" },
            says: [groupRestored("team"), databaseRestored("orders"), databaseRestored(fact("generated"))],
            databases: { orders: firstId("orders"), [fact("generated")]: firstId("generated") },
          }),
        },
      ],
    })(),
);

test(
  "replaces a group whose databases a failed replacement has deleted, but not the group itself",
  story({
    before: teamIn("aws-us-east-1"),
    outside: ({ here }) => void here.api.fault({ operation: "deleteGroup", ...BUSY }),
    wished: teamIn("aws-eu-west-1"),
    preview: false,
    up: { fails: "busy", writes: ["deleteDatabaseById", "deleteDatabaseById"], databases: {} },
    afterwards: clearFaults,
    next: [{ preview: false, up: { changes: { team: "replace location", orders: "replace", generated: "replace" } } }],
  }),
);

const failedReplacementOfGroup = {
  before: { tenants },
  outside: ({ here }: StoryScene) => void here.api.fault({ operation: "createGroup", ...BUSY }),
  wished: { tenants: aGroup({ ...TENANTS, location: "aws-eu-west-1" }) },
  preview: false,
  up: { fails: "busy", writes: ["deleteGroup"] },
  afterwards: clearFaults,
} satisfies Story;

test(
  "manages a group again that was restored after a failed replacement, and makes another change of the program",
  story({
    ...failedReplacementOfGroup,
    next: [
      {
        outside: ({ here: { api, outside }, firstId }) =>
          outside.restoreGroup({ organizationId: api.organizationId, groupId: firstId("tenants") }),
        wished: { tenants: aGroup({ ...TENANTS, deleteProtection: true }) },
        expected: { changes: { tenants: "replace deleteProtection" } },
        up: { writes: ["updateGroupConfiguration"] },
        afterwards: ({ managed, firstId }) => expect(managed("tenants").id).toBe(firstId("tenants")),
      },
    ],
  }),
);

test(
  "keeps a group that it restores, although it could not set all of its properties",
  story({
    ...failedReplacementOfGroup,
    next: [
      {
        outside: ({ here }) => void here.api.fault({ operation: "updateGroupConfiguration", ...BUSY }),
        wished: { tenants: aGroup({ ...TENANTS, deleteProtection: true }) },
        preview: false,
        // The engine then calls Delete for the old object.
        continuesOnError: true,
        up: { fails: "busy", writes: ["restoreGroup"] },
        async afterwards(scene) {
          expect(await groupNamed(scene, "tenants")).toMatchObject({ uuid: scene.firstId("tenants") });
          clearFaults(scene);
        },
      },
      { preview: false, up: { changes: { tenants: "update deleteProtection" } } },
    ],
  }),
);

const inUseBesideDeleted = ({ firstId, fact }: StoryScene) =>
  nameInUseBesideDeleted({
    kind: "database",
    name: "orders",
    id: fact("second"),
    replaced: { title: TITLE, id: firstId("orders"), isRestorable: true, secrets: [] },
  }).advice;

test(
  "explains both ways out if another database has the name of a failed replacement",
  story({
    ...interrupted,
    next: [
      {
        async outside({ here, facts }) {
          facts.second = await here.createDatabase("orders", "other");
        },
        expected: (scene) => ({ fails: inUseBesideDeleted(scene) }),
      },
      { wished: ordersIn("default"), expected: (scene) => ({ fails: inUseBesideDeleted(scene) }) },
      {
        // The first way: manage the other database.
        wished: ({ fact }) => ({
          "orders-2": aDatabase({ name: "orders", group: "other" }, { import: fact("second") }),
        }),
        preview: false,
        up: ({ fact }) => ({ changes: { "orders-2": "import" }, databases: { orders: fact("second") } }),
        afterwards: ({ stack }) => stack.forget("orders-2"),
      },
      {
        // The second way: restore the old one.
        wished: ({ firstId }) => ({
          "orders-old": aDatabase({ name: "orders-old", group: "default" }, { import: firstId("orders") }),
        }),
        preview: false,
        up: ({ firstId, fact }) => ({
          changes: { "orders-old": "import update deletedAt name" },
          says: [databaseDeleted("orders", { by: "nobody" }), databaseRestored("orders-old")],
          databases: { orders: fact("second"), "orders-old": firstId("orders") },
        }),
      },
    ],
  }),
);

const isLost = ({ firstId }: StoryScene) => replacedIsGone({ title: TITLE, id: firstId("orders"), isRestorable: true });

test(
  "says that the old database of a failed replacement can no longer be restored",
  story({
    ...interrupted,
    next: [
      {
        outside: ({ here }) => here.api.advance(FIVE_DAYS_S + 1),
        wished: ordersIn("default"),
        preview: (scene) => ({
          changes: { orders: "replace" },
          says: [`${isLost(scene)}. ${newObjectPlanned({ kind: "database", isRestorable: true, isDeclared: true })}`],
        }),
        up: false,
      },
      { outside: interrupted.outside, preview: false, up: (scene) => ({ fails: isLost(scene) }) },
    ],
  }),
);

test(
  "does not say that the old database is gone if it cannot be read after the creation has failed",
  story({
    before: ordersIn("default"),
    outside({ here: { api } }) {
      api.fault({ operation: "createDatabase", ...BUSY });
      // Read and Diff find the database, but Create does not.
      api.fault({ operation: "retrieveDatabaseById", latency: 1, times: 2 });
      api.fault({ operation: "retrieveDatabaseById", ...BUSY });
    },
    wished: { orders: aDatabaseNamed("sales") },
    preview: false,
    up: { fails: ["could not create database", /^(?!.*no longer exists)/s] },
  }),
);

test(
  "says after a failed update that a database deleted more than five days ago is created empty",
  story({
    before: ordersIn("default"),
    async outside({ here, firstId }) {
      await here.deleteDatabase(firstId("orders"));
      await here.api.advance(FIVE_DAYS_S + 1);
      here.api.fault({ operation: "createDatabase", ...BUSY });
    },
    preview: false,
    up: { fails: "busy" },
    next: [
      {
        preview: {
          changes: { orders: "create" },
          says: [emptyBecauseLost({ kind: "database", name: "orders", deletedAt: "2026-03-01T12:00:00Z" })],
        },
        up: false,
      },
    ],
  }),
);

const ci = (version: string, name = "ci"): Declarations => ({ ci: anApiToken({ name, keepers: { version } }) });

test(
  "leads to a token with its value after the interrupted replacement of a token with its own name",
  story({
    before: ci("1"),
    outside: ({ here }) => void here.api.fault({ operation: "createApiToken", ...BUSY }),
    wished: ci("2"),
    preview: false,
    up: ({ firstId }) => ({
      fails: replacedIsGone({ title: 'API token "ci"', id: firstId("ci"), isRestorable: false }),
      writes: ["revokeApiToken"],
    }),
    afterwards: clearFaults,
    next: [
      {
        // The token that a killed update has created, but not recorded.
        async outside({ here, facts }) {
          const body = { organization: organizationSlug };
          facts.lost = (await here.outside.createApiToken({ tokenName: "ci", body })).id;
        },
        expected: ({ firstId, fact }) => ({
          fails: nameInUseBesideDeleted({
            kind: "API token",
            name: "ci",
            id: fact("lost"),
            replaced: { title: 'API token "ci"', id: firstId("ci"), isRestorable: false, secrets: ["token"] },
          }).advice,
        }),
      },
      {
        wished: ci("2", "ci-2"),
        preview: false,
        up: { changes: { ci: "replace keepers name" } },
        afterwards: async ({ secret }) => expect(await secret("ci")).toMatch(/^eyJ/),
      },
      {
        wished: ({ fact }) => ({ ...ci("2", "ci-2"), leftover: anApiToken({ name: "ci" }, { import: fact("lost") }) }),
        preview: false,
        up: { changes: { leftover: "import" }, says: ["shows `token` only at creation"] },
      },
      {
        wished: ci("2", "ci-2"),
        preview: false,
        up: { changes: { leftover: "delete" } },
        async afterwards({ here }) {
          const names = (await here.outside.listApiTokens({ organizationSlug })).tokens.map(({ name }) => name);
          expect(names).toContain("ci-2");
          expect(names).not.toContain("ci");
        },
      },
    ],
  }),
);
