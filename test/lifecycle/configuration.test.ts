// @module-tag no-database-is-lost

import { describe, expect, test } from "vitest";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import type { Properties, State } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { readImported, readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { scopesMissing } from "../../provider/permissions/messages";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { configurationOfRetained, configurationUnmanaged } from "../../provider/resources/database/messages";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "./lifecycle-fixture";

async function configured() {
  const here = await lifecycleFixture();
  const { id } = await create(database, { name: "orders", group: "default" }, here.context);
  const oldInputs = { database: id };
  const { state } = await create(databaseConfiguration, oldInputs, here.context);
  const compared = (news: Properties, recorded: Properties = {}) => ({
    ...{ id, oldInputs: { ...oldInputs, ...recorded } },
    ...{ state: { ...state, ...recorded }, news: { ...oldInputs, ...news } },
  });
  return { here, id, compared };
}

test("warns in the preview if the token lacks the scope to configure a database", async () => {
  const { here, id, compared } = await configured();
  const apiToken = await here.api.token({ group: "default", scopes: ["read"] });
  const settings = { apiToken, organizationId: here.api.organizationId, baseUrl: here.api.url };
  const warning = scopesMissing({ scopes: ["db:configure"] });

  const creating = await lifecycleFixture({ settings });
  await planCreate(databaseConfiguration, { database: id, deleteProtection: true }, creating.context);
  expect(creating.said.join()).toContain(warning);

  const updating = await lifecycleFixture({ settings });
  await planUpdate(databaseConfiguration, compared({ deleteProtection: true }), updating.context);
  expect(updating.said.join()).toContain(warning);
});

test("compares an empty size limit with the recorded one, and sends it if none is recorded", async () => {
  const { here, compared } = await configured();
  const changed = async (news: Properties, recorded?: Properties) =>
    (await diff(databaseConfiguration, compared(news, recorded), here.again())).differences.map(({ path }) => path);
  expect(await changed({ sizeLimit: "" }, { sizeLimit: "" })).toEqual([]);
  expect(await changed({ sizeLimit: "" }, { sizeLimit: undefined })).toEqual(["sizeLimit"]);
  expect(await changed({ sizeLimit: "" }, { sizeLimit: "1gb" })).toEqual(["sizeLimit"]);
  expect(await changed({ sizeLimit: "1gb" }, { sizeLimit: undefined })).toEqual(["sizeLimit"]);
});

test("sends the default of an argument that the program removes, and no longer records it", async () => {
  const { here, compared } = await configured();
  const removed = compared({}, { blockWrites: true, sizeLimit: "1gb" });
  const planned = await planUpdate(databaseConfiguration, removed, here.again());
  expect(planned).toEqual(await update(databaseConfiguration, removed, here.again()));
  expect(Object.keys(planned).sort()).toEqual(["database", "groupId", "organizationId"]);
  const at = { organizationSlug: "acme", databaseName: "orders" };
  const outside = clientOf(here.api, here.api.apiToken);
  expect(await outside.retrieveDatabaseConfiguration(at)).toMatchObject({ block_writes: false, size_limit: "" });
});

test("warns of restrictions that stay, unless the program also removes the database", async () => {
  const { here, id, compared } = await configured();
  const { state } = compared({}, { blockWrites: true });
  const logged = async (isDeclared: boolean) => {
    const all: unknown[] = [];
    const context = here.again({ log: (...message) => all.push(message) });
    context.run.note({ step: "read", resource: database, urn: "orders", id: id, inputs: {}, state: {} });
    if (isDeclared) context.run.note({ step: "check", urn: "orders", inputs: {} });
    // The second one stands for the other configurations of a stack that is destroyed.
    for (const _ of isDeclared ? [1] : [1, 2]) await remove(databaseConfiguration, { id, state }, context);
    return all;
  };
  expect(await logged(true)).toEqual([["warning", configurationUnmanaged({ id, assignments: ["blockWrites: true"] })]]);
  expect(await logged(false)).toEqual([["status", configurationOfRetained({ assignments: ["blockWrites: true"] })]]);
});

test("refuses to import the configuration of a deleted database, and shows how to restore the database", async () => {
  const { here, id } = await configured();
  await remove(database, { id, state: { name: "orders", organizationId: here.api.organizationId } }, here.again());
  await expect(readImported(databaseConfiguration, id, here.again())).rejects.toThrow(`import: "${id}"`);
});

describe("after an update that failed", () => {
  const organizationSlug = "acme";
  const databaseName = "orders";

  /** A configuration beside a setting that somebody else has made, which the program does not set. */
  async function besideOthers(own: Properties, others: object) {
    const here = await lifecycleFixture();
    const { id } = await create(database, { name: databaseName, group: "default" }, here.context);
    const inputs = { database: id, ...own };
    const { state } = await create(databaseConfiguration, inputs, here.context);
    const outside = clientOf(here.api, here.api.apiToken);
    await outside.updateDatabaseConfiguration({ organizationSlug, databaseName, body: others });
    const failed = async (news: Properties, context = here.again()): Promise<State> => {
      const failure = await update(databaseConfiguration, { id, oldInputs: inputs, state, news }, context).catch(
        (thrown: unknown) => thrown,
      );
      expect(failure).toBeInstanceOf(Error);
      return failure instanceof InitFailedError ? failure.state : state;
    };
    /** Plays the next update, which gets the inputs of the last successful one. */
    const next = async (recorded: State, news: Properties, isRead: boolean) => {
      const context = here.again();
      const read = isRead
        ? await readManaged(databaseConfiguration, { id, inputs, state: recorded }, context)
        : undefined;
      const compared = { id, oldInputs: inputs, state: read?.state ?? recorded, news };
      const { differences } = await diff(databaseConfiguration, compared, context);
      await update(databaseConfiguration, compared, context);
      return differences.map(({ path }) => path);
    };
    return { here, id, failed, next, outside };
  }

  const REMOVED = [
    { own: { allowedIps: ["10.0.0.1"] }, others: { size_limit: "1gb" }, reset: { allowed_ips: [] } },
    { own: { allowedIps: ["10.0.0.1"] }, others: {}, reset: { allowed_ips: [] } },
    { own: { sizeLimit: "2gb" }, others: { allowed_ips: ["10.0.0.1"] }, reset: { size_limit: "" } },
    { own: { blockWrites: true }, others: { size_limit: "1gb" }, reset: { block_writes: false } },
  ];
  const cases = REMOVED.flatMap((one) => [true, false].map((isRead) => ({ ...one, isRead })));

  test.each(cases)(
    "resets $own, whose removal met a lost request (read: $isRead)",
    async ({ own, others, ...facts }) => {
      const { here, id, failed, next, outside } = await besideOthers(own, others);
      here.api.fault({ operation: "updateDatabaseConfiguration", reset: "before", times: 5 });
      const recorded = await failed({ database: id });
      here.api.clearFaults();
      expect(await next(recorded, { database: id }, facts.isRead)).toEqual(Object.keys(own));
      const found = await outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName });
      expect(found).toMatchObject({ ...others, ...facts.reset });
    },
  );

  test.each(cases)(
    "resets $own, whose removal was refused after a restore (read: $isRead)",
    async ({ own, ...facts }) => {
      const { here, id, failed, next, outside } = await besideOthers(own, {});
      const restoring = here.again();
      restoring.run.note({ step: "restore", resource: database, urn: "restored", id: id });
      here.api.fault({ operation: "updateDatabaseConfiguration", status: 403 });
      const recorded = await failed({ database: id }, restoring);
      expect(await next(recorded, { database: id }, facts.isRead)).toEqual(Object.keys(own));
      expect(await outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName })).toMatchObject(
        facts.reset,
      );
    },
  );

  test("sends a default that the program sets for the first time, if nobody could look after a restore", async () => {
    const { here, id, failed, next, outside } = await besideOthers({}, { size_limit: "1gb" });
    const restoring = here.again();
    restoring.run.note({ step: "restore", resource: database, urn: "restored", id: id });
    here.api.fault({ operation: "updateDatabaseConfiguration", status: 403 });
    here.api.fault({ operation: "retrieveDatabaseConfiguration", status: 403 });
    const news = { database: id, sizeLimit: "" };
    const recorded = await failed(news, restoring);
    expect(await next(recorded, news, false)).toEqual(["sizeLimit"]);
    const found = await outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName });
    expect(found).toMatchObject({ size_limit: "" });
  });
});
