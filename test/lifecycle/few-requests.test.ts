// @module-tag previews-are-true
// @module-tag no-false-differences

import { expect, onTestFinished, test, vi } from "vitest";
import type { Context } from "../../kit/lifecycle/context";
import type { Properties } from "../../kit/lifecycle/properties";
import { diff } from "../../kit/steps/diff";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { configurationNames, UNCONFIGURED } from "../../provider/resources/database/configuration-fields";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { group } from "../../provider/resources/group/group";
import { flagSettings } from "../configuration-flags";
import { clientOf } from "../engine/engine-fixture";
import { acmeWith } from "../engine/seed";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";
import { type ManagedResource, made } from "./managed";

const FIRST_PAGES = 5;

const NAMES = Array.from({ length: 50 }, (_, index) => `db-${index}`);

const madeDatabases = (context: Context) =>
  Promise.all(NAMES.map((name) => made(database, { name, group: "default" }, context)));

const madeConfigurations = (databases: readonly ManagedResource[], context: Context) =>
  Promise.all(databases.map(({ id }) => made(databaseConfiguration, { database: id, blockWrites: true }, context)));

/** Reads a resource as the engine does before an update. */
async function read({ resource, ...managed }: ManagedResource, context: Context): Promise<ManagedResource> {
  const found = await readManaged(resource, managed, context);
  return { resource, ...managed, state: found?.state ?? {} };
}

const bring = ({ resource, id, inputs, state }: ManagedResource, news: Properties, context: Context) =>
  update(resource, { id, oldInputs: inputs, state, news }, context);

function takeCounts(here: LifecycleFixture): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const operation of here.takeOperations()) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

test("reads fifty resources with a handful of requests", async () => {
  const here = await lifecycleFixture();
  const databases = await madeDatabases(here.context);
  here.takeOperations();
  const context = here.newProcess();
  const reads = await Promise.all(databases.map((one) => read(one, context)));
  expect(reads).toEqual(databases);
  expect(takeCounts(here)).toEqual({ retrieveOrganization: 1, listDatabases: 1 });
});

test("changes fifty configurations with one request each, and checks all database names with one request", async () => {
  const here = await lifecycleFixture();
  const configurations = await madeConfigurations(await madeDatabases(here.context), here.context);
  here.takeOperations();
  const context = here.newProcess();
  await Promise.all(configurations.map((one) => bring(one, { ...one.inputs, blockWrites: false }, context)));
  expect(takeCounts(here)).toEqual({ retrieveOrganization: 1, listDatabases: 1, updateDatabaseConfiguration: 50 });
});

test("restores fifty databases with one request each, and configures each with one more request", async () => {
  const here = await lifecycleFixture();
  const { organizationId } = here.api;
  const databases = await madeDatabases(here.context);
  const configurations = await madeConfigurations(databases, here.context);
  const outside = clientOf(here.api, here.api.apiToken);
  for (const { id: databaseId } of databases) await outside.deleteDatabaseById({ organizationId, databaseId });
  here.takeOperations();
  const context = here.newProcess();
  for (const [index, one] of databases.entries()) {
    const deleted = await read(one, context);
    expect(deleted.state.deletedAt).toBeDefined();
    await bring(deleted, deleted.inputs, context);
    const configuration = await read(configurations[index] as ManagedResource, context);
    await bring(configuration, configuration.inputs, context);
  }
  const { restoreDatabase, updateDatabaseConfiguration, ...lists } = takeCounts(here);
  expect([restoreDatabase, updateDatabaseConfiguration]).toEqual([50, 50]);
  const { listAuditLogs, ...others } = lists;
  expect(listAuditLogs).toBeLessThanOrEqual(2);
  expect(Object.keys(others).sort()).toEqual(["listDatabases", "listDeletedDatabases", "retrieveOrganization"]);
  const { databases: living } = await outside.listDatabases({ organizationSlug: "acme" });
  expect(living.map(({ Name }) => Name).sort()).toEqual(NAMES.toSorted());
});

test("reads the whole list of 7,000 databases for many resources, but only five pages for one resource", {
  tags: "more",
}, async () => {
  const here = await lifecycleFixture({}, { seed: acmeWith(7000) });
  const outside = clientOf(here.api, here.api.apiToken);
  const { databases } = await outside.listDatabases({ organizationSlug: "acme" });
  const managed = databases.map(({ DbId, Name }) => {
    const inputs = { name: Name, group: "default" };
    return { id: DbId, inputs, state: { ...inputs, dbId: DbId, organizationId: here.api.organizationId } };
  });
  const last = managed.at(-1);
  if (!last) throw new Error("there are no databases");

  here.takeOperations();
  const many = here.newProcess();
  await Promise.all(managed.slice(-500).map((each) => readManaged(database, each, many)));
  // The provider reads databases one by one until listing all of them would take fewer requests.
  const { retrieveDatabaseById, ...lists } = takeCounts(here);
  expect(retrieveDatabaseById).toBeLessThanOrEqual(FIRST_PAGES);
  expect(lists).toEqual({ retrieveOrganization: 1, listDatabases: 7, listDeletedDatabases: 1 });

  const wanted = Array.from({ length: 50 }, (_, index) => ({ name: `new-${index}`, group: "default" }));
  const context = here.newProcess();
  await Promise.all(wanted.map((args) => made(database, args, context)));
  expect(takeCounts(here)).toEqual({
    retrieveOrganization: 1,
    listDatabases: 7,
    listDeletedDatabases: 1,
    listGroups: 1,
    createDatabase: 50,
  });

  await readManaged(database, last, here.newProcess());
  expect(takeCounts(here)).toMatchObject({ listDatabases: 5, retrieveDatabaseById: 1 });
});

/** Configurations of many databases, as an update has recorded them, each with the same settings. */
async function recordedConfigurations(settings: Properties, count: number) {
  const here = await lifecycleFixture({}, { seed: acmeWith(count) });
  const outside = clientOf(here.api, here.api.apiToken);
  const { databases } = await outside.listDatabases({ organizationSlug: "acme" });
  const configurations = databases.map(({ DbId: id, group_id: groupId }) => {
    const inputs = { database: id, ...settings };
    const state = { ...inputs, groupId, organizationId: here.api.organizationId };
    return { resource: databaseConfiguration, id, inputs, state };
  });
  here.takeOperations();
  return { here, outside, databases, configurations };
}

/** The recorded configuration of one database, and the path parameters of requests that change it outside Pulumi. */
async function recordedConfiguration(settings: Properties) {
  const { databases, configurations, ...world } = await recordedConfigurations(settings, 1);
  const [database, managed] = [databases[0], configurations[0]];
  if (!database || !managed) throw new Error("there is no database");
  return { ...world, managed, at: { organizationSlug: "acme", databaseName: database.Name } };
}

const requestsIn = (here: LifecycleFixture): number => here.takeOperations().length;

test.each([
  { settings: {}, most: 5 },
  { settings: { deleteProtection: false, blockReads: false, blockWrites: false, allowAttach: false }, most: 5 },
  { settings: { allowedIps: [], deleteProtection: false }, most: 8 },
  { settings: { allowedAwsVpcIds: [] }, most: 8 },
  { settings: { sizeLimit: "" }, most: 505 },
])("reads 500 configurations with $settings with at most $most requests", async ({ settings, most }) => {
  const { here, configurations } = await recordedConfigurations(settings, 500);
  const context = here.newProcess();
  const reads = await Promise.all(configurations.map((one) => read(one, context)));
  expect(reads.map(({ state }) => state)).toEqual(
    configurations.map(({ state }) => expect.objectContaining({ ...settings, database: state.database })),
  );
  expect(requestsIn(here)).toBeLessThanOrEqual(most);
});

test.each([
  ...Object.entries(flagSettings(true)),
  ["allowedIps", ["10.0.0.1"]],
  ["allowedAwsVpcIds", ["vpce-0123456789abcdef0"]],
  ["sizeLimit", "1gb"],
] as const)("sees a change of %s outside, also if the lists leave it out", async (property, changed) => {
  const field = configurationNames.wireName(property) ?? "";
  const settings = { [property]: UNCONFIGURED[property as keyof typeof UNCONFIGURED] };
  const { here, outside, managed, at } = await recordedConfiguration(settings);
  await outside.updateDatabaseConfiguration({ ...at, body: { [field]: changed } });
  expect((await read(managed, here.newProcess())).state).toMatchObject({ [property]: changed });
  here.takeOperations();
  for (const operation of ["listDatabases", "listDatabasesById"] as const)
    here.api.fault({ operation, omit: [field], probability: 1 });
  expect((await read(managed, here.newProcess())).state).toMatchObject({ [property]: changed });
  expect(takeCounts(here)).toMatchObject({ retrieveDatabaseConfiguration: 1 });
});

test("reads each configuration by itself if the platform refuses the list of addresses, which it asks for once", async () => {
  const { here, configurations } = await recordedConfigurations({ allowedIps: [] }, 3);
  here.api.fault({ operation: "listDatabasesById", status: 404, probability: 1 });
  const context = here.newProcess();
  for (const one of configurations) expect((await read(one, context)).state).toMatchObject({ allowedIps: [] });
  expect(takeCounts(here)).toMatchObject({ listDatabasesById: 1, retrieveDatabaseConfiguration: 3 });
});

test("sends a setting that the program sets for the first time, because no read has shown it", async () => {
  const { here, outside, managed: recorded, at } = await recordedConfiguration({});
  await outside.updateDatabaseConfiguration({ ...at, body: { size_limit: "1gb" } });
  const context = here.newProcess();
  const managed = await read(recorded, context);
  expect(managed.state).not.toHaveProperty("sizeLimit");
  const news = { ...managed.inputs, sizeLimit: "" };
  const compared = { id: managed.id, oldInputs: managed.inputs, state: managed.state, news };
  expect((await diff(databaseConfiguration, compared, context)).differences.map(({ path }) => path)).toEqual([
    "sizeLimit",
  ]);
  expect(await bring(managed, news, context)).toMatchObject({ sizeLimit: "" });
  expect(await outside.retrieveDatabaseConfiguration(at)).toMatchObject({ size_limit: "" });
});

test("reads a configuration again that this update has changed", async () => {
  const { here, managed: recorded } = await recordedConfiguration({ blockWrites: false });
  const context = here.newProcess();
  const managed = await read(recorded, context);
  const state = await bring(managed, { ...managed.inputs, blockWrites: true }, context);
  expect((await read({ ...managed, state }, context)).state).toMatchObject({ blockWrites: true });
});

const GROUPS = 40;
const DATABASES_IN_A_GROUP = 5;

/** Creates groups with databases, and deletes all groups outside Pulumi. */
async function deletedGroups() {
  const here = await lifecycleFixture();
  const groups = await Promise.all(
    Array.from({ length: GROUPS }, (_, index) =>
      made(group, { name: `group-${index}`, location: "aws-us-east-1" }, here.context),
    ),
  );
  const databases = await Promise.all(
    groups.flatMap(({ id, inputs }) =>
      Array.from({ length: DATABASES_IN_A_GROUP }, (_, index) =>
        made(database, { name: `${inputs.name}-${index}`, group: id }, here.context),
      ),
    ),
  );
  const outside = clientOf(here.api, here.api.apiToken);
  for (const { inputs } of groups)
    await outside.deleteGroup({ organizationSlug: "acme", groupName: String(inputs.name) });
  here.takeOperations();
  return { here, outside, groups, databases };
}

const plan = ({ resource, id, inputs, state }: ManagedResource, context: Context) =>
  planUpdate(resource, { id, oldInputs: inputs, state, news: inputs }, context);

test("previews the restore of 200 databases in 40 deleted groups with at most ten requests", async () => {
  const { here, groups, databases } = await deletedGroups();
  // Stops the clock, because a slow machine may need more than the five seconds for which a list is trusted.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const context = here.newProcess();
  const reads = await Promise.all([...groups, ...databases].map((one) => read(one, context)));
  for (const { state } of reads) expect(state.deletedAt).toBeDefined();
  await Promise.all(reads.slice(0, GROUPS).map((one) => plan(one, context)));
  await Promise.all(reads.slice(GROUPS).map((one) => plan(one, context)));
  const { listAuditLogs = 0, ...others } = takeCounts(here);
  expect(listAuditLogs).toBeLessThanOrEqual(3);
  expect(others).toEqual({
    retrieveOrganization: 1,
    listGroups: 1,
    listDatabases: 1,
    listDeletedGroups: 1,
    listDeletedDatabases: 1,
    retrieveUser: 1,
    retrieveMember: 1,
  });
});

test("requests an unavailable organization only once per run, and reports no drift", async () => {
  const here = await lifecycleFixture();
  const databases = await madeDatabases(here.context);
  here.api.fault({ operation: "retrieveOrganization", status: 403, times: 99 });
  here.takeOperations();
  const context = here.newProcess();
  for (const { resource, id, inputs, state } of databases) {
    const { differences } = await diff(resource, { id, oldInputs: inputs, state, news: inputs }, context);
    expect(differences).toEqual([]);
  }
  expect(takeCounts(here)).toEqual({ retrieveOrganization: 1 });
});

test("requests each list only once, however many resources a preview would create", async () => {
  const here = await lifecycleFixture();
  here.takeOperations();
  for (const name of NAMES) await planCreate(database, { name, group: "default" }, here.context);
  await planCreate(group, { name: "tenants", location: "aws-us-east-1" }, here.context);
  expect(takeCounts(here)).toEqual({
    listAuditLogs: 1,
    retrieveOrganization: 1,
    listGroups: 1,
    listDatabases: 1,
    listDeletedDatabases: 1,
    listLocations: 1,
    listDeletedGroups: 1,
  });
});
