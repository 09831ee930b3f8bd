import { expect, test } from "vitest";
import { create } from "../../provider/lifecycle/create";
import { remove } from "../../provider/lifecycle/delete";
import { diff } from "../../provider/lifecycle/diff";
import { database } from "../../provider/resources/database/database";
import { lifecycleFixture } from "./lifecycle-fixture";

/** Creates and deletes a database. `plan` compares the state of the deleted database with a new name. */
async function replacementOfDeleted() {
  const here = await lifecycleFixture();
  const oldInputs = { name: "orders", group: "default" };
  const orders = await create(database, oldInputs, here.context);
  await remove(database, orders, here.again());
  const context = here.again();
  return {
    context,
    plan: () => diff(database, { ...orders, oldInputs, news: { ...oldInputs, name: "sales" } }, context),
  };
}

test("continues a replacement that was interrupted after the old database was deleted", async () => {
  const { context, plan } = await replacementOfDeleted();
  // The engine reads every resource before an update, except one that an interrupted replacement has deleted.
  context.session.noteReadsFirst();
  expect((await plan()).differences).toMatchObject([{ property: "name", replaces: true }]);
});

test("refuses to replace a database deleted outside Pulumi until the database is restored", async () => {
  const { plan } = await replacementOfDeleted();
  await expect(plan()).rejects.toMatchObject({ kind: "conflict", message: expect.stringContaining("--refresh") });
});
