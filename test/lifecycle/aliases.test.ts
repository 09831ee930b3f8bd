// @module-tag no-database-is-lost
// @module-tag clear-messages

import { describe, expect, test } from "vitest";
import type { Context } from "../../kit/lifecycle/context";
import { deletionBesideImport, nothingDeleted, replacementLacksAccess } from "../../kit/lifecycle/messages";
import { FILLED_IN, type Properties } from "../../kit/lifecycle/properties";
import { emptyByOption, nameInUseInStack } from "../../kit/lifecycle/taken/messages";
import { Run } from "../../kit/run";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { planCreate } from "../../kit/steps/plan";
import { read, readManaged } from "../../kit/steps/read";
import { scopesMissing } from "../../provider/permissions/messages";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { configurationUnmanaged } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "./lifecycle-fixture";
import { type ManagedResource, made } from "./managed";

// The engine reads and deletes a resource with an alias under its former URN, and compares it under the one in the program.
const [FORMER, NOW] = ["urn:former", "urn:now"];

const organizationSlug = "acme";

/** An encryption with another key replaces the database. */
const encryption = { cipher: "aegis256", key: Buffer.alloc(32).toString("base64") };

const as = (urn: string, context: Context): Context => ({ ...context, platform: { ...context.platform, urn } });

/** Reads a resource under its former URN, and compares it with the program under another one. */
async function renamed(
  { resource, id, inputs, state }: ManagedResource,
  news: Properties,
  context: Context,
  isNameProposed = false,
) {
  const read = await readManaged(resource, { id, inputs, state }, as(FORMER, context));
  context.run.note({ step: "check", urn: NOW, inputs: news, isNameProposed });
  const compared = { id, oldInputs: inputs, state: read?.state ?? {}, news };
  return diff(resource, compared, as(NOW, context));
}

async function orders() {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  return { here, outside, orders: await made(database, { name: "orders", group: "default" }, here.again()) };
}

test("deletes no database with an alias if the credential cannot create the new one", async () => {
  const { here, orders: old } = await orders();
  const apiToken = await here.api.token({ group: "default", scopes: ["read", "db:delete"] });
  const context = here.again({}, { apiToken, organizationId: here.api.organizationId });
  const planned = await renamed(old, { ...old.inputs, encryption }, context);
  expect(planned).toMatchObject({ deleteBeforeReplace: true });
  const reason = scopesMissing({ scopes: ["db:create"] });
  const { answer } = replacementLacksAccess({ object: 'database "orders"', reason });
  await expect(remove(database, old, as(FORMER, context))).rejects.toThrow(answer);
  expect((await database.read(old.id, here.again().platform)).status).toBe("live");
});

test("warns of the restrictions that a removed configuration leaves on a database with an alias", async () => {
  const { here, orders: kept } = await orders();
  const inputs = { database: kept.id, blockWrites: true };
  const configuration = await made(databaseConfiguration, inputs, here.again());
  const warnings: string[] = [];
  const context = here.again({ log: (severity, text) => severity === "warning" && warnings.push(text) });
  await renamed(kept, kept.inputs, context);
  await remove(databaseConfiguration, configuration, as("urn:configuration", context));
  expect(warnings).toEqual([configurationUnmanaged({ id: kept.id, assignments: ["blockWrites: true"] })]);
});

test("advises against `replaceOnChanges` if a deleted database has an alias already", async () => {
  const { here, outside, orders: deleted } = await orders();
  const { organizationId } = here.api;
  await outside.deleteDatabaseById({ organizationId, databaseId: deleted.id });
  const context = here.again();
  await renamed(deleted, deleted.inputs, context);
  here.said.length = 0;
  await planCreate(database, deleted.inputs, as(NOW, context));
  expect(here.said).toEqual([expect.stringContaining("remove `deletedAt` (or `*`) from `replaceOnChanges`")]);
});

test("does not call a reference outdated if the update gives a group with an alias its name again", async () => {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const tenants = await made(group, { name: "tenants", location: "aws-us-east-1" }, here.again());
  const inside = await made(database, { name: "inside", group: "tenants" }, here.again());
  await outside.renameGroup({ organizationSlug, groupName: "tenants", body: { name: "renamed" } });
  const context = here.again();
  const { id, inputs } = inside;
  const read = await readManaged(database, inside, as("urn:inside", context));
  expect(await renamed(tenants, tenants.inputs, context)).toMatchObject({ differences: [{ path: "name" }] });
  context.run.note({ step: "check", urn: "urn:inside", inputs });
  here.said.length = 0;
  await diff(database, { id, oldInputs: inputs, state: read?.state ?? {}, news: inputs }, as("urn:inside", context));
  expect(here.said).toEqual([]);
});

/** Reads and compares a resource before the program, which declares it with an alias and forces its replacement. */
async function forced({ resource, id, inputs, state }: ManagedResource, news: Properties, context: Context) {
  const { run } = context;
  run.readsFirst = true;
  const read = await readManaged(resource, { id, inputs, state }, as(FORMER, context));
  await diff(resource, { id, oldInputs: inputs, state: read?.state ?? {}, news: inputs }, as(FORMER, context));
  run.recognize(resource, NOW, inputs);
  run.note({ step: "check", urn: NOW, inputs: news });
}

test("a forced replacement of a database with an alias is previewed with the loss of its data", async () => {
  const { here, orders: old } = await orders();
  const warnings: string[] = [];
  const context = here.again({ log: (severity, text) => severity === "warning" && warnings.push(text) });
  await forced(old, old.inputs, context);
  await planCreate(database, old.inputs, as(NOW, context));
  expect(warnings).toEqual([
    emptyByOption({ kind: "database", title: 'database "orders"', id: old.id, isSeeded: false }),
  ]);
});

test("a forced replacement deletes no database with an alias if the new one cannot be created", async () => {
  const { here, orders: old } = await orders();
  const context = here.again();
  await forced(old, { ...old.inputs, group: "missing" }, context);
  await expect(remove(database, old, as(FORMER, context))).rejects.toThrow(nothingDeleted({ kind: "database" }));
  expect((await database.read(old.id, here.again().platform)).status).toBe("live");
});

test.each([
  ["the engine reads the object under its former URN", FORMER],
  ["the provider reads it under the URN in the program", NOW],
  ["nobody reads it", undefined],
])("deletes no database with an alias if the new one cannot be created: %s", async (_, readUnder) => {
  const { here, orders: old } = await orders();
  const { id, inputs, state } = old;
  const apiToken = await here.api.token({ group: "default", scopes: ["read", "db:delete"] });
  const context = here.again({}, { apiToken, organizationId: here.api.organizationId });
  if (readUnder !== undefined) await readManaged(database, old, as(readUnder, context));
  const news = { ...inputs, encryption };
  context.run.note({ step: "check", urn: NOW, inputs: news });
  await diff(database, { id, oldInputs: inputs, state, news }, as(NOW, context));
  const reason = scopesMissing({ scopes: ["db:create"] });
  const { answer } = replacementLacksAccess({ object: 'database "orders"', reason });
  await expect(remove(database, old, as(FORMER, context))).rejects.toThrow(answer);
  expect((await database.read(id, here.again().platform)).status).toBe("live");
});

test("refuses a proposed name that another database has, also for a database with an alias", async () => {
  const { here, orders: old } = await orders();
  const taken = await made(database, { name: "taken", group: "default" }, here.again());
  const context = here.again();
  await readManaged(database, taken, as("urn:taken", context));
  const news = { name: "taken", [FILLED_IN]: ["name"], group: "default" };
  await renamed(old, news, context, true);
  const { answer } = nameInUseInStack({ kind: "database", name: "taken", id: taken.id, urn: "urn:taken" });
  await expect(planCreate(database, news, as(NOW, context))).rejects.toThrow(answer);
});

test("lets another resource take the name that the replacement of a database with an alias gives up", async () => {
  const { here, orders: old } = await orders();
  const context = here.again();
  const news = { name: "purchases", group: "default", encryption };
  await renamed(old, news, context);
  await planCreate(database, news, as(NOW, context));
  await planCreate(database, old.inputs, as("urn:another", context));
});

test("does not take an imported database for the one that the resource had before", async () => {
  const { here, orders: old } = await orders();
  const older = await made(database, { name: "older", group: "default" }, here.again());
  const context = here.again();
  await readManaged(database, old, as(FORMER, context));
  const imported = await read(database, { id: older.id, inputs: {}, state: undefined }, as(NOW, context));
  context.run.note({ step: "check", urn: NOW, inputs: older.inputs });
  const compared = { id: older.id, oldInputs: older.inputs, state: imported?.state ?? {}, news: older.inputs };
  await diff(database, compared, as(NOW, context));
  const { answer } = deletionBesideImport({ id: old.id, importedIds: [older.id] });
  await expect(remove(database, old, as(FORMER, context))).rejects.toThrow(answer);
});

test("does not list settings as left by a configuration with an alias, but by one that another takes over", async () => {
  const { here, orders: kept } = await orders();
  const other = await made(database, { name: "other", group: "default" }, here.again());
  const configuration = await made(databaseConfiguration, { database: kept.id, blockWrites: true }, here.again());
  const context = here.again();
  here.said.length = 0;
  await renamed(configuration, configuration.inputs, context);
  expect(here.said).toEqual([]);
  const moved = here.again();
  await renamed(configuration, { database: other.id, blockWrites: true }, moved);
  await create(databaseConfiguration, { database: kept.id, blockReads: true }, as("urn:another", moved));
  expect(here.said.filter((text) => text.includes("blockWrites"))).toHaveLength(1);
});

describe("a forced replacement of a resource with an alias", () => {
  const olds = { name: "orders", seed: { database: "template", timestamp: "now" } };

  function readBefore(...urns: string[]): Run {
    const run = new Run();
    run.readsFirst = true;
    for (const urn of urns) run.note({ step: "read", resource: database, urn, id: urn, inputs: olds, state: {} });
    return run;
  }

  const isRecognized = (run: Run, inputs: object): boolean => {
    run.recognize(database, NOW, { ...inputs });
    return run.resource(NOW) === run.resource(FORMER);
  };

  test("is recognized by the recorded inputs, in any order", () => {
    const { name, seed } = olds;
    const reordered = { seed: { timestamp: seed.timestamp, database: seed.database }, name };
    expect(isRecognized(readBefore(FORMER), reordered)).toBe(true);
    expect(isRecognized(readBefore(FORMER), { ...olds, name: "another" })).toBe(false);
    expect(isRecognized(readBefore(FORMER), { ...olds, seed: { ...seed, timestamp: undefined } })).toBe(false);
  });

  test("is not recognized if two resources have its recorded inputs, unless the program declares one of them", () => {
    expect(isRecognized(readBefore(FORMER, "another"), olds)).toBe(false);
    const run = readBefore(FORMER, "another");
    run.note({ step: "check", urn: "another", inputs: olds });
    expect(isRecognized(run, olds)).toBe(true);
  });

  test("is recognized by the inputs that were read last under its former URN", () => {
    const run = readBefore(FORMER);
    run.note({ step: "read", resource: database, urn: FORMER, id: "new", inputs: { name: "new" }, state: {} });
    expect(isRecognized(run, olds)).toBe(false);
    expect(isRecognized(run, { name: "new" })).toBe(true);
  });
});
