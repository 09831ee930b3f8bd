// @module-tag no-database-is-lost
// @module-tag nothing-is-created-twice-or-adopted
// @module-tag secrets-stay-secret

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { Comparison, compare } from "../../kit/lifecycle/comparison";
import {
  createOnlyIgnored,
  createOnlyUsedAgain,
  operationImpossible,
  replacementImpossible,
  tokenLacksAccess,
} from "../../kit/lifecycle/messages";
import { nameProposer } from "../../kit/lifecycle/naming";
import { type Properties, UNKNOWN } from "../../kit/lifecycle/properties";
import type { Refusal } from "../../kit/refusal";
import { Run } from "../../kit/run";
import { check } from "../../kit/steps/check";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { createByImport } from "../../kit/steps/import";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { readImported, readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import type { ReferenceApiOptions } from "../../platform/reference/server";
import { conflictsWith, EMPTY, TIMESTAMP_INVALID } from "../../provider/messages";
import { scopesMissing } from "../../provider/permissions/messages";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import {
  copiedByReplacement,
  DUMP_PATH_IS_URL,
  DUMP_URL_INVALID,
  dataLeftBehind,
  dataLeftBehindWithGroup,
  dataPossiblyLeftBehind,
  dumpEmpty,
  dumpMissing,
  dumpNotFile,
  SEED_EMPTY,
  SEED_REPLACED,
  SIZE_LIMIT_CHANGE_ADVICE,
  seedDatabaseInvalid,
  seededInstead,
  seedSourceDeleted,
  seedSourceMissing,
  TIMESTAMP_WITHOUT_DATABASE,
  timestampInFuture,
  uploadFailed,
} from "../../provider/resources/database/messages";
import { DatabaseSeed, sameSeed } from "../../provider/resources/database/seed";
import { group } from "../../provider/resources/group/group";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";
const DUMP = "create table t (x); -- as long as it is";
const SIGNATURE = "X-Signature=s3cret";

const outside = ({ api }: LifecycleFixture) => clientOf(api, api.apiToken);

const recordOf = async (here: LifecycleFixture, databaseName: string) =>
  (await outside(here).retrieveDatabase({ organizationSlug, databaseName })).database;

const sizeOf = async (here: LifecycleFixture, databaseName: string) =>
  (await outside(here).retrieveDatabaseUsage({ organizationSlug, databaseName })).database.usage?.storage_bytes;

async function withOrders(...options: Parameters<typeof lifecycleFixture>) {
  const here = await lifecycleFixture(...options);
  const body = { name: "orders", group: "default" };
  const { DbId } = (await outside(here).createDatabase({ organizationSlug, body })).database;
  here.asked();
  return { here, orders: DbId };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "dbplatform-dumps-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

function dump(text = DUMP): string {
  const path = join(folder(), "orders.sql");
  writeFileSync(path, text);
  return path;
}

const copyOf = (seed: Properties, more: Properties = {}) => ({ name: "copy", group: "default", seed, ...more });

const refusalOf = async (work: Promise<unknown>): Promise<Refusal> =>
  work.then(
    () => expect.fail("nothing was refused"),
    (thrown) => thrown,
  );

describe("seed validation", () => {
  const checked = (seed: unknown, more: Properties = {}) =>
    check(database, {
      news: { group: "default", seed, ...more },
      olds: {},
      account: organizationSlug,
      propose: nameProposer({ logicalName: "copy", randomSeed: new Uint8Array(32) }),
    });
  const failuresOf = (seed: unknown) => checked(seed).failures.map(({ property, reason }) => `${property}: ${reason}`);

  test.each<[string, unknown, string]>([
    ["without a source", {}, `seed: ${SEED_EMPTY}`],
    ["with only a timestamp", { timestamp: "2026-11-20T08:00:00Z" }, `seed: ${SEED_EMPTY}`],
    [
      "with two sources",
      { database: "orders", dumpFile: "x" },
      `seed.dumpFile: ${conflictsWith({ other: "database" })}`,
    ],
    ["that is a string", "orders", "seed: must be an object, not a string"],
    ["with an unknown property", { database: "orders", at: "x" }, "seed: has no property `at`"],
    [
      "with a timestamp for a dump",
      { dumpFile: "x", timestamp: "2026-11-20T08:00:00Z" },
      `seed.timestamp: ${TIMESTAMP_WITHOUT_DATABASE}`,
    ],
    [
      "with a timestamp in words",
      { database: "orders", timestamp: "yesterday" },
      `seed.timestamp: ${TIMESTAMP_INVALID}`,
    ],
    ["with a timestamp without a time zone", { database: "o", timestamp: "2026-11-20T08:00:00" }, "seed.timestamp: "],
    [
      "with an invalid database name",
      { database: "My Orders" },
      `seed.database: ${seedDatabaseInvalid({ reason: "" })}`,
    ],
    ["with an empty path", { dumpFile: "" }, `seed.dumpFile: ${EMPTY}`],
    ["with an address instead of a path", { dumpFile: "https://x/y.sql" }, `seed.dumpFile: ${DUMP_PATH_IS_URL}`],
    ["with a path instead of an address", { dumpUrl: `orders.sql?${SIGNATURE}` }, `seed.dumpUrl: ${DUMP_URL_INVALID}`],
    ["with an FTP address", { dumpUrl: `ftp://x/y?${SIGNATURE}` }, `seed.dumpUrl: ${DUMP_URL_INVALID}`],
  ])("rejects a seed %s, and names the property without leaking secrets", (_, seed, expected) => {
    const failures = failuresOf(seed);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain(expected);
    expect(failures[0]).not.toContain("s3cret");
  });

  test.each<[string, unknown]>([
    ["with a database name", { database: "orders" }],
    ["with a DbId in uppercase", { database: "0A28102D-6906-11EE-8553-EAA7715AEAF2" }],
    ["with a timestamp", { database: "orders", timestamp: "2026-11-20T08:00:00.123+01:00" }],
    ["with a path", { dumpFile: "../orders.sql" }],
    ["with an address", { dumpUrl: "https://example.com/orders.sql" }],
    ["with an unknown database", { database: UNKNOWN }],
  ])("accepts a seed %s", (_, seed) => {
    expect(failuresOf(seed)).toEqual([]);
  });

  test("marks a seed as secret only if its URL has a part that the description of `dumpUrl` names", () => {
    const parts = {
      "a query": `https://x/y?${SIGNATURE}`,
      "a fragment": "https://x/y#z",
      "a user name": "https://a@x/y",
      "a password": "https://:b@x/y",
    };
    for (const [part, dumpUrl] of Object.entries(parts)) {
      expect(checked({ dumpUrl }).secrets).toEqual(["seed"]);
      expect(DatabaseSeed.shape.dumpUrl.description).toContain(part);
    }
    for (const seed of [{ dumpUrl: "https://x/y" }, { dumpFile: "y" }, { database: "orders" }])
      expect(checked(seed).secrets).toEqual([]);
  });

  test("adds no error about the seed if the database's `sizeLimit` is invalid", () => {
    expect(checked({ database: "orders" }, { sizeLimit: "big" }).failures).toMatchObject([{ property: "sizeLimit" }]);
  });
});

test("copies a database by name or DbId, as of now or an earlier time, and records the parent", async () => {
  const { here, orders } = await withOrders();
  const timestamp = (await here.api.clock.now()).toISOString();
  const seeds = [{ database: "orders" }, { database: orders, timestamp }, { database: orders.toUpperCase() }];
  for (const [index, seed] of seeds.entries()) {
    const name = `copy-${index}`;
    const context = here.again();
    const args = copyOf(seed, { name });
    const { id, state } = await create(database, args, context);
    const { parent } = await recordOf(here, name);
    expect(parent).toMatchObject({ id: orders, name: "orders" });
    expect(state).toMatchObject({ seed, parent: { dbId: orders, name: "orders", branchedAt: parent?.branched_at } });
    expect(await diff(database, { id, oldInputs: args, state, news: args }, context)).toMatchObject({
      differences: [],
    });
    for (const reading of [context, here.again()])
      expect((await readManaged(database, { id, inputs: args, state }, reading))?.state).toEqual(state);
    expect(await readImported(database, id, here.again())).toMatchObject({
      state: { parent: { dbId: orders } },
      inputs: expect.not.objectContaining({ seed: expect.anything() }),
    });
  }
  expect(here.said).toEqual([]);
});

test("uploads the whole dump once, and records only its path in the state", async () => {
  const { here } = await withOrders();
  const dumpFile = dump();
  const { id, state } = await create(database, copyOf({ dumpFile }, { sizeLimit: "1gb" }), here.context);
  // The provider lists databases only after the upload, because other users may create databases during the upload.
  const asked = here.asked();
  expect(asked.slice(asked.indexOf("uploadDump"))).toEqual([
    "uploadDump",
    "listDatabases",
    "listGroups",
    "createDatabase",
  ]);
  expect(await sizeOf(here, "copy")).toBe(DUMP.length);
  expect(state).toMatchObject({ dbId: id, seed: { dumpFile }, sizeLimit: "1gb" });
  expect(state).not.toHaveProperty("parent");
  expect(JSON.stringify(state)).not.toContain("create table");
  const configuration = await outside(here).retrieveDatabaseConfiguration({ organizationSlug, databaseName: "copy" });
  expect(configuration).toMatchObject({ size_limit: "1gb" });
});

test("passes a remote dump's URL to the platform, and never shows the URL's signature in an error", async () => {
  const { here } = await withOrders();
  const elsewhere = copyOf({ dumpUrl: `https://dumps.example.com/orders.sql?${SIGNATURE}` });
  expect((await create(database, elsewhere, here.context)).state).toMatchObject(elsewhere);
  const nobodys = `${here.api.url}/v1/organizations/acme/databases/dumps/00000000-0000-4000-8000-000000000000`;
  const args = copyOf({ dumpUrl: `${nobodys}?${SIGNATURE}` }, { name: "another" });
  const { message } = await refusalOf(create(database, args, here.context));
  expect(message).toContain(`no dump was uploaded to ${nobodys}[hidden]`);
});

const pinned = async (here: LifecycleFixture, scopes: string[]) => {
  const apiToken = await here.api.token({ group: "default", scopes });
  const settings = { apiToken, organizationId: here.api.organizationId, baseUrl: here.api.url };
  return lifecycleFixture({ settings });
};

describe("an invalid seed", () => {
  const future = new Date(Date.now() + 3_600_000).toISOString();
  const absent = "00000000-0000-4000-8000-000000000000";

  test.each<[string, () => Properties, string]>([
    [
      "an unknown database name",
      () => ({ database: "sales" }),
      `seed.database: ${seedSourceMissing({ source: '"sales"', organization: "acme" })}`,
    ],
    [
      "an unknown DbId",
      () => ({ database: absent }),
      `seed.database: ${seedSourceMissing({ source: absent, organization: "acme" })}`,
    ],
    ["a timestamp in the future", () => ({ database: "orders", timestamp: future }), "seed.timestamp: "],
    [
      "a missing dump file",
      () => ({ dumpFile: "no/such.sql" }),
      dumpMissing({ file: join(process.cwd(), "no/such.sql") }),
    ],
    ["a folder instead of a file", () => ({ dumpFile: folder() }), dumpNotFile({ file: "" })],
    ["an empty dump file", () => ({ dumpFile: dump("") }), dumpEmpty({ file: "" })],
  ])("is rejected in preview and update, before any upload or creation: %s", async (_, seed, expected) => {
    const { here } = await withOrders();
    const args = copyOf(seed());
    for (const work of [planCreate, create]) {
      const refusal = await refusalOf(work(database, args, here.again()));
      expect(refusal).toMatchObject({ kind: "invalid" });
      expect(refusal.message).toContain(expected);
    }
    expect(here.asked().filter((operation) => /^(upload|create)/.test(operation))).toEqual([]);
  });
});

test("rejects a deleted database as a seed, unless the same run creates a database with that name", async () => {
  const { here, orders } = await withOrders();
  const organizationId = here.api.organizationId;
  await outside(here).deleteDatabaseById({ organizationId, databaseId: orders });
  const { databases } = await outside(here).listDeletedDatabases({ organizationId, query: { deleted: "true" } });
  const deletedAt = String(databases[0]?.deleted_at);
  for (const name of ["orders", orders]) {
    const { message } = await refusalOf(planCreate(database, copyOf({ database: name }), here.again()));
    expect(message).toContain(seedSourceDeleted({ name: "orders", id: orders, deletedAt, isInStack: false }));
  }
  const managing = here.again();
  managing.run.note({ step: "read", resource: database, urn: "orders", id: orders, inputs: {}, state: {} });
  const managed = await refusalOf(planCreate(database, copyOf({ database: "orders" }), managing));
  expect(managed.message).toContain(seedSourceDeleted({ name: "orders", id: orders, deletedAt, isInStack: true }));
  await planCreate(database, { name: "orders", group: "default" }, here.context);
  await planCreate(database, copyOf({ database: "orders" }), here.context);
  await planCreate(database, copyOf({ database: UNKNOWN }), here.context);
});

test.each([
  ["planning", planCreate],
  ["creating", create],
])("waits for the restore of the database that is copied: %s", async (_, work) => {
  const { here, orders } = await withOrders();
  const organizationId = here.api.organizationId;
  await outside(here).deleteDatabaseById({ organizationId, databaseId: orders });
  const context = here.again();
  const looked = Promise.withResolvers<void>();
  const restored = context.run.restorations.run(async () => {
    await looked.promise;
    await outside(here).restoreDatabase({ organizationId, databaseId: orders });
  });
  const copied = work(database, copyOf({ database: orders }), context);
  await expect.poll(() => here.api.journal().at(-1)?.operation).toBe("listDeletedDatabases");
  looked.resolve();
  await expect(copied).resolves.toBeDefined();
  await restored;
});

test("rejects a timestamp that is in the future by the platform's clock", async () => {
  const { here } = await withOrders();
  await here.api.advance(24 * 60 * 60);
  const later = (await here.api.clock.now()).toISOString();
  await planCreate(database, copyOf({ database: "orders", timestamp: later }), here.context);
  await here.api.advance(-2 * 60 * 60);
  const { message } = await refusalOf(
    planCreate(database, copyOf({ database: "orders", timestamp: later }), here.context),
  );
  expect(message).toBe(`seed.timestamp: ${timestampInFuture({ text: later })}`);
});

test("rejects a database that names itself as its seed", async () => {
  const here = await lifecycleFixture();
  const { message } = await refusalOf(planCreate(database, copyOf({ database: "copy" }), here.context));
  expect(message).toContain(seedSourceMissing({ source: '"copy"', organization: "acme" }));
});

test("rejects a seed outside the group of a group-scoped token, and warns if the token lacks `db:create`", async () => {
  const { here } = await withOrders();
  const elsewhere = await outside(here).createDatabase({ organizationSlug, body: { name: "far", group: "other" } });
  const { context: may } = await pinned(here, ["read", "db:create"]);
  expect((await create(database, copyOf({ database: "orders" }), may)).state).toMatchObject({ name: "copy" });
  await outside(here).deleteDatabase({ organizationSlug, databaseName: "copy" });
  const unseen = copyOf({ database: elsewhere.database.DbId });
  expect((await refusalOf(planCreate(database, unseen, may))).message).toContain("is pinned to group");
  const readOnly = await pinned(here, ["read"]);
  for (const seed of [{ database: "orders" }, { dumpFile: dump() }]) {
    readOnly.said.length = 0;
    await planCreate(database, copyOf(seed), readOnly.context);
    const reason = `seed: ${scopesMissing({ scopes: ["db:create"] })}`;
    expect(readOnly.said).toContain(
      tokenLacksAccess({ attempt: operationImpossible({ operation: "create", object: 'database "copy"' }), reason }),
    );
    const refusal = await refusalOf(create(database, copyOf(seed), readOnly.context));
    expect(refusal.message).toContain(reason);
  }
});

describe("an update of an existing database", () => {
  const args = { name: "copy", group: "default" };

  /** Changes the arguments of an existing database, and returns the resulting differences and messages. */
  async function changed(from: Properties, to: Properties) {
    const { here, orders } = await withOrders();
    const before = { ...args, ...from };
    const { id, state } = await create(database, before, here.context);
    here.asked();
    const news = { ...args, ...to };
    const compared = { id, oldInputs: before, state, news };
    const { differences } = await diff(database, compared, here.context);
    expect(here.asked()).toEqual([]);
    expect(await planUpdate(database, compared, here.context)).toEqual(state);
    return { differences, said: here.said, orders };
  }

  const seed = { database: "orders" };

  const ignored = createOnlyIgnored({ property: "seed", title: 'database "copy"', advice: "" });
  test.each<[string, Properties, Properties, string]>([
    ["adds a seed", {}, { seed }, ignored],
    ["changes the seed", { seed }, { seed: { dumpFile: "no/such.sql" } }, ignored],
    ["changes the timestamp", { seed }, { seed: { ...seed, timestamp: "2026-11-20T08:00:00Z" } }, ignored],
    ["changes the size limit", { sizeLimit: "1gb" }, { sizeLimit: "2gb" }, SIZE_LIMIT_CHANGE_ADVICE],
  ])("prints one warning and changes nothing if the program %s", async (_, from, to, expected) => {
    const { differences, said } = await changed(from, to);
    expect(differences).toEqual([]);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(expected);
  });

  test.each<[string, Properties, Properties]>([
    ["keeps the seed", { seed }, { seed }],
    ["still declares no seed", {}, {}],
    ["no longer mentions the seed", { seed }, {}],
    ["declares a seed that is still unknown", { seed }, { seed: UNKNOWN }],
    ["declares the same size limit in another unit", { sizeLimit: "1gib" }, { sizeLimit: "1024 mib" }],
    [
      "declares the same address with a new signature",
      { seed: { dumpUrl: "https://x/y.sql?signature=1" } },
      { seed: { dumpUrl: "https://x/y.sql?signature=2" } },
    ],
  ])("prints no warning and changes nothing if the program %s", async (_, from, to) => {
    expect(await changed(from, to)).toMatchObject({ differences: [], said: [] });
  });

  test("prints no warning if this update replaces the source of the seed", async () => {
    const { here } = await withOrders();
    const oldInputs = copyOf(seed);
    const { id, state } = await create(database, oldInputs, here.context);
    const context = here.again();
    const source = await create(database, { name: "orders-2", group: "default" }, context);
    for (const wanted of [source.id, "orders-2"]) {
      const compared = { id, oldInputs, state, news: copyOf({ database: wanted }) };
      await diff(database, compared, context);
      expect(here.said).toEqual([]);
    }
  });

  test("treats a seed as unchanged when its dump file has the same name in another folder", async () => {
    const { differences, said } = await changed({ seed: { dumpFile: dump() } }, { seed: { dumpFile: "./orders.sql" } });
    expect([differences, said]).toEqual([[], []]);
  });

  test("treats a seed as unchanged when the source is given by DbId instead of by name", async () => {
    const { here, orders } = await withOrders();
    const oldInputs = copyOf(seed);
    const { id, state } = await create(database, oldInputs, here.context);
    const news = copyOf({ database: orders });
    expect(await diff(database, { id, oldInputs, state, news }, here.context)).toMatchObject({ differences: [] });
    expect(here.said).toEqual([]);
  });
});

describe("a replacement", () => {
  /** Creates a copy of `orders`, then diffs a program that moves the copy to another group. */
  async function moved(more: Properties, before: Properties = {}, options: ReferenceApiOptions = {}) {
    const { here, orders } = await withOrders({}, options);
    const oldInputs = copyOf({ database: "orders" }, before);
    const { id, state } = await create(database, oldInputs, here.context);
    const news = { ...oldInputs, group: "other", ...more };
    return { here, id, orders, work: diff(database, { id, oldInputs, state, news }, here.context) };
  }

  const title = 'database "copy"';
  const timestamp = "2026-02-20T08:00:00Z";
  const restorable = { restorableUntil: "2026-03-06T12:00:00Z" };
  const loses = { title, isDeletedFirst: true, ...restorable };

  test.each<[string, Properties, (id: string) => string]>([
    ["another database, by its name", {}, (id) => seededInstead({ ...loses, id, source: '"orders"' })],
    [
      "another database, as of a time",
      { seed: { database: "orders", timestamp } },
      (id) => seededInstead({ ...loses, id, source: '"orders"', asOf: timestamp }),
    ],
    ["a dump", { seed: { dumpUrl: "https://x/y" } }, (id) => seededInstead({ ...loses, id })],
    ["a database that is not known yet", { seed: { database: UNKNOWN } }, (id) => seededInstead({ ...loses, id })],
    ["nothing", { seed: undefined }, (id) => dataLeftBehind({ ...loses, id })],
    [
      "itself, under another name",
      { name: "moved", seed: { database: "copy" } },
      () => copiedByReplacement({ title, ...restorable }),
    ],
    [
      "perhaps itself, if the group is not known yet",
      { name: "copy", group: UNKNOWN, seed: { database: "copy" } },
      () => dataPossiblyLeftBehind({ title, property: "group", seededFrom: "itself" }),
    ],
    [
      "perhaps another database, if the group is not known yet",
      { group: UNKNOWN },
      () => dataPossiblyLeftBehind({ title, property: "group", seededFrom: "elsewhere" }),
    ],
  ])("says in one warning what the new database contains: %s", async (_, more, expected) => {
    const { here, id, work } = await moved(more, {}, { now: "2026-03-01T12:00:00Z" });
    expect((await work).differences).toContainEqual(expect.objectContaining({ path: "group", replaces: true }));
    expect(here.said).toEqual([expected(id)]);
  });

  test.each<[string, Properties, (restorable: string, id: string) => string]>([
    [
      "itself",
      { name: "moved", seed: { database: "copy" } },
      (until) => copiedByReplacement({ title, restorableUntil: until }),
    ],
    ["nothing", { seed: undefined }, (until, id) => dataLeftBehindWithGroup({ title, id, restorableUntil: until })],
  ])("says what a database contains that is replaced with its group: %s", async (_, more, expected) => {
    const { here } = await withOrders({}, { now: "2026-03-01T12:00:00Z" });
    const oldInputs = copyOf({ database: "orders" }, {});
    const { id, state } = await create(database, oldInputs, here.context);
    const replaced = { resource: group, urn: "group", id: String(state.groupId) };
    here.context.run.note({
      ...{ step: "decided", ...replaced, isDeclared: true, replaces: true, deleteBeforeReplace: false },
      ...{ isRefused: false, lack: undefined, takenBack: undefined },
      comparison: new Comparison(group, { id: replaced.id, oldInputs: {}, state: {}, news: {} }),
    });
    await diff(database, { id, oldInputs, state, news: { ...oldInputs, group: UNKNOWN, ...more } }, here.context);
    expect(here.said).toEqual([expected(restorable.restorableUntil, id)]);
  });

  test("also says that the size limit is used again", async () => {
    const { here, work } = await moved({}, { sizeLimit: "1gb" });
    await work;
    expect(here.said).toHaveLength(2);
    expect(here.said[1]).toBe(createOnlyUsedAgain({ properties: ["sizeLimit"], title }));
  });

  test("is refused before the old database is deleted if the seed no longer exists", async () => {
    const { work, id } = await moved({ seed: { database: "sales" } });
    const { message } = await refusalOf(work);
    const facts = { title: 'database "copy"', id, properties: ["group"], reason: "seed.database: organization" };
    expect(message).toContain(replacementImpossible(facts));
  });

  test("cannot use the replaced database as its seed, unless the new database has another name", async () => {
    const { work } = await moved({ seed: { database: "copy" } });
    expect((await refusalOf(work)).message).toContain(SEED_REPLACED);
    const renamed = await moved({ name: "moved", seed: { database: "copy" } });
    expect(await renamed.work).toMatchObject({ deleteBeforeReplace: false });
  });

  test("is refused before the seed is deleted, if an option deletes the old database first", async () => {
    const { here } = await withOrders();
    const oldInputs = { name: "old", group: "default" };
    const { id, state } = await create(database, oldInputs, here.again());
    const news = copyOf({ database: id }, { group: "other" });
    const context = here.again();
    context.run.note({ step: "check", urn: context.platform.urn, inputs: news });
    await diff(database, { id, oldInputs, state, news }, context);
    expect((await refusalOf(remove(database, { id, state }, context))).message).toContain(SEED_REPLACED);
    expect(await recordOf(here, "old")).toMatchObject({ DbId: id });
  });

  test("that could not delete the old database deletes it later, although the seed no longer exists", async () => {
    const { here } = await withOrders();
    const inputs = copyOf({ database: "orders" }, { group: "other" });
    const old = await create(database, { name: "old", group: "default" }, here.again());
    const { id, state } = await create(database, inputs, here.again());
    await outside(here).deleteDatabase({ organizationSlug, databaseName: "orders" });
    const context = here.again();
    context.run.note({ step: "check", urn: context.platform.urn, inputs });
    await diff(database, { id, oldInputs: inputs, state, news: inputs }, context);
    await remove(database, old, context);
    expect((await database.read(old.id, here.again().platform)).status).toBe("deleted");
  });
});

test("keeps the data of an imported or restored database, even if the program names a seed", async () => {
  const { here, orders } = await withOrders();
  const { id } = await create(database, copyOf({ database: "orders" }), here.context);
  const organizationId = here.api.organizationId;
  await outside(here).deleteDatabaseById({ organizationId, databaseId: id });
  here.asked();
  const imported = await createByImport(database, id, copyOf({ dumpFile: "no/such.sql" }), here.again());
  expect(imported.state).not.toHaveProperty("seed");
  expect(here.asked().filter((operation) => /^(upload|create|restore)/.test(operation))).toEqual(["restoreDatabase"]);
  expect((await recordOf(here, "copy")).parent).toMatchObject({ id: orders });
});

test("reports the parent of a copy even after the copy is deleted and restored", async () => {
  const { here } = await withOrders();
  const inputs = copyOf({ database: "orders" });
  const { id, state } = await create(database, inputs, here.context);
  await outside(here).deleteDatabaseById({ organizationId: here.api.organizationId, databaseId: id });
  const deleted = await readManaged(database, { id, inputs, state }, here.again());
  expect(deleted?.state).toMatchObject({ parent: state.parent, seed: state.seed });
  const compared = { id, oldInputs: inputs, state: deleted?.state ?? {}, news: inputs };
  expect(await update(database, compared, here.again())).toEqual(state);
});

describe("when a request fails", () => {
  test("creates no database after a lost upload response, and does not retry the upload", async () => {
    const { here } = await withOrders();
    const dumpFile = dump();
    const args = copyOf({ dumpFile });
    for (const reset of ["before", "after"] as const) {
      here.api.fault({ operation: "uploadDump", reset });
      const refusal = await refusalOf(create(database, args, here.again()));
      expect(refusal).toMatchObject({ kind: "unavailable", uncertain: false });
      const { tried, advice } = uploadFailed({ file: dumpFile, cause: "" });
      expect(refusal.message.startsWith(`${tried}: `)).toBe(true);
      expect(refusal.message.endsWith(`. ${advice}`)).toBe(true);
    }
    expect(here.asked().filter((operation) => /^(upload|create)/.test(operation))).toEqual([
      "uploadDump",
      "uploadDump",
    ]);
    await create(database, args, here.again());
    expect(await sizeOf(here, "copy")).toBe(DUMP.length);
  });

  test("sends the whole dump again if the upload was rate limited", async () => {
    const { here } = await withOrders();
    here.api.fault({ operation: "uploadDump", status: 429, retryAfter: 0 });
    await create(database, copyOf({ dumpFile: dump() }), here.context);
    expect(await sizeOf(here, "copy")).toBe(DUMP.length);
  });

  test("finds the new database after a lost response, without uploading its dump again", async () => {
    const { here } = await withOrders();
    here.api.fault({ operation: "createDatabase", reset: "after" });
    const args = copyOf({ dumpFile: dump() });
    const { id, state } = await create(database, args, here.context);
    expect(state).toMatchObject({ dbId: id, ...args, group: "default" });
    expect(here.asked().filter((operation) => operation === "uploadDump")).toHaveLength(1);
  });

  test("finds the new copy after a lost response, but never uses another user's empty database", async () => {
    const { here, orders } = await withOrders();
    here.api.fault({ operation: "createDatabase", reset: "after" });
    const { state } = await create(database, copyOf({ database: orders }), here.context);
    expect(state).toMatchObject({ parent: { dbId: orders }, seed: { database: orders } });

    const args = copyOf({ database: orders }, { name: "another" });
    const context = here.again();
    await database.named?.ids(context.platform);
    await outside(here).createDatabase({ organizationSlug, body: { name: "another", group: "default" } });
    here.api.fault({ operation: "createDatabase", reset: "before" });
    expect(await refusalOf(create(database, args, context))).toMatchObject({ kind: "unavailable" });
  });
});

test("leaves no database behind if creating the database fails after the upload, and allows a retry", async () => {
  const { here } = await withOrders();
  here.api.fault({ operation: "createDatabase", status: 500 });
  await refusalOf(create(database, copyOf({ dumpFile: dump() }), here.context));
  expect((await outside(here).listDatabases({ organizationSlug })).databases.map(({ Name }) => Name)).toEqual([
    "orders",
  ]);
  await create(database, copyOf({ dumpFile: dump() }), here.again());
  expect(await sizeOf(here, "copy")).toBe(DUMP.length);
});

test("lets a DatabaseConfiguration change a new database's size limit without causing drift", async () => {
  const { here } = await withOrders();
  const args = { name: "small", group: "default", sizeLimit: "1gb" };
  const { id, state } = await create(database, args, here.context);
  await create(databaseConfiguration, { database: id, sizeLimit: "2gb" }, here.context);
  const read = await readManaged(database, { id, inputs: args, state }, here.again());
  expect(read).toEqual({ state, inputs: args });
  const compared = { id, oldInputs: args, state: read?.state ?? {}, news: args };
  expect(await diff(database, compared, here.again())).toMatchObject({ differences: [] });
});

test("recognizes equivalent seeds, and never reports a changed seed as a difference", () => {
  const instant = fc.date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true });
  const name = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);
  const file = fc.stringMatching(/^[a-z]{1,9}$/);
  const folder = fc.constantFrom("", "./", "/srv/", "../");
  const query = fc.constantFrom("", "?signature=1", "?signature=2#x");
  const spellings = fc.oneof(
    fc.record({ uuid: fc.uuid(), name, instant, minutes: fc.integer({ min: -700, max: 700 }) }).map((one) => ({
      parent: { dbId: one.uuid, name: one.name },
      seeds: [one.uuid, one.uuid.toUpperCase(), one.name].flatMap((database) => [
        { database, timestamp: one.instant.toISOString() },
        { database, timestamp: withOffset(one.instant, one.minutes) },
      ]),
    })),
    fc.record({ file, one: folder, other: folder }).map(({ file, one, other }) => ({
      parent: undefined,
      seeds: [{ dumpFile: one + file }, { dumpFile: other + file }],
    })),
    fc.record({ file, one: query, other: query }).map(({ file, one, other }) => ({
      parent: undefined,
      seeds: [{ dumpUrl: `https://x/${file}${one}` }, { dumpUrl: `https://x/${file}${other}` }],
    })),
  );
  fc.assert(
    fc.property(spellings, spellings, ({ seeds, parent }, another) => {
      for (const one of seeds) {
        for (const other of seeds) expect(sameSeed(other, one, { parent }, new Run().names)).toBe(true);
        const [oldInputs, news] = [copyOf(one), copyOf(another.seeds[0] ?? {})];
        expect(compare(database, { oldInputs, state: { ...oldInputs, groupName: "default" }, news })).toEqual([]);
      }
    }),
  );
});

function withOffset(instant: Date, minutes: number): string {
  const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${local}${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}
