// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { planUpdate } from "../../kit/steps/plan";
import { update } from "../../kit/steps/update";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "./lifecycle-fixture";

test("applies a configuration to a restored database in the next update if the first attempt fails", async () => {
  const here = await lifecycleFixture();
  const { id } = await create(database, { name: "orders", group: "default" }, here.context);
  const news = { database: id, deleteProtection: true };
  const { state } = await create(databaseConfiguration, news, here.context);
  const compared = { id, oldInputs: news, state, news };

  // Changes the configuration outside Pulumi, to simulate a platform that does not restore it.
  const outside = clientOf(here.api, here.api.apiToken);
  const orders = { organizationSlug: "acme", databaseName: "orders" };
  await outside.updateDatabaseConfiguration({ ...orders, body: { delete_protection: false } });
  const restoring = here.again();
  restoring.run.note({ step: "restore", resource: database, urn: "restored", id: id });
  here.api.fault({ operation: "updateDatabaseConfiguration", status: 403 });
  const failed = await update(databaseConfiguration, compared, restoring).catch((thrown: unknown) => thrown);
  expect(failed).toBeInstanceOf(InitFailedError);

  // The next run calls Diff without reading the database first, so Diff knows only the recorded state.
  const later = here.again();
  const next = { ...compared, state: (failed as InitFailedError).state };
  expect((await diff(databaseConfiguration, next, later)).differences).toMatchObject([{ path: "deleteProtection" }]);
  expect(await update(databaseConfiguration, next, later)).toMatchObject({ deleteProtection: true });
  expect(await outside.retrieveDatabaseConfiguration(orders)).toMatchObject({ delete_protection: true });
});

test("previews exactly the properties that the update will reapply to a restored database", async () => {
  const here = await lifecycleFixture();
  const { id } = await create(database, { name: "orders", group: "default" }, here.context);
  const news = { database: id, deleteProtection: true, sizeLimit: "1gb" };
  const { state } = await create(databaseConfiguration, news, here.context);
  const compared = { id, oldInputs: news, state, news };
  const restoring = here.again();
  restoring.run.note({ step: "restore", resource: database, urn: "restored", id: id });
  const previewed = async (...ignored: string[]) =>
    (await diff(databaseConfiguration, { ...compared, ignored: new Set(ignored) }, restoring)).differences;

  const again = (property: string) => ({ path: property, kind: "update", replaces: false });
  expect(await previewed()).toMatchObject([again("sizeLimit"), again("deleteProtection")]);
  expect(await previewed("sizeLimit")).toMatchObject([again("deleteProtection")]);
});

test("resets an argument that the program removes while the update restores the database", async () => {
  const here = await lifecycleFixture();
  const { id } = await create(database, { name: "orders", group: "default" }, here.context);
  const oldInputs = { database: id, blockWrites: true };
  const { state } = await create(databaseConfiguration, oldInputs, here.context);
  const restoring = here.again();
  restoring.run.note({ step: "restore", resource: database, urn: "restored", id: id });

  const compared = { id, oldInputs, state, news: { database: id } };
  expect(await planUpdate(databaseConfiguration, compared, restoring)).not.toHaveProperty("blockWrites");
  await update(databaseConfiguration, compared, restoring);
  const outside = clientOf(here.api, here.api.apiToken);
  const at = { organizationSlug: "acme", databaseName: "orders" };
  expect(await outside.retrieveDatabaseConfiguration(at)).toMatchObject({ block_writes: false });
});
