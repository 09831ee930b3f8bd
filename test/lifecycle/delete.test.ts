import { expect, test } from "vitest";
import { create } from "../../provider/lifecycle/create";
import { remove } from "../../provider/lifecycle/delete";
import { readImported } from "../../provider/lifecycle/read";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { lifecycleFixture } from "./lifecycle-fixture";

/** Three databases of an earlier update, and an update that imports the last two and no longer declares the first. */
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
    statusOfOlder: async () => (await database.read(older.id, older.state, "platform", here.again().platform)).status,
  };
}

test("deletes no database in an update that imports databases, and says how to delete or keep it", async () => {
  const { older, newer, newest, context, statusOfOlder } = await importOfNewer();
  const refused = await remove(database, older, context).catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({ kind: "conflict" });
  const { message } = refused as Error;
  expect(message).toContain(`could not delete database "older" (${older.id}): this update also imports `);
  expect(message).toContain(
    `${newer.id}, ${newest.id}, and an import with \`aliases\` must not delete what it replaces`,
  );
  expect(message).toContain(`To delete ${older.id}, run \`pulumi up\` again. To keep it, `);
  expect(message).toContain(`declare a second resource with the option \`import: "${older.id}"\` first`);
  expect(await statusOfOlder()).toBe("live");
});

test("removes an already deleted database from the state in an update that imports databases", async () => {
  const { here, older, context } = await importOfNewer();
  await remove(database, older, here.again());
  const deleted = { id: older.id, state: { ...older.state, deletedAt: "2026-11-22T07:17:00Z" } };
  await expect(remove(database, deleted, context)).resolves.toBeUndefined();
});

test("deletes dropped resources of other kinds in an update that imports databases", async () => {
  const { here, older, context } = await importOfNewer();
  const configuration = await create(databaseConfiguration, { database: older.id }, here.again());
  await expect(remove(databaseConfiguration, configuration, context)).resolves.toBeUndefined();
});

test("refuses to delete a protected database, and gives the protection as the reason", async () => {
  const { here, older, statusOfOlder } = await importOfNewer();
  await create(databaseConfiguration, { database: older.id, deleteProtection: true }, here.again());
  await expect(remove(database, older, here.again())).rejects.toMatchObject({
    kind: "conflict",
    message: expect.stringContaining("deleteProtection"),
  });
  expect(await statusOfOlder()).toBe("live");
});
