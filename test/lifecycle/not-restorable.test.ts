// @module-tag previews-are-true
// @module-tag clear-messages

import { expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import type { Context } from "../../kit/lifecycle/context";
import { notRestorableNow } from "../../kit/lifecycle/messages";
import { type Properties, UNKNOWN } from "../../kit/lifecycle/properties";
import { canBeRestoredUntil, deletionMessage } from "../../kit/lifecycle/restore/messages";
import { warningOfFinalDeletion } from "../../kit/lifecycle/warnings";
import { titleOf } from "../../kit/phrases";
import { restorableAfterDeletion } from "../../kit/restorable";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { read, readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { authorName } from "../../provider/client/messages";
import type { PlatformContext } from "../../provider/platform";
import { database } from "../../provider/resources/database/database";
import { dataLeftBehind, dataPossiblyLeftBehind, WITH_DATA } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { groupNotEmpty, THESE_DATABASES } from "../../provider/resources/group/messages";
import { planHasNoRecovery, RECOVERY_ENABLED, recoveryDisabledIn } from "../../provider/resources/messages";
import { organizationSettings } from "../../provider/resources/organization/organization-settings";
import { deletion, recoveryUnavailable } from "../../provider/resources/restoration";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";
const settingRecovery =
  (restore_enabled: boolean) =>
  ({ api }: LifecycleFixture) =>
    clientOf(api, api.apiToken).updateOrganization({ organizationSlug, body: { restore_enabled } });
const [enableRecovery, disableRecovery] = [settingRecovery(true), settingRecovery(false)];

/** Situations in which nothing in an organization can be restored. */
const REASONS: [
  situation: string,
  reason: string,
  begin: (here: LifecycleFixture) => Promise<unknown>,
  end: (here: LifecycleFixture) => Promise<unknown>,
][] = [
  ["recovery is disabled", recoveryDisabledIn({ organization: "acme" }), disableRecovery, enableRecovery],
  [
    "the plan has no recovery",
    planHasNoRecovery({ organization: "acme" }),
    ({ api }) => api.plan("starter"),
    ({ api }) => api.plan("scaler"),
  ],
];

const inputs = { name: "orders", group: "default" };
const inOther = { name: "orders", group: "other" };

async function madeOrders(here: LifecycleFixture) {
  const made = await create(database, inputs, here.context);
  const diffed = (news: Properties, context: Context) => diff(database, { ...made, oldInputs: inputs, news }, context);
  const warning = (reason: string, isPlanned?: boolean) =>
    notRestorableNow({ title: 'database "orders"', id: made.id, reason, ...(isPlanned && { isPlanned }) });
  return { made, diffed, warning };
}

test.each(REASONS)(
  "warns once if a replacement deletes a database that cannot be restored: %s",
  async (_situation, reason, begin) => {
    const here = await lifecycleFixture();
    const { made, diffed, warning } = await madeOrders(here);
    await begin(here);
    const later = here.again();
    const { differences } = await diffed(inOther, later);
    expect(differences).toMatchObject([{ path: "group", replaces: true }]);
    const left = dataLeftBehind({ title: 'database "orders"', id: made.id, isDeletedFirst: true });
    expect(here.said).toEqual([left, warning(reason, true)]);
    await remove(database, made, later);
    expect(here.said).toEqual([left, warning(reason, true)]);

    const unknown = { name: "orders", group: UNKNOWN };
    const preview = await lifecycleFixture();
    const again = await madeOrders(preview);
    await begin(preview);
    await again.diffed(unknown, preview.again());
    expect(preview.said).toEqual([
      dataPossiblyLeftBehind({ title: 'database "orders"', property: "group" }),
      again.warning(reason, true),
    ]);
  },
);

test.each(REASONS)(
  "warns before it deletes a database or group that cannot be restored: %s",
  async (_situation, reason, begin) => {
    const here = await lifecycleFixture();
    const { made, warning } = await madeOrders(here);
    const tenants = await create(group, { name: "tenants", location: "aws-us-east-1" }, here.context);
    await begin(here);
    here.asked();
    await remove(database, made, here.again());
    // The warning costs no extra request, because the organization is looked up in any case.
    expect(here.asked()).toEqual(["retrieveOrganization", "deleteDatabaseById"]);
    await remove(group, tenants, here.again());
    expect(here.said).toEqual([
      warning(reason),
      notRestorableNow({ title: 'group "tenants"', id: tenants.id, reason }),
    ]);
  },
);

test.each(REASONS)(
  "warns that a database cannot be restored at present, and restores it once the reason has ended: %s",
  async (_situation, reason, begin, end) => {
    const here = await lifecycleFixture();
    const { made, warning } = await madeOrders(here);
    await begin(here);
    await remove(database, made, here.again());
    expect(here.said).toEqual([warning(reason)]);
    await end(here);
    const deleted = (await readManaged(database, { ...made, inputs }, here.again()))?.state ?? {};
    await update(database, { id: made.id, oldInputs: inputs, state: deleted, news: inputs }, here.again());
    expect(await readManaged(database, { ...made, inputs }, here.again())).toMatchObject({ state: made.state });
  },
);

test.each(REASONS)(
  "does not call databases restorable when it refuses to delete their group: %s",
  async (_situation, reason, begin) => {
    const here = await lifecycleFixture();
    const inputs = { name: "tenants", location: "aws-us-east-1" };
    const { id, state } = await create(group, inputs, here.context);
    const inside = await create(database, { name: "inside", group: id }, here.context);
    const databases = [{ name: "inside", id: inside.id }];
    const refused = (obstacle?: string) =>
      expect(remove(group, { id, state }, here.again())).rejects.toThrow(
        groupNotEmpty({ name: "tenants", contained: databases, obstacle }),
      );
    await refused();
    await begin(here);
    await refused(reason);
    const elsewhere = { id, oldInputs: inputs, state, news: { ...inputs, location: "aws-eu-west-1" } };
    const inStack = here.again();
    inStack.run.note({ step: "read", resource: group, urn: "urn", id: id, inputs: {}, state: {} });
    await expect(diff(group, elsewhere, inStack)).rejects.toThrow(
      groupNotEmpty({ name: "tenants", contained: databases, obstacle: reason }),
    );
  },
);

test("does not warn of a missing recovery if the database is restorable or already deleted, or if the token is group-scoped", async () => {
  const here = await lifecycleFixture();
  const { made, diffed } = await madeOrders(here);
  await diffed(inOther, here.again());
  expect(here.said.splice(0)).toEqual([expect.stringContaining("can be restored until")]);
  await remove(database, made, here.again());
  await disableRecovery(here);
  const deleted = await readManaged(database, { ...made, inputs }, here.again());
  here.said.length = 0;
  await remove(database, { id: made.id, state: deleted?.state ?? {} }, here.again());

  const another = await create(database, { name: "another", group: "default" }, here.context);
  const apiToken = await here.api.token({ organization: "acme", group: "default", scopes: ["full-access"] });
  const pinned = here.again({}, { apiToken, organizationId: here.api.organizationId });
  await remove(database, another, pinned);
  expect(here.said).toEqual([]);
});

test("gives no warning if the update has already enabled recovery", async () => {
  const here = await lifecycleFixture();
  const { made } = await madeOrders(here);
  await disableRecovery(here);
  const later = here.again();
  const id = here.api.organizationId;
  const state = { restoreEnabled: false, organizationId: id };
  const news = { restoreEnabled: true };
  await update(organizationSettings, { id, oldInputs: news, state, news }, later);
  await remove(database, made, later);
  expect(here.said).toEqual([]);
});

test.each([
  [database, inputs],
  [group, { name: "east", location: "aws-us-east-1" }],
])("says that a deleted resource can be restored once recovery is enabled", async (resource: AnyResource, args) => {
  const here = await lifecycleFixture();
  const { id, state } = await create(resource, args, here.context);
  await remove(resource, { id, state }, here.again());
  const reading = () => readManaged(resource, { id, inputs: args, state }, here.again());
  const deletion = {
    deletedAt: "",
    restorableUntil: "",
    ...(await reading())?.state,
    by: authorName({ by: { author: "ada", origin: "api" } }),
    contents: resource === group ? { what: THESE_DATABASES, objects: [] } : undefined,
  };
  const object = { title: titleOf(resource, state), id, brings: WITH_DATA };
  expect(here.said.at(-1)).toBe(deletionMessage({ ...object, deletion }));

  await disableRecovery(here);
  const disabled = await reading();
  expect(here.said.at(-1)).toBe(deletionMessage({ ...object, deletion: { ...deletion, once: RECOVERY_ENABLED } }));
  const planned = planUpdate(resource, { id, oldInputs: args, state: disabled?.state ?? {}, news: args }, here.again());
  await expect(planned).rejects.toThrow(recoveryDisabledIn({ organization: "acme" }));
});

test.each([
  [database, inputs],
  [group, { name: "east", location: "aws-us-east-1" }],
])("says that a deleted resource cannot be restored at present if recovery is disabled", async (...made) => {
  const [resource, args]: [AnyResource, Properties] = made;
  const here = await lifecycleFixture();
  const { id, state } = await create(resource, args, here.context);
  await remove(resource, { id, state }, here.again());
  const answers = async () => {
    const deleted = (await readManaged(resource, { id, inputs: args, state }, here.again()))?.state ?? {};
    const until = String(deleted.restorableUntil);
    here.said.length = 0;
    await planCreate(resource, args, here.again());
    const ignored = new Set(["deletedAt"]);
    const context = here.again();
    context.run.note({ step: "check", urn: context.platform.urn, inputs: args });
    await diff(resource, { id, oldInputs: args, state: deleted, news: args, ignored }, context);
    const lookedUp = await read(resource, { id, inputs: {}, state: {} }, here.again()).catch(String);
    return { until, texts: [...here.said, String(lookedUp)] };
  };
  const { until, texts } = await answers();
  expect(texts).toHaveLength(3);
  for (const text of texts)
    expect(text).toContain(`${canBeRestoredUntil({ restorableUntil: until, obstacle: undefined })}.`);
  await disableRecovery(here);
  for (const text of (await answers()).texts)
    expect(text).toContain(
      canBeRestoredUntil({ restorableUntil: until, obstacle: recoveryDisabledIn({ organization: "acme" }) }),
    );
});

test("warns of each object that cannot be restored, even if objects of two types have the same id", async () => {
  const here = await lifecycleFixture();
  await disableRecovery(here);
  const object = { id: "1", state: { name: "orders" } };
  const context = here.again();
  const warnings = [database, group].map((resource) => warningOfFinalDeletion(resource, object, context));
  const reason = recoveryDisabledIn({ organization: "acme" });
  expect(await Promise.all(warnings)).toEqual(
    ["database", "group"].map((kind) => notRestorableNow({ title: `${kind} "orders"`, id: "1", reason })),
  );
});

test("claims no time until which a deleted object can be restored if the platform does not tell", async () => {
  const here = await lifecycleFixture();
  const softDeleted = { ...deletion, unavailable: recoveryUnavailable };
  here.api.fault({ operation: "retrieveOrganization", status: 403, body: { error: "forbidden" }, times: 99 });
  here.api.fault({ operation: "listOrganizations", status: 403, body: { error: "forbidden" }, times: 99 });
  expect(await restorableAfterDeletion<PlatformContext>(softDeleted, here.context.platform)).toBeUndefined();
  here.api.clearFaults();
  const { platform } = here.again();
  expect(await restorableAfterDeletion<PlatformContext>(softDeleted, platform)).toMatch(/^\d{4}-/);
});
