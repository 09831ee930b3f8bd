import { expect, test } from "vitest";
import type { Properties } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { readImported } from "../../kit/steps/read";
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
  expect(Object.keys(planned).sort()).toEqual(["database", "organizationId"]);
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
    context.run.object(database.type, id).urn = "orders";
    if (isDeclared) context.run.resource("orders").inputs = {};
    await remove(databaseConfiguration, { id, state }, context);
    return all;
  };
  expect(await logged(true)).toEqual([["warning", configurationUnmanaged({ id, assignments: ["blockWrites: true"] })]]);
  expect(await logged(false)).toEqual([["info", configurationOfRetained({ assignments: ["blockWrites: true"] })]]);
});

test("refuses to import the configuration of a deleted database, and shows how to restore the database", async () => {
  const { here, id } = await configured();
  await remove(database, { id, state: { name: "orders", organizationId: here.api.organizationId } }, here.again());
  await expect(readImported(databaseConfiguration, id, here.again())).rejects.toThrow(`import: "${id}"`);
});
