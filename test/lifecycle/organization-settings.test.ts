// @module-tag no-database-is-lost
// @module-tag previews-are-true
// @module-tag all-drift-is-shown
// @module-tag no-false-differences
// @module-tag clear-messages

import { expect, test } from "vitest";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import { operationImpossible, tokenLacksAccess } from "../../kit/lifecycle/messages";
import type { Properties, State } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { createByImport } from "../../kit/steps/import";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { readImported, readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { adminNeeded, ORGANIZATION_LEVEL, organizationTokenNeeded } from "../../provider/permissions/messages";
import { database } from "../../provider/resources/database/database";
import { idSpelling, recoveryDisabledIn } from "../../provider/resources/messages";
import {
  importByOrganizationId,
  mayLoseAccess,
  otherOrganizationImported,
  settingsUnmanaged,
} from "../../provider/resources/organization/messages";
import { organizationSettings } from "../../provider/resources/organization/organization-settings";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";
import { storyPlatform } from "./story-fixture";

const organizationSlug = "acme";
const outside = ({ api }: LifecycleFixture) => clientOf(api, api.apiToken);

async function onPlatform(here: LifecycleFixture): Promise<Properties> {
  const { overages, require_mfa, restore_enabled } = (await outside(here).retrieveOrganization({ organizationSlug }))
    .organization;
  return { overages, requireMfa: require_mfa, restoreEnabled: restore_enabled };
}

const compared = (id: string, oldInputs: Properties, state: State, news: Properties) => ({
  id,
  oldInputs,
  state,
  news,
});

test("ignores drift of undeclared settings, and needs only one request to read and compare all settings", async () => {
  const here = await lifecycleFixture();
  await outside(here).updateOrganization({ organizationSlug, body: { overages: true } });
  const inputs = { requireMfa: true };
  const { id, state } = await create(organizationSettings, inputs, here.context);
  expect(id).toBe(here.api.organizationId);
  expect(state).toEqual({ overages: true, requireMfa: true, restoreEnabled: true, organizationId: id });

  await outside(here).updateOrganization({ organizationSlug, body: { overages: false } });
  const later = here.again();
  here.asked();
  const read = await readManaged(organizationSettings, { id, inputs, state }, later);
  const unchanged = compared(id, inputs, read?.state ?? {}, inputs);
  expect((await diff(organizationSettings, unchanged, later)).differences).toEqual([]);
  expect(here.asked()).toEqual(["retrieveOrganization"]);
});

test.each([
  ["enables recovery before", true, { requireMfa: false, restoreEnabled: true }],
  ["disables recovery after", false, { requireMfa: true, restoreEnabled: true }],
])("%s changing the other settings", async (_name, restoreEnabled, afterOneRequest) => {
  const here = await lifecycleFixture();
  await outside(here).updateOrganization({ organizationSlug, body: { restore_enabled: !restoreEnabled } });
  const state = { overages: false, requireMfa: false, restoreEnabled: !restoreEnabled };
  const news = { requireMfa: true, restoreEnabled };
  const steps: object[] = [];
  const done = (step: object) => steps.push(step);
  await organizationSettings.update?.(here.api.organizationId, news, { ...here.context.platform, now: state, done });
  expect(steps[0]).toMatchObject(afterOneRequest);
  expect(await onPlatform(here)).toMatchObject(news);
});

test("records the settings changed by the first request when the second request fails", async () => {
  const { wire, open } = await storyPlatform();
  const wanted = { requireMfa: true, restoreEnabled: false };
  let sent = 0;
  wire.trouble = ({ operation }) =>
    operation === "updateOrganization" && sent++ > 0 ? ({ send }) => send(403, '{"error":"forbidden"}') : undefined;
  const failed = await create(organizationSettings, wanted, open()).catch((thrown) => thrown);
  expect(failed).toBeInstanceOf(InitFailedError);
  expect(failed.state).toMatchObject({ requireMfa: true, restoreEnabled: true });
});

test("leaves settings unchanged when the program removes some of them or the whole resource", async () => {
  const here = await lifecycleFixture();
  const oldInputs = { overages: true, requireMfa: true, restoreEnabled: false };
  const { id, state } = await create(organizationSettings, oldInputs, here.context);
  const later = here.again();
  const removed = compared(id, oldInputs, state, { overages: true });
  expect((await diff(organizationSettings, removed, later)).differences).toEqual([]);
  here.asked();
  await remove(organizationSettings, { id, state }, here.again());
  expect(here.asked()).toEqual(["retrieveOrganization"]);
  const remaining = ["overages: true", "requireMfa: true", "restoreEnabled: false"];
  expect(here.said).toContain(settingsUnmanaged({ organization: "acme", assignments: remaining }));
  expect(await onPlatform(here)).toEqual(oldInputs);
});

test("imports settings only by the configured organization's UUID, and says why any other id is wrong", async () => {
  const here = await lifecycleFixture();
  const acme = { slug: "acme", id: here.api.organizationId };
  const other = "5d1f7c2e-9a44-4f0b-b6c8-2e3a4b5c6d7e";
  for (const [id, says] of [
    ["acme", importByOrganizationId({ importedId: "acme", configured: acme })],
    [acme.id.toUpperCase(), idSpelling({ kind: "organization", idName: "UUID", id: acme.id })],
    [other, otherOrganizationImported({ importedId: other, configured: acme })],
  ] as const)
    await expect(readImported(organizationSettings, id, here.again())).rejects.toThrow(says);
  const { state, inputs } = await readImported(organizationSettings, acme.id, here.again());
  const imported = compared(acme.id, inputs, state, { requireMfa: false });
  expect((await diff(organizationSettings, imported, here.again())).differences).toEqual([]);
  const adopted = await createByImport(organizationSettings, acme.id, { requireMfa: true }, here.again());
  expect(adopted).toMatchObject({ id: acme.id, state: { requireMfa: true, restoreEnabled: true } });
});

test("warns a user without MFA only if the update makes MFA mandatory", async () => {
  const here = await lifecycleFixture();
  await planCreate(organizationSettings, { requireMfa: true }, here.again());
  expect(here.said).toEqual([mayLoseAccess({ username: "ada", organization: "acme" })]);
  await outside(here).updateOrganization({ organizationSlug, body: { require_mfa: true } });
  await planCreate(organizationSettings, { requireMfa: true, overages: true }, here.again());
  await planCreate(organizationSettings, { requireMfa: false }, here.again());
  expect(here.said).toHaveLength(1);
});

test("reports in the preview that only admins may change settings, and rejects changes by other members", async () => {
  const here = await lifecycleFixture();
  const apiToken = await here.api.token({ user: "max", organization: "acme" });
  const before = await onPlatform(here);
  const member = here.again({}, { apiToken });
  const needed = adminNeeded({ work: "changing the settings", organization: "acme", username: "max", role: "member" });
  await planCreate(organizationSettings, { overages: true }, member);
  expect(here.said).toContain(
    tokenLacksAccess({
      attempt: operationImpossible({ operation: "create", object: "these organization settings" }),
      reason: needed,
    }),
  );
  await expect(create(organizationSettings, { overages: true }, member)).rejects.toThrow(needed);

  const pinned = await here.api.token({ organization: "acme", group: "default", scopes: ["full-access"] });
  const scoped = here.again({}, { apiToken: pinned, organizationId: here.api.organizationId });
  const { groupId = "" } = scoped.platform.platform.credential;
  const managed = { id: here.api.organizationId, inputs: {}, state: { organizationId: here.api.organizationId } };
  await expect(readManaged(organizationSettings, managed, scoped)).rejects.toThrow(
    organizationTokenNeeded({ action: String(ORGANIZATION_LEVEL.retrieveOrganization), pinnedTo: groupId }),
  );
  expect(await onPlatform(here)).toEqual(before);
});

test("previews a restore that becomes possible because the same update enables recovery", async () => {
  const here = await lifecycleFixture();
  const args = { name: "orders", group: "default" };
  const orders = await create(database, args, here.context);
  await outside(here).deleteDatabaseById({ organizationId: here.api.organizationId, databaseId: orders.id });
  await outside(here).updateOrganization({ organizationSlug, body: { restore_enabled: false } });
  const deleted = await readManaged(database, { ...orders, inputs: args }, here.again());
  const restoring = compared(orders.id, args, deleted?.state ?? {}, args);
  const inputs = { restoreEnabled: true };
  const state = { restoreEnabled: false, organizationId: here.api.organizationId };
  const settings = compared(here.api.organizationId, inputs, state, inputs);

  await expect(planUpdate(database, restoring, here.again())).rejects.toThrow(
    recoveryDisabledIn({ organization: "acme" }),
  );
  const unrelated = here.again();
  const overages = compared(here.api.organizationId, {}, { ...state, overages: false }, { overages: true });
  await planUpdate(organizationSettings, overages, unrelated);
  await expect(planUpdate(database, restoring, unrelated)).rejects.toThrow(
    recoveryDisabledIn({ organization: "acme" }),
  );
  const preview = here.again();
  await planUpdate(organizationSettings, settings, preview);
  await planUpdate(database, restoring, preview);
  const updating = here.again();
  await update(organizationSettings, settings, updating);
  expect((await update(database, restoring, updating)).deletedAt).toBeUndefined();
});
