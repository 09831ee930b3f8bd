import { expect, test } from "vitest";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import { IMPORTED } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { read } from "../../kit/steps/read";
import { database } from "../../provider/resources/database/database";
import { signingKeyRotation } from "../../provider/resources/token/signing-key-rotation";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "./lifecycle-fixture";

async function orders() {
  const here = await lifecycleFixture();
  const inputs = { group: "default" };
  const { id, state } = await create(database, { ...inputs, name: "orders" }, here.context);
  return {
    id,
    managed: () => read(database, { id, inputs, state }, here.again()),
    imported: () => read(database, { id, inputs: {}, state: undefined }, here.again()),
    asked: () => read(database, { id, inputs: {}, state: { name: "orders" } }, here.again()),
    deleteOutside: () =>
      clientOf(here.api, here.api.apiToken).deleteDatabaseById({
        organizationId: here.api.organizationId,
        databaseId: id,
      }),
  };
}

test("a refresh keeps a database's inputs, whereas an import or `.get` reads them from the platform", async () => {
  const { managed, imported, asked } = await orders();
  expect((await managed())?.inputs).toEqual({ group: "default" });
  for (const other of [await imported(), await asked()]) expect(other?.inputs).toHaveProperty("name", "orders");
});

test("marks the state of a database as imported only if the database was imported", async () => {
  const { managed, imported, asked } = await orders();
  expect((await imported())?.state).toHaveProperty(IMPORTED, true);
  for (const other of [await managed(), await asked()]) expect(other?.state).not.toHaveProperty(IMPORTED);
});

test("schedules a restore if a refresh or import finds a deleted database, but fails for `.get`", async () => {
  const { id, managed, imported, asked, deleteOutside } = await orders();
  await deleteOutside();
  expect((await managed())?.state).toHaveProperty("deletedAt");
  await expect(imported()).rejects.toBeInstanceOf(InitFailedError);
  await expect(asked()).rejects.toMatchObject({ kind: "absent", message: expect.stringContaining(`import: "${id}"`) });
});

test("fails to look up a rotation whose group or database this credential may not see", async () => {
  const here = await lifecycleFixture();
  const id = "0bca3e0a-2f5d-4c6b-8d1e-9f0a1b2c3d4e";
  const asked = () => read(signingKeyRotation, { id, inputs: {}, state: { generation: "0" } }, here.again());
  expect(await asked()).toBeUndefined();
  for (const operation of ["listDeletedDatabases", "listDeletedGroups"] as const)
    here.api.fault({ operation, status: 403 });
  await expect(asked()).rejects.toMatchObject({ kind: "absent" });
});

test("of what the platform no longer shows, the state keeps only outputs that are declared as kept", async () => {
  const { context } = await lifecycleFixture();
  const { id, state } = await create(database, { group: "default", name: "orders" }, context);
  const parent = { dbId: id, name: "older", branchedAt: "2026-11-20T08:00:00Z" };
  const known = { ...state, parent, encryptionCipher: "aegis256" };
  const found = await database.read(id, context.platform, { known });
  expect(found).toMatchObject({ status: "live", state: { encryptionCipher: "aegis256" } });
  expect(found).not.toHaveProperty("state.parent");
  expect(await database.read(id, context.platform, { known: state })).not.toHaveProperty("state.encryptionCipher");
});
