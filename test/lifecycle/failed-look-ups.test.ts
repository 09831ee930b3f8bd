import { describe, expect, test } from "vitest";
import { create } from "../../provider/lifecycle/create";
import { readManaged } from "../../provider/lifecycle/read";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";
const ORDERS = { name: "orders", group: "default" };
const FORBIDDEN = 403;
const BROKEN = 500;

/** Reads a live database that the lists of a moment ago lack, while deleted ones cannot be listed. */
async function readNewDatabase(status: number) {
  const here = await lifecycleFixture();
  const { platform } = here.context;
  const { id } = await create(database, ORDERS, here.again());
  await database.read(id, undefined, "snapshot", platform);
  here.api.fault({ operation: "listDeletedDatabases", status, times: 99 });
  const outside = clientOf(here.api, here.api.apiToken);
  const made = await outside.createDatabase({ organizationSlug, body: { ...ORDERS, name: "events" } });
  return database.read(made.database.DbId, undefined, "snapshot", platform);
}

describe("a list of deleted databases", () => {
  test("that the credential may not see does not keep a live database from being read", async () => {
    expect(await readNewDatabase(FORBIDDEN)).toMatchObject({ status: "live" });
  });

  test("that the platform fails to give fails the read", async () => {
    await expect(readNewDatabase(BROKEN)).rejects.toMatchObject({ kind: "unavailable" });
  });
});

/** Reads the configuration of a deleted database whose name another one has, while names cannot be looked up. */
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

describe("a look-up of who has the name of a deleted database", () => {
  test("that the credential may not make leaves the configuration as remembered", async () => {
    const { state, read } = await readKeptConfiguration(FORBIDDEN);
    expect(read?.state).toEqual(state);
  });

  test("that the platform fails to answer fails the read", async () => {
    await expect(readKeptConfiguration(BROKEN)).rejects.toMatchObject({ kind: "unavailable" });
  });
});
