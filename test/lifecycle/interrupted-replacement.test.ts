// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { Run } from "../../kit/run";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { database } from "../../provider/resources/database/database";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "./lifecycle-fixture";

// A story has one provider process in each run.

const oldInputs = { name: "orders", group: "default" };

test("keeps an old object that a resource manages again with another provider process", async () => {
  const here = await lifecycleFixture();
  const orders = { ...(await create(database, oldInputs, here.context)), oldInputs };
  const at = { organizationId: here.api.organizationId, databaseId: orders.id };
  const outside = clientOf(here.api, here.api.apiToken);
  await outside.deleteDatabaseById(at);
  await outside.restoreDatabase({ ...at, body: {} });
  const context = here.newProcess();
  context.run.readsFirst = true;
  await diff(database, { ...orders, news: oldInputs }, context);
  await create(database, oldInputs, context);
  const other = here.newProcess();
  const run = new Run(context.run.takeovers);
  await remove(database, orders, { ...other, run, platform: { ...other.platform, run } });
  expect(await database.read(orders.id, context.platform)).toMatchObject({ status: "live" });
});
