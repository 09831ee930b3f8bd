import { expect, test } from "vitest";
import { create } from "../../provider/lifecycle/create";
import { remove } from "../../provider/lifecycle/delete";
import { update } from "../../provider/lifecycle/update";
import { database } from "../../provider/resources/database/database";
import { restoredNameTaken } from "../../provider/resources/recovery/messages";
import { lifecycleFixture } from "./lifecycle-fixture";

test("reports which database has taken the name of a deleted database", async () => {
  const here = await lifecycleFixture();
  const inputs = { name: "orders", group: "default" };
  const orders = await create(database, inputs, here.context);
  await remove(database, orders, here.again());
  const other = await create(database, inputs, here.again());
  const state = { ...orders.state, deletedAt: "2026-11-22T07:17:00Z" };
  await expect(
    update(database, { id: orders.id, oldInputs: inputs, state, news: inputs }, here.again()),
  ).rejects.toThrow(restoredNameTaken("orders", other.id));
});
