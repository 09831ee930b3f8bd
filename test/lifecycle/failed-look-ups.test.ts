import { expect, test } from "vitest";
import { create } from "../../kit/steps/create";
import { readManaged } from "../../kit/steps/read";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";
const ORDERS = { name: "orders", group: "default" };
const FORBIDDEN = 403;
const BROKEN = 500;

/** Makes every listing of deleted databases fail, then reads a live database that the cached lists do not contain. */
async function readNewDatabase(status: number) {
  const here = await lifecycleFixture();
  const { platform } = here.context;
  const { id } = await create(database, ORDERS, here.again());
  await database.read(id, platform, { maxAge: "seconds" });
  here.api.fault({ operation: "listDeletedDatabases", status, times: 99 });
  const outside = clientOf(here.api, here.api.apiToken);
  const made = await outside.createDatabase({ organizationSlug, body: { ...ORDERS, name: "events" } });
  return database.read(made.database.DbId, platform, { maxAge: "seconds" });
}

test.each([FORBIDDEN, BROKEN])("reads a live database when listing deleted databases fails (%i)", async (status) => {
  expect(await readNewDatabase(status)).toMatchObject({ status: "live" });
});

/**
 * Makes every lookup of a database by name fail, and then reads the configuration of a deleted database, whose name now
 * belongs to another database.
 */
async function readKeptConfiguration(status: number) {
  const here = await lifecycleFixture();
  const owner = await create(database, ORDERS, here.context);
  const inputs = { database: owner.id, blockWrites: true };
  const { id, state } = await create(databaseConfiguration, inputs, here.context);
  const outside = clientOf(here.api, here.api.apiToken);
  await outside.deleteDatabaseById({ organizationId: here.api.organizationId, databaseId: owner.id });
  await outside.createDatabase({ organizationSlug, body: ORDERS });
  here.api.fault({ operation: "retrieveDatabase", status, times: 99 });
  return { state, read: await readManaged(databaseConfiguration, { id, inputs, state }, here.again()) };
}

test.each([FORBIDDEN, BROKEN])(
  "keeps a deleted database's configuration when looking up the database by name fails (%i)",
  async (status) => {
    const { state, read } = await readKeptConfiguration(status);
    expect(read?.state).toEqual(state);
  },
);
