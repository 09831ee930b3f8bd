// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import type { Context } from "../../kit/lifecycle/context";
import { settingsTakenOver } from "../../kit/lifecycle/messages";
import type { Properties } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { planCreate } from "../../kit/steps/plan";
import { readManaged } from "../../kit/steps/read";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { configurationUnmanaged } from "../../provider/resources/database/messages";
import { organizationSettings } from "../../provider/resources/organization/organization-settings";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";
import { type ManagedResource, made } from "./managed";

const organizationSlug = "acme";

const BLOCKED = { property: "blockWrites", is: true, byDefault: false };

/** Returns contexts of one new provider process, by URN. */
function processOf(here: LifecycleFixture): (urn: string) => Context {
  const context = here.again();
  return (urn) => ({ ...context, platform: { ...context.platform, urn } });
}

async function configured(here: LifecycleFixture, wanted: Properties): Promise<ManagedResource> {
  const { id } = await create(database, { name: "orders", group: "default", sizeLimit: "1gb" }, here.context);
  return made(databaseConfiguration, { database: id, ...wanted }, here.context);
}

const settingsOf = (said: readonly string[]) =>
  said.filter((text) => /stay in force|not reset|stay as they are/.test(text));

test("lists a setting that a replacement of the same configuration drops", async () => {
  const here = await lifecycleFixture();
  const former = await configured(here, { blockWrites: true, blockReads: true });
  const at = processOf(here)("a");
  await readManaged(databaseConfiguration, former, at);
  const news = { database: former.id, blockReads: true };
  const text = settingsTakenOver({ subject: `database ${former.id}`, from: "a", to: "a", remaining: [BLOCKED] });
  await planCreate(databaseConfiguration, news, at);
  expect(settingsOf(here.said)).toEqual([text]);
  const update = processOf(here)("a");
  await readManaged(databaseConfiguration, former, update);
  await create(databaseConfiguration, news, update);
  await remove(databaseConfiguration, former, update);
  expect(settingsOf(here.said)).toEqual([text, text]);
});

test("lists nothing if the new configuration names all settings, or if nobody takes over", async () => {
  const here = await lifecycleFixture();
  const former = await configured(here, { blockWrites: true });
  const urn = processOf(here);
  await readManaged(databaseConfiguration, former, urn("a"));
  await create(databaseConfiguration, { database: former.id, blockWrites: true }, urn("b"));
  await remove(databaseConfiguration, former, urn("a"));
  expect(settingsOf(here.said)).toEqual([]);

  const alone = processOf(here)("a");
  await readManaged(databaseConfiguration, former, alone);
  await remove(databaseConfiguration, former, alone);
  expect(settingsOf(here.said)).toEqual([
    configurationUnmanaged({ id: former.id, assignments: ["blockWrites: true"] }),
  ]);
});

test("lists no setting that was lifted outside, and none that its resource still manages", async () => {
  const here = await lifecycleFixture();
  const former = await configured(here, { blockWrites: true });
  const urn = processOf(here);
  urn("a").run.note({ step: "check", urn: "a", inputs: {} });
  const unchanged = { id: former.id, oldInputs: former.inputs, state: former.state, news: former.inputs };
  await diff(databaseConfiguration, unchanged, urn("a"));
  await create(databaseConfiguration, { database: former.id, blockReads: true }, urn("b"));
  expect(settingsOf(here.said)).toEqual([]);

  const databaseName = "orders";
  const body = { block_writes: false };
  await clientOf(here.api, here.api.apiToken).updateDatabaseConfiguration({ organizationSlug, databaseName, body });
  const later = processOf(here);
  await readManaged(databaseConfiguration, former, later("a"));
  await create(databaseConfiguration, { database: former.id, blockReads: true }, later("b"));
  expect(settingsOf(here.said)).toEqual([]);
});

test("lists the settings of an organization that another resource takes over", async () => {
  const here = await lifecycleFixture();
  const former = await made(organizationSettings, { overages: true, requireMfa: true }, here.context);
  const settings = [{ property: "requireMfa", is: true, byDefault: undefined }];
  const text = settingsTakenOver({ subject: 'organization "acme"', from: "a", to: "b", remaining: settings });
  const preview = processOf(here);
  await readManaged(organizationSettings, former, preview("a"));
  await planCreate(organizationSettings, { overages: false }, preview("b"));
  expect(settingsOf(here.said)).toEqual([text]);
  const update = processOf(here);
  await create(organizationSettings, { overages: false }, update("b"));
  await remove(organizationSettings, former, update("a"));
  expect(settingsOf(here.said)).toEqual([text, text]);
});
