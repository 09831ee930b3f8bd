// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import {
  deletionSkipped,
  deletionUndecided,
  oneOfSeveralIsDeleted,
  replacedIsDeletedNow,
  replacedIsKept,
  replacedIsLeft,
  replacedIsTakenBack,
} from "../../kit/lifecycle/messages";
import { emptyByOption } from "../../kit/lifecycle/taken/messages";
import type { Fault } from "../../platform/reference/faults/faults";
import { aDatabase, aGroup, anApiToken, type Declarations, idOf } from "./declarations";
import { databaseDeleted, databaseRestored } from "./messages";
import { createGroup } from "./outside";
import { type StoryScene, story } from "./story";

const RESTORABLE_UNTIL = "2026-03-06T12:00:00.000Z";
const BUSY = { status: 422, body: { error: "busy" } } as const;

const FIRST = { place: "default", location: "aws-us-east-1", version: "1", suffix: "" };
const SECOND = { place: "other", location: "aws-eu-west-1", version: "2", suffix: "-2" };

/** Databases, a group and tokens, with generated and fixed names. */
const shop = ({ place: group, location, version, suffix } = FIRST): Declarations => ({
  orders: aDatabase({ group }),
  fixed: aDatabase({ group, name: `fixed${suffix}` }),
  team: aGroup({ location, forceDestroy: true }),
  ci: anApiToken({ keepers: { version } }),
  deploy: anApiToken({ name: `deploy${suffix}`, keepers: { version } }),
});
const ALL = Object.keys(shop());

const orders = (group: string): Declarations => ({ orders: aDatabase({ group }) });
const named = (name: string, group: string): Declarations => ({ orders: aDatabase({ name, group }) });

const KINDS: Readonly<Record<string, readonly [noun: string, brings: string]>> = {
  team: ["group", "with its databases and their data"],
  ci: ["API token", ""],
  deploy: ["API token", ""],
};

/** Notes the objects that the resources of the stack manage now, as the first or the second ones. */
const noteIds =
  (which: "first" | "second", slots: readonly string[]) =>
  ({ facts, managed }: StoryScene) => {
    for (const slot of slots)
      Object.assign(facts, {
        [`${which} ${slot}`]: managed(slot).id,
        [`name of ${which} ${slot}`]: managed(slot).outputs.name,
      });
  };

const nameOf = ({ fact }: StoryScene, slot = "orders", which = "first") => fact(`name of ${which} ${slot}`);

/** Returns the facts that messages contain about a noted object. */
function object(scene: StoryScene, slot = "orders", which: "first" | "second" = "first") {
  const [noun, brings] = KINDS[slot] ?? ["database", "with its data"];
  return {
    title: `${noun} "${nameOf(scene, slot, which)}"`,
    id: scene.fact(`${which} ${slot}`),
    brings,
    ...(brings && { restorableUntil: RESTORABLE_UNTIL }),
  };
}

const clearFaults = ({ here }: StoryScene) => here.api.clearFaults();

const failDeletions = ({ here }: StoryScene, answer: Omit<Fault, "operation"> = BUSY) => {
  for (const operation of ["deleteDatabaseById", "deleteGroup", "revokeApiToken"] as const)
    here.api.fault({ operation, times: 99, ...answer });
};

/** The beginning of a story in which the replacements of the first objects could not delete these. */
const failedDeletions = (
  before: Declarations,
  wished: Declarations,
  { answer, isRead = true }: { answer?: Omit<Fault, "operation">; isRead?: boolean } = {},
) => ({
  before,
  async outside(scene: StoryScene) {
    noteIds("first", Object.keys(before))(scene);
    failDeletions(scene, answer);
  },
  wished,
  preview: false as const,
  up: (scene: StoryScene) => ({
    fails: replacedIsLeft({ ...object(scene, Object.keys(before)[0]), isRead }),
    writes: {
      inAnyOrder: Object.values(wished).map(
        ({ type }) => `create${type}` as "createApiToken" | "createDatabase" | "createGroup",
      ),
    },
  }),
  afterwards(scene: StoryScene) {
    noteIds("second", Object.keys(wished))(scene);
    scene.here.api.clearFaults();
  },
});

const takenBack = (scene: StoryScene, slot = "orders") =>
  replacedIsTakenBack({ ...object(scene, slot), managed: object(scene, slot, "second") });

test.each([
  ["HTTP 422", BUSY],
  ["HTTP 403", { status: 403, body: { error: "forbidden" } }],
  ["a lost response", { reset: "before" }],
] as const)("manages the old objects of a replacement again after deletions that ended with %s", (_, answer) =>
  story({
    ...failedDeletions(shop(), shop(SECOND), { answer }),
    next: [
      {
        wished: shop(),
        expected: (scene) => ({
          changes: {
            orders: "replace group",
            fixed: "replace group name",
            team: "replace location",
            ci: "replace keepers",
            deploy: "replace keepers name",
          },
          says: ALL.map((slot) => takenBack(scene, slot)),
        }),
        afterwards: ({ managed, firstId }) => expect(ALL.map((slot) => managed(slot).id)).toEqual(ALL.map(firstId)),
      },
    ],
  })(),
);

const deletedNow = (scene: StoryScene, slot = "orders") => replacedIsDeletedNow(object(scene, slot));

test(
  "names the old objects before it deletes them",
  story({
    ...failedDeletions(shop(), shop(SECOND)),
    next: [
      {
        expected: (scene) => ({
          changes: Object.fromEntries(ALL.map((slot) => [slot, "delete"])),
          says: ALL.map((slot) => deletedNow(scene, slot)),
        }),
      },
    ],
  }),
);

test(
  "with `driftDetection: on-refresh`, names the old database when it deletes it",
  story({
    settings: { driftDetection: "on-refresh" },
    ...failedDeletions(orders("default"), orders("other"), { isRead: false }),
    next: [{ preview: false, up: (scene) => ({ changes: { orders: "delete" }, says: [deletedNow(scene)] }) }],
  }),
);

test(
  "names the old database before it deletes it for another replacement",
  story({
    ...failedDeletions(orders("default"), orders("other")),
    next: [
      {
        outside: (scene) => createGroup(scene, "third"),
        wished: orders("third"),
        expected: (scene) => ({
          changes: { orders: "replace group" },
          says: [deletedNow(scene), /^The change replaces database "orders-/],
        }),
      },
    ],
  }),
);

test(
  "names both databases before it deletes them with a resource that is removed",
  story({
    ...failedDeletions(orders("default"), orders("other")),
    next: [
      {
        wished: {},
        preview: false,
        up: (scene) => ({
          changes: { orders: "delete" },
          says: (["first", "second"] as const).map((which) => oneOfSeveralIsDeleted(object(scene, "orders", which))),
          databases: {},
        }),
      },
    ],
  }),
);

const deleteSecond = ({ here, fact }: StoryScene) => here.deleteDatabase(fact("second orders"));

test(
  "manages an old database again if its replacement was deleted outside",
  story({
    ...failedDeletions(orders("default"), orders("other")),
    next: [
      {
        outside: deleteSecond,
        wished: orders("default"),
        expected: (scene) => ({
          changes: { orders: "replace deletedAt" },
          says: [databaseDeleted(nameOf(scene, "orders", "second")), takenBack(scene)],
          databases: { [nameOf(scene)]: scene.firstId("orders") },
        }),
      },
    ],
  }),
);

test(
  "manages an old database that was renamed outside again, under its new name",
  story({
    ...failedDeletions(named("a", "default"), named("b", "other")),
    next: [
      {
        async outside({ here, firstId }) {
          await here.deleteDatabase(firstId("orders"));
          const { organizationId } = here.api;
          await here.outside.restoreDatabase({
            organizationId,
            databaseId: firstId("orders"),
            body: { name: "renamed" },
          });
        },
        wished: named("a", "default"),
        preview: false,
        up: ({ firstId }) => ({
          changes: { orders: "replace group name" },
          says: [/./],
          databases: { renamed: firstId("orders") },
        }),
        isUnsettled: true,
      },
    ],
  }),
);

const kept = (scene: StoryScene) => replacedIsKept({ kind: "database", ...object(scene), isReplacing: true });

test(
  "with `driftDetection: on-refresh`, keeps the old database, and manages it again as the message advises",
  story({
    settings: { driftDetection: "on-refresh" },
    ...failedDeletions(orders("default"), orders("other"), { isRead: false }),
    next: [
      {
        wished: orders("default"),
        preview: false,
        up: (scene) => ({
          changes: { orders: "replace group" },
          says: [kept(scene), /^The change replaces database/],
        }),
      },
      {
        wished: ({ firstId }) => ({
          ...orders("default"),
          again: aDatabase({ group: "default" }, { import: firstId("orders") }),
        }),
        preview: false,
        up: { changes: { again: "import" } },
      },
      {
        wished: ({ firstId }) => ({ again: aDatabase({ group: "default" }, { import: firstId("orders") }) }),
        preview: false,
        up: (scene) => ({
          changes: { orders: "delete" },
          databases: { [nameOf(scene)]: scene.firstId("orders") },
        }),
      },
    ],
  }),
);

test(
  "keeps an old database that a second resource imports",
  story({
    ...failedDeletions(orders("default"), orders("other")),
    next: [
      {
        wished: (scene) => ({
          ...orders("other"),
          again: aDatabase({ name: nameOf(scene), group: "default" }, { import: scene.firstId("orders") }),
        }),
        preview: false,
        up: (scene) => ({
          changes: { again: "import", orders: "delete" },
          says: [deletedNow(scene), deletionSkipped(object(scene))],
          databases: {
            [nameOf(scene)]: scene.firstId("orders"),
            [nameOf(scene, "orders", "second")]: scene.fact("second orders"),
          },
        }),
      },
    ],
  }),
);

test(
  "keeps the old objects in the stack if an update fails to manage them again",
  story({
    ...failedDeletions(named("a", "default"), named("b", "other")),
    next: [
      {
        async outside({ here, firstId }) {
          await here.deleteDatabase(firstId("orders"));
          here.api.fault({ operation: "restoreDatabase", times: 99, ...BUSY });
        },
        wished: named("a", "default"),
        preview: false,
        up: (scene) => ({
          fails: "busy",
          databases: { b: scene.fact("second orders") },
        }),
      },
      {
        outside: clearFaults,
        preview: false,
        up: (scene) => ({
          changes: { orders: "replace group name" },
          says: [databaseDeleted("a"), takenBack(scene), databaseRestored("a")],
          databases: { a: scene.firstId("orders") },
        }),
      },
    ],
  }),
);

const ci = (version: string): Declarations => ({ ci: anApiToken({ keepers: { version } }) });

test(
  "refuses to delete an old token if an update continues after it could not read the token to manage it again",
  story({
    ...failedDeletions(ci("1"), ci("2")),
    next: [
      {
        outside({ here: { api } }) {
          // Read and Diff find the tokens, but Create does not.
          api.fault({ operation: "listApiTokens", latency: 1, times: 2 });
          api.fault({ operation: "listApiTokens", times: 99, ...BUSY });
        },
        wished: ci("1"),
        preview: false,
        continuesOnError: true,
        up: { fails: ["could not list API tokens", deletionUndecided().answer] },
        afterwards: clearFaults,
      },
      {
        preview: false,
        up: (scene) => ({ changes: { ci: "replace keepers" }, says: [takenBack(scene, "ci")] }),
        afterwards: ({ managed, firstId }) => expect(managed("ci").id).toBe(firstId("ci")),
      },
    ],
  }),
);

const team = (location: string, more = {}): Declarations => ({
  team: aGroup({ location, forceDestroy: true, ...more }),
});
const withOrders = (location: string): Declarations => ({
  ...team(location),
  orders: aDatabase({ group: idOf("team") }),
});

test(
  "manages an old group again with its database",
  story({
    ...failedDeletions(withOrders("aws-us-east-1"), withOrders("aws-eu-west-1")),
    up: (scene) => ({
      fails: replacedIsLeft({ ...object(scene), isRead: true }),
      writes: ["createGroup", "createDatabase"],
    }),
    next: [
      {
        wished: withOrders("aws-us-east-1"),
        expected: (scene) => ({
          changes: { team: "replace location", orders: "replace group" },
          says: [takenBack(scene, "team"), takenBack(scene)],
        }),
        afterwards: ({ managed, firstId }) => expect(managed("orders").id).toBe(firstId("orders")),
      },
    ],
  }),
);

test(
  "refuses to delete an old group if an update continues after it could not manage the group again",
  story({
    ...failedDeletions(team("aws-us-east-1"), team("aws-eu-west-1")),
    next: [
      {
        outside: ({ here }) => void here.api.fault({ operation: "updateGroupConfiguration", times: 99, ...BUSY }),
        wished: team("aws-us-east-1", { deleteProtection: true }),
        preview: false,
        continuesOnError: true,
        up: { fails: ["busy", deletionUndecided().answer] },
        afterwards: clearFaults,
      },
      {
        preview: false,
        up: (scene) => ({ changes: { team: "replace deleteProtection location" }, says: [takenBack(scene, "team")] }),
        afterwards: ({ managed, firstId }) => expect(managed("team").id).toBe(firstId("team")),
      },
    ],
  }),
);

test(
  "with `driftDetection: on-refresh`, forgets an old database that is gone although its resource has no other one yet",
  story({
    settings: { driftDetection: "on-refresh" },
    ...failedDeletions(orders("default"), orders("other"), { isRead: false }),
    next: [
      {
        async outside(scene) {
          const { here, firstId } = scene;
          await createGroup(scene, "third");
          await here.deleteDatabase(firstId("orders"));
          await here.api.advance(6 * 86_400);
          here.api.fault({ operation: "createDatabase", times: 99, ...BUSY });
        },
        wished: orders("third"),
        preview: false,
        continuesOnError: true,
        up: { fails: /^(?!.*could not delete).*busy/s },
      },
    ],
  }),
);

test(
  "keeps an old database with a generated name if the name that replaced it is removed",
  story({
    ...failedDeletions(orders("default"), named("orders-1", "default")),
    next: [
      {
        wished: orders("default"),
        preview: false,
        up: (scene) => ({
          changes: { orders: "delete" },
          says: [replacedIsKept({ kind: "database", ...object(scene), isReplacing: false })],
          databases: { [nameOf(scene)]: scene.firstId("orders"), "orders-1": scene.fact("second orders") },
        }),
      },
    ],
  }),
);

const newIsLost = (scene: StoryScene) => [
  /^Database .* no longer exists/,
  emptyByOption({ kind: "database", ...object(scene), isSeeded: false }),
];

test(
  "names the way to keep an old object if the new one no longer exists, and keeps it then",
  story({
    ...failedDeletions(orders("default"), orders("other")),
    next: [
      {
        async outside(scene) {
          await scene.here.deleteDatabase(scene.fact("second orders"));
          await scene.here.api.advance(5 * 86_400 + 1);
        },
        preview: (scene) => ({
          changes: { orders: "replace" },
          says: newIsLost(scene),
        }),
        up: false,
      },
      {
        wished: (scene) => ({
          ...orders("other"),
          kept: aDatabase({ name: nameOf(scene), group: "default" }, { import: scene.fact("first orders") }),
        }),
        preview: false,
        up: (scene) => ({
          changes: { orders: "replace", kept: "import" },
          says: newIsLost(scene),
          writes: ["createDatabase"],
        }),
        afterwards: (scene) => expect(scene.managed("kept").id).toBe(scene.fact("first orders")),
      },
    ],
  }),
);
