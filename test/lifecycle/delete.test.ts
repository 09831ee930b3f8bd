import { expect, test } from "vitest";
import { deletionBesideImport, keptDespiteImport, notDeleted } from "../../kit/lifecycle/messages";
import { IMPORTED } from "../../kit/lifecycle/properties";
import { Refusal } from "../../kit/refusal";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { readImported, readManaged } from "../../kit/steps/read";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { lifecycleFixture } from "./lifecycle-fixture";

/**
 * Creates the databases `older`, `newer` and `newest`, and an update that imports the last two and no longer declares
 * `older`.
 */
async function importOfNewer() {
  const here = await lifecycleFixture();
  const older = await create(database, { name: "older", group: "default" }, here.context);
  const newer = await create(database, { name: "newer", group: "default" }, here.context);
  const newest = await create(database, { name: "newest", group: "default" }, here.context);
  const context = here.again();
  for (const { id, state } of [newer, newest])
    await readImported(database, id, { ...context, platform: { ...context.platform, urn: String(state.name) } });
  return {
    ...{ here, older, newer, newest, context },
    statusOfOlder: async () => (await database.read(older.id, here.again().platform, { known: older.state })).status,
  };
}

test("refuses to delete a database in an update that imports databases, and explains the alternatives", async () => {
  const { older, newer, newest, context, statusOfOlder } = await importOfNewer();
  const refused = await remove(database, older, context).catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({ kind: "conflict" });
  const { message } = refused as Error;
  const tried = notDeleted({ title: 'database "older"', id: older.id });
  const expected = new Refusal("conflict", {
    tried,
    ...deletionBesideImport({ id: older.id, importedIds: [newer.id, newest.id] }),
  });
  expect(message).toBe(expected.message);
  expect(await statusOfOlder()).toBe("live");
});

test("removes an already deleted database from the state in an update that imports databases", async () => {
  const { here, older, context } = await importOfNewer();
  await remove(database, older, here.again());
  const deleted = { id: older.id, state: { ...older.state, deletedAt: "2026-11-22T07:17:00Z" } };
  await expect(remove(database, deleted, context)).resolves.toBeUndefined();
});

test("deletes a configuration that the program no longer declares, even in an update with imports", async () => {
  const { here, older, context } = await importOfNewer();
  const configuration = await create(databaseConfiguration, { database: older.id }, here.again());
  await expect(remove(databaseConfiguration, configuration, context)).resolves.toBeUndefined();
});

test("says why it keeps one of two databases of a resource that is removed, if the other was imported", async () => {
  const here = await lifecycleFixture();
  const older = await create(database, { name: "older", group: "default" }, here.context);
  const newer = await create(database, { name: "newer", group: "default" }, here.context);
  const context = here.again();
  const imported = { ...older, state: { ...older.state, [IMPORTED]: true } };
  for (const each of [imported, newer]) await readManaged(database, { ...each, inputs: {} }, context);
  await remove(database, newer, context);
  expect((await database.read(newer.id, here.again().platform, { known: newer.state })).status).toBe("live");
  const kept = { title: 'database "newer"', id: newer.id, importedId: older.id, isDeclared: false };
  expect(here.said).toEqual([keptDespiteImport(kept)]);
});
