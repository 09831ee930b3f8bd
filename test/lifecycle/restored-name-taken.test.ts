import { expect, test } from "vitest";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { planUpdate } from "../../kit/steps/plan";
import { update } from "../../kit/steps/update";
import { database } from "../../provider/resources/database/database";
import { restoredDatabaseNameTaken } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
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
  ).rejects.toThrow(restoredDatabaseNameTaken({ name: "orders", id: other.id }));
});

test("previews a restore under the old name if the new name is taken, but fails if both names are taken", async () => {
  const here = await lifecycleFixture();
  const inputs = { name: "orders", group: "default" };
  const orders = await create(database, inputs, here.context);
  const sales = await create(database, { name: "sales", group: "other" }, here.again());
  const groupId = String(orders.state.groupId);
  await here.again().platform.platform.api.deleteGroup({ groupName: "default" });
  const times = { deletedAt: "2026-11-22T07:17:00Z", groupDeletedAt: "2026-11-22T07:17:00Z" };
  const preview = () => {
    const context = here.again();
    context.run.note({ step: "restore", resource: group, urn: "restored", id: groupId, ...times });
    context.run.note({ step: "plan return", urn: "restored", type: group.type, id: groupId, name: "default" });
    const news = { ...inputs, name: "sales" };
    return planUpdate(
      database,
      { id: orders.id, oldInputs: inputs, state: { ...orders.state, ...times }, news },
      context,
    );
  };
  await expect(preview()).resolves.toMatchObject({ dbId: orders.id });
  await create(database, { name: "orders", group: "other" }, here.again());
  await expect(preview()).rejects.toThrow(restoredDatabaseNameTaken({ name: "sales", id: sales.id }));
});
