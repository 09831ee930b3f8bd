// @module-tag no-database-is-lost
// @module-tag nothing-is-created-twice-or-adopted
// @module-tag secrets-stay-secret
// @module-tag failures-and-interruptions
// @module-tag all-drift-is-shown

import { describe, expect, test } from "vitest";
import {
  createdAgain,
  createdDespiteLostResponse,
  creationUncertain,
  deletionSkipped,
} from "../../kit/lifecycle/messages";
import { type Properties, UNKNOWN } from "../../kit/lifecycle/properties";
import { restoreUnanswered } from "../../kit/lifecycle/restore/messages";
import type { Refusal } from "../../kit/refusal";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { planUpdate } from "../../kit/steps/plan";
import { readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import type { Fault } from "../../platform/reference/faults/faults";
import {
  brokenConnection,
  failedOperation,
  organizationIdMismatch,
  TIME_LIMIT_BEFORE_SENDING,
  TIME_LIMIT_EXCEEDED,
} from "../../provider/client/messages";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { group } from "../../provider/resources/group/group";
import { ADMIN_TO_RESTORE, planHidesDeleted, UPGRADE_TO_RESTORE } from "../../provider/resources/messages";
import { apiToken } from "../../provider/resources/token/api-token";
import { clientOf } from "../engine/engine-fixture";
import { type Exchange, faultyWire, type Trouble } from "../faulty-wire";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const args = { name: "orders", group: "default" };
const organizationSlug = "acme";

const namesIn = async ({ api }: LifecycleFixture) =>
  (await clientOf(api, api.apiToken).listDatabases({ organizationSlug })).databases.map(({ Name }) => Name);
const tokensNamed = async ({ api }: LifecycleFixture, name: string) =>
  (await clientOf(api, api.apiToken).listApiTokens({ organizationSlug })).tokens.filter((token) => token.name === name);

test("records a database whose creation succeeded although the response was lost", async () => {
  const here = await lifecycleFixture();
  here.api.fault({ operation: "createDatabase", reset: "after" });
  const { id, state } = await create(database, args, here.context);
  expect(state).toMatchObject({ dbId: id, name: "orders", group: "default", groupName: "default" });
  expect(await namesIn(here)).toEqual(["orders"]);
  expect(here.said).toContain(createdDespiteLostResponse({ title: 'database "orders"', id }));
  expect(here.takeOperations().filter((operation) => operation === "createDatabase")).toHaveLength(1);
});

test("applies all settings to a group whose creation succeeded although the response was lost", async () => {
  const here = await lifecycleFixture();
  here.api.fault({ operation: "createGroup", reset: "after" });
  const wanted = { name: "tenants", location: "aws-us-east-1", locations: ["aws-eu-west-1"], deleteProtection: true };
  const { id, state } = await create(group, wanted, here.context);
  expect(state).toMatchObject(wanted);
  const { groups } = await clientOf(here.api, here.api.apiToken).listGroups({ organizationSlug });
  expect(groups.find(({ uuid }) => uuid === id)).toMatchObject({ name: "tenants", delete_protection: true });
});

test("records a group that could not be configured, and configures the group in the next update", async () => {
  const here = await lifecycleFixture();
  here.api.fault({ operation: "updateGroupConfiguration", status: 403 });
  const wanted = { name: "tenants", location: "aws-us-east-1", deleteProtection: true };
  const incomplete = await create(group, wanted, here.context).catch((thrown) => thrown);
  expect(incomplete).toMatchObject({ name: "InitFailedError", state: { name: "tenants", deleteProtection: false } });
  const { id, state } = incomplete;
  const compared = { id, oldInputs: wanted, state, news: wanted };
  expect(await update(group, compared, here.newProcess())).toMatchObject({ deleteProtection: true });
});

test("records the changes that an update made before it failed", async () => {
  const here = await lifecycleFixture();
  const wanted = { name: "tenants", location: "aws-us-east-1" };
  const { id, state } = await create(group, wanted, here.context);
  here.api.fault({ operation: "renameGroup", status: 403 });
  const news = { ...wanted, name: "customers", locations: ["aws-eu-west-1"] };
  const incomplete = await update(group, { id, oldInputs: wanted, state, news }, here.newProcess()).catch(
    (thrown) => thrown,
  );
  expect(incomplete).toMatchObject({
    name: "InitFailedError",
    state: { name: "tenants", locations: ["aws-eu-west-1"] },
  });
});

test("reports a database as not created when the request was lost, and does not repeat the request", async () => {
  const here = await lifecycleFixture();
  here.api.fault({ operation: "createDatabase", reset: "before" });
  await expect(create(database, args, here.context)).rejects.toMatchObject({ kind: "unavailable" });
  expect(here.takeOperations().filter((operation) => operation === "createDatabase")).toHaveLength(1);
  expect(await namesIn(here)).toEqual([]);
  expect(await create(database, args, here.context)).toBeTruthy();
});

test("never adopts another user's database of the same name after a lost response", async () => {
  const here = await lifecycleFixture();
  await clientOf(here.api, here.api.apiToken).createDatabase({ organizationSlug, body: args });
  here.api.fault({ operation: "createDatabase", reset: "before" });
  await expect(create(database, args, here.context)).rejects.toMatchObject({ kind: "unavailable" });
});

test("after a lost response, never adopts a database that another resource created in the same run", async () => {
  const here = await lifecycleFixture();
  await create(database, args, here.context);
  here.api.fault({ operation: "createDatabase", reset: "before" });
  await expect(create(database, args, here.context)).rejects.toMatchObject({ kind: "unavailable" });
});

test("revokes a token if the response with its secret is lost, and mints another token", async () => {
  const here = await lifecycleFixture();
  here.api.fault({ operation: "createApiToken", reset: "after" });
  const { id, state } = await create(apiToken, { name: "ci" }, here.context);
  expect((await tokensNamed(here, "ci")).map((token) => token.id)).toEqual([id]);
  await clientOf(here.api, String(state.token)).validateApiToken({});
  const [, lost = ""] = /\((\S+)\) was created/.exec(here.said.join()) ?? [];
  expect(lost).not.toBe(id);
  expect(here.said).toEqual([createdAgain({ kind: "API token", name: "ci", id: lost, secrets: ["token"] })]);
});

test("§5 rule 9 finds a member's token after a lost response, even if the list omits token owners", async () => {
  const here = await lifecycleFixture();
  const apiTokenOfMember = await here.api.token({ user: "max" });
  const wire = await faultyWire(here.api.url);
  const troubles: Partial<Record<string, Trouble>> = { listApiTokens: withoutOwners, createApiToken: loseAnswer };
  wire.trouble = ({ operation = "" }) => troubles[operation];
  const member = here.newProcess({}, { apiToken: apiTokenOfMember, baseUrl: wire.url });
  const { id } = await create(apiToken, { name: "ci" }, member);
  expect((await tokensNamed(here, "ci")).map((token) => [token.id, token.owner?.username])).toEqual([[id, "max"]]);

  async function loseAnswer({ forward, cut }: Exchange): Promise<void> {
    delete troubles.createApiToken;
    await forward();
    cut();
  }
});

/**
 * Removes the `owner` of each token from a response, because the public service hides it from members (wire-facts 5.3).
 */
async function withoutOwners({ forward, send }: Exchange): Promise<void> {
  const { status, text } = await forward();
  send(
    status,
    JSON.stringify(JSON.parse(text), (key, value) => (key === "owner" ? undefined : value)),
  );
}

test("keeps another user's token of the same name after a lost response", async () => {
  const here = await lifecycleFixture();
  await here.api.token({ user: "max", name: "ci" });
  here.api.fault({ operation: "createApiToken", reset: "before" });
  await expect(create(apiToken, { name: "ci" }, here.context)).rejects.toMatchObject({ kind: "unavailable" });
  expect(await tokensNamed(here, "ci")).toHaveLength(1);
});

test("shows how to import the database with the taken name, even if the platform returns 400", async () => {
  const here = await lifecycleFixture();
  const { id } = await create(database, args, here.context);
  for (const fault of [undefined, { status: 400, body: { error: "database with same name already exists" } }]) {
    if (fault) here.api.fault({ operation: "createDatabase", ...fault });
    const refusal: Refusal = await create(database, args, here.newProcess()).catch((thrown) => thrown);
    expect(refusal.kind).toBe("conflict");
    expect(refusal.message).toContain(`\`import: "${id}"\``);
    expect(refusal.message).toContain("`deleteBeforeReplace: true`");
  }
  expect(await namesIn(here)).toEqual(["orders"]);
});

test("treats a restore as done when its response was lost", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, args, here.context);
  await remove(database, { id, state }, here.newProcess());
  here.api.fault({ operation: "restoreDatabase", reset: "after" });
  const deleted = { ...state, deletedAt: "2026-01-01T00:00:00Z" };
  const compared = { id, oldInputs: args, state: deleted, news: args };
  expect(await update(database, compared, here.context)).not.toHaveProperty("deletedAt");
  expect(await namesIn(here)).toEqual(["orders"]);
});

test.each<[string, Omit<Fault, "operation">]>([
  ["status 401", { status: 401 }],
  ["status 403", { status: 403 }],
  ["status 500", { status: 500 }],
  ["an HTML page", { body: "html" }],
  ["a truncated response", { body: "truncated" }],
  ["a response of the wrong shape", { body: { databases: "none" } }],
])("never treats a database as deleted because of a failed request: %s", async (_, fault) => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, args, here.context);
  const managed = { id, inputs: args, state };
  for (const operation of ["listDatabases", "retrieveDatabaseById", "listDeletedDatabases"] as const) {
    await remove(database, managed, here.newProcess());
    here.api.fault({ operation, times: 9, ...fault });
    const reading = await readManaged(database, managed, here.newProcess()).catch((thrown: Error) => thrown);
    expect(reading).toBeDefined();
    expect(String(reading)).not.toContain(here.api.apiToken);
    await fetch(`${here.api.url}/_reference/faults`, { method: "DELETE" });
    await clientOf(here.api, here.api.apiToken).restoreDatabase({
      organizationId: here.api.organizationId,
      databaseId: id,
    });
  }
});

test.each<[string, (here: LifecycleFixture) => unknown, string]>([
  ["the free plan", ({ api }) => api.plan("starter"), UPGRADE_TO_RESTORE],
  [
    "the credential",
    ({ api }) => api.fault({ operation: "listDeletedDatabases", status: 403, times: 99 }),
    ADMIN_TO_RESTORE,
  ],
])("§3 keeps deleted databases in the state for five days if %s prevents listing them", async (_, hide, way) => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, args, here.context);
  await remove(database, { id, state }, here.newProcess());
  await hide(here);
  const managed = { id, inputs: args, state };
  const deleted = (await readManaged(database, managed, here.newProcess())) ?? { state: {} as Properties };
  expect(deleted.state).toMatchObject({ ...state, deletedAt: expect.any(String) });
  const compared = { id, oldInputs: args, state: deleted.state, news: args };
  here.api.fault({ operation: "restoreDatabase", status: 403, times: 99 });
  const refused = update(database, compared, here.newProcess());
  await expect(refused).rejects.toThrow(way);
  await expect(refused).rejects.toThrow('`replaceOnChanges: ["deletedAt"]`');
  await remove(database, { id, state: deleted.state }, here.newProcess());

  const later = { ...managed, state: deleted.state };
  await here.api.advance(5 * 86_400 - 60);
  expect((await readManaged(database, later, here.newProcess()))?.state.deletedAt).toBe(deleted.state.deletedAt);
  await here.api.advance(120);
  expect(await readManaged(database, later, here.newProcess())).toBeUndefined();
});

test("does not treat a resource as deleted if the credential is restricted to another group", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, args, here.context);
  const pinned = await here.api.token({ group: "other", scopes: ["full-access"] });
  const settings = { apiToken: pinned, organizationId: here.api.organizationId };
  const other = await lifecycleFixture({ settings: { ...settings, baseUrl: here.api.url } });
  const inputs = { database: id, blockReads: true };
  const configuration = { id, inputs, state: (await create(databaseConfiguration, inputs, here.context)).state };
  const looked = await readManaged(databaseConfiguration, configuration, here.newProcess());
  expect(looked?.state).toMatchObject({ blockReads: true, groupId: state.groupId });
  for (const attempt of [
    () => readManaged(databaseConfiguration, configuration, other.context),
    () => readManaged(databaseConfiguration, { ...configuration, ...looked }, other.context),
    () => readManaged(database, { id, inputs: args, state }, other.context),
    () => remove(database, { id, state }, other.context),
  ])
    await expect(attempt()).rejects.toMatchObject({ kind: "forbidden" });
});

test("does not delete a database that was created in the same run", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, args, here.context);
  await remove(database, { id, state }, here.context);
  expect(await namesIn(here)).toEqual(["orders"]);
  expect(here.said).toContain(deletionSkipped({ title: 'database "orders"', id }));
  await remove(database, { id, state }, here.newProcess());
  await remove(database, { id, state }, here.newProcess());
  expect(await namesIn(here)).toEqual([]);
});

test("sends no request if the run has already been cancelled", async () => {
  const here = await lifecycleFixture({ call: { signal: AbortSignal.abort() } });
  await expect(create(database, args, here.context)).rejects.toMatchObject({ kind: "cancelled" });
  expect(here.takeOperations()).toEqual([]);
});

test("finishes and records a write that is in progress when the run is cancelled", async () => {
  const stop = new AbortController();
  const here = await lifecycleFixture({ call: { signal: stop.signal } });
  here.api.fault({ operation: "createDatabase", latency: 300 });
  const creating = create(database, args, here.context);
  // Waits for the group lookup, and then for one more poll. By then the provider has sent the request to create the
  // database, and the platform has not responded yet.
  let seen = 0;
  const lookedUp = () => here.api.journal().some(({ operation }) => operation === "listGroups");
  await expect.poll(() => (lookedUp() ? ++seen : 0)).toBeGreaterThan(1);
  stop.abort();
  expect(await namesIn(here)).toEqual([]);
  const { state } = await creating;
  expect(state).toMatchObject({ name: "orders", group: "default" });
  expect(await namesIn(here)).toEqual(["orders"]);
});

test("stops an operation at its deadline, even when the platform hangs", async () => {
  const here = await lifecycleFixture({ call: { deadline: AbortSignal.timeout(1_000) } });
  here.api.fault({ operation: "createDatabase", hang: true });
  await expect(create(database, args, here.context)).rejects.toMatchObject({ kind: "unavailable" });
});

describe("a restore without a valid response", () => {
  const deleted = async (here: LifecycleFixture) => {
    const { id, state } = await create(database, args, here.context);
    await remove(database, { id, state }, here.newProcess());
    return { id, oldInputs: args, state: { ...state, deletedAt: "2026-01-01T00:00:00Z" }, news: args };
  };
  const failed = (id: string, cause: string, isStillDeleted: boolean) => {
    const { answer, advice } = restoreUnanswered({ cause, kind: "database", isStillDeleted });
    return { kind: "unavailable", message: `cannot restore database "orders" (${id}): ${answer}. ${advice}` };
  };
  const causeIn = (here: LifecycleFixture, id: string, answer: string) => {
    const path = `/v3/organizations/${here.api.organizationId}/databases/${id}/restore`;
    return `${failedOperation({ action: "restore database", method: "POST", path })}: ${answer}`;
  };

  test("names the restore and the limit if its `customTimeouts` limit expires", async () => {
    const here = await lifecycleFixture();
    const compared = await deleted(here);
    const { id } = compared;
    // Looks up the organization before the limit begins, as the engine's reads before an update do.
    const limit = new AbortController();
    const context = here.newProcess({ deadline: limit.signal });
    await context.platform.platform.organization.id();
    here.api.fault({ operation: "restoreDatabase", hang: true });
    const restoring = update(database, compared, context);
    const isHanging = () => here.api.faults().length === 0;
    await Promise.all([
      expect(restoring).rejects.toMatchObject(failed(id, causeIn(here, id, TIME_LIMIT_EXCEEDED), false)),
      expect
        .poll(isHanging)
        .toBe(true)
        .then(() => limit.abort()),
    ]);
    expect(await namesIn(here)).toEqual([]);
    await update(database, compared, here.newProcess());
    expect(await namesIn(here)).toEqual(["orders"]);
  });

  test("says that the request was never sent if the limit has already expired", async () => {
    const here = await lifecycleFixture();
    const compared = await deleted(here);
    const limit = new AbortController();
    const context = here.newProcess({ deadline: limit.signal });
    await context.platform.platform.organization.id();
    limit.abort();
    const message = causeIn(here, compared.id, TIME_LIMIT_BEFORE_SENDING);
    await expect(update(database, compared, context)).rejects.toMatchObject({ kind: "unavailable", message });
  });

  test.each([
    ["the platform stops during the restore", true],
    ["only the restore fails", false],
  ])("names the database and what to do if %s", async (_, stops) => {
    const here = await lifecycleFixture();
    const wire = await faultyWire(here.api.url);
    const compared = await deleted(here);
    const { id } = compared;
    const context = here.newProcess({}, { baseUrl: wire.url });
    await context.platform.platform.organization.id();
    let isDown = false;
    wire.trouble = ({ operation }) => {
      isDown ||= stops && operation === "restoreDatabase";
      return isDown || operation === "restoreDatabase" ? ({ cut }) => cut() : undefined;
    };
    const cause = causeIn(here, id, brokenConnection({ reason: "UND_ERR_SOCKET" }));
    const failure = await update(database, compared, context).catch((thrown) => thrown);
    expect(failure.message.replace("ECONNRESET", "UND_ERR_SOCKET")).toBe(failed(id, cause, !stops).message);
    expect(await namesIn(here)).toEqual([]);
    await wire.heal();
    await update(database, compared, context);
    expect(await namesIn(here)).toEqual(["orders"]);
  });
});

test("retries reads after status 503 and create requests after status 429", async () => {
  const here = await lifecycleFixture();
  here.api.fault({ operation: "createDatabase", status: 429, retryAfter: 0, times: 2 });
  here.api.fault({ operation: "listDatabases", status: 503, times: 2 });
  const { id } = await create(database, args, here.context);
  const asked = here.takeOperations();
  expect(asked.filter((operation) => operation === "listDatabases")).toHaveLength(3);
  expect(asked.filter((operation) => operation === "createDatabase")).toHaveLength(3);
  expect(await namesIn(here)).toEqual(["orders"]);
  expect(id).toBeTruthy();
});

test("retries reads after status 500, and sends a request that may have changed something only once", async () => {
  const here = await lifecycleFixture();
  const { platform } = here.context;
  for (const operation of ["listDatabases", "listGroups", "retrieveOrganization"] as const)
    here.api.fault({ operation, status: 500, times: 2 });
  const { id } = await create(database, args, here.context);
  expect(here.takeOperations().filter((operation) => operation === "listDatabases")).toHaveLength(3);

  const { api } = platform.platform;
  const changes = {
    createDatabase: () => api.createDatabase({ body: { ...args, name: "events" } }),
    updateDatabaseConfiguration: () =>
      api.updateDatabaseConfiguration({ databaseName: "orders", body: { block_writes: true } }),
    deleteDatabaseById: () => api.deleteDatabaseById({ databaseId: id }),
    restoreDatabase: () => api.restoreDatabase({ databaseId: id }),
  } as const;
  for (const operation of Object.keys(changes) as (keyof typeof changes)[])
    here.api.fault({ operation, status: 500, times: 2 });
  for (const change of Object.values(changes)) await expect(change()).rejects.toMatchObject({ uncertain: true });
  expect(here.takeOperations()).toEqual(Object.keys(changes));
  expect(await namesIn(here)).toEqual(["orders"]);
});

test("the deletion of a deleted database spares the one that was created under its name since then", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, args, here.context);
  await remove(database, { id, state }, here.newProcess());
  await create(database, args, here.newProcess());
  await remove(database, { id, state }, here.newProcess());
  expect(await namesIn(here)).toEqual(["orders"]);
});

test("§5 rule 8 lets a group-scoped token restore a database only while its user is an admin or owner", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, args, here.context);
  await remove(database, { id, state }, here.newProcess());
  await here.api.member("max", "admin");
  const settings = {
    apiToken: await here.api.token({ user: "max", group: "default" }),
    organizationId: here.api.organizationId,
  };
  const pinned = await lifecycleFixture({ settings: { ...settings, baseUrl: here.api.url } });
  const compared = { id, oldInputs: args, state: { ...state, deletedAt: "2026-01-01T00:00:00Z" }, news: args };
  await here.api.member("max", "member");
  await expect(update(database, compared, pinned.context)).rejects.toMatchObject({ kind: "forbidden" });
  expect(await namesIn(here)).toEqual([]);
  await here.api.member("max", "admin");
  await update(database, compared, pinned.context);
  expect(await namesIn(here)).toEqual(["orders"]);
});

test("neither adopts databases nor revokes tokens that other users create while a request fails", async () => {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  for (const fault of [{ status: 503 }, { status: 500 }, { reset: "before" }] as const) {
    const context = here.newProcess();
    await database.named?.ids(context.platform);
    await apiToken.named?.ids(context.platform);
    const theirs = await outside.createDatabase({ organizationSlug, body: { name: "orders", group: "other" } });
    const token = await outside.createApiToken({
      tokenName: "ci",
      body: { organization: organizationSlug, group: "default", scopes: ["read"] },
    });
    here.api.fault({ operation: "createDatabase", times: 1, ...fault });
    here.api.fault({ operation: "createApiToken", times: 1, ...fault });
    await expect(create(database, args, context)).rejects.toMatchObject({ kind: "unavailable" });
    await expect(create(apiToken, { name: "ci" }, context)).rejects.toMatchObject({ kind: "unavailable" });
    expect((await tokensNamed(here, "ci")).map(({ id }) => id)).toEqual([token.id]);
    await outside.deleteDatabaseById({ organizationId: here.api.organizationId, databaseId: theirs.database.DbId });
    await outside.revokeApiToken({ organizationSlug, tokenId: token.id });
  }
});

test("reports that an API token may exist if the responses to both attempts to create it are lost", async () => {
  const here = await lifecycleFixture();
  here.api.fault({ operation: "createApiToken", reset: "after", times: 2 });
  await expect(create(apiToken, { name: "ci" }, here.context)).rejects.toThrow(
    creationUncertain({ kind: "API token", name: "ci", isGenerated: false }).answer,
  );
});

test("reports the generated name when it is uncertain whether the database was created", async () => {
  const here = await lifecycleFixture();
  here.api.fault({ operation: "createDatabase", reset: "before" });
  const filledIn = { ...args, __defaults: ["name"] };
  await expect(create(database, filledIn, here.context)).rejects.toThrow(
    creationUncertain({ kind: "database", name: "orders", isGenerated: true }).advice,
  );
});

test.each<[string, Omit<Fault, "operation">]>([
  ["an HTML response", { body: "html" }],
  ["a truncated response", { body: "truncated" }],
  ["a connection reset after the deletion", { reset: "after" }],
])("treats a deletion as done after %s if the database no longer exists", async (_, fault) => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, args, here.context);
  here.api.fault({ operation: "deleteDatabaseById", times: 9, ...fault });
  await remove(database, { id, state }, here.newProcess());
  expect(await namesIn(here)).toEqual([]);
});

test.each<[string, Omit<Fault, "operation">]>([
  ["status 500", { status: 500 }],
  ["an HTML error page", { status: 502, body: "html" }],
  ["a connection reset before the deletion", { reset: "before" }],
])("treats a deletion as failed after %s if the database still exists", async (_, fault) => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, args, here.context);
  here.api.fault({ operation: "deleteDatabaseById", times: 9, ...fault });
  await expect(remove(database, { id, state }, here.newProcess())).rejects.toMatchObject({ kind: "unavailable" });
  expect(await namesIn(here)).toEqual(["orders"]);
});

test("never shows a response that cannot be parsed, because the response may hold a secret", async () => {
  const here = await lifecycleFixture();
  here.api.fault({ operation: "createApiToken", body: "truncated", times: 2 });
  const { message } = await create(apiToken, { name: "ci" }, here.context).then(
    () => new Error("made"),
    (thrown: Error) => thrown,
  );
  expect(message).toContain(creationUncertain({ kind: "API token", name: "ci", isGenerated: false }).answer);
  expect([message, ...here.said].join()).not.toMatch(/eyJ/);
});

describe("the preview of a restore", () => {
  const planned = async (here: LifecycleFixture, news: Properties, more: Properties = {}) => {
    const { id, state } = await create(database, args, here.context);
    await remove(database, { id, state }, here.newProcess());
    const deleted = { ...state, deletedAt: "2026-01-01T00:00:00Z", ...more };
    return { id, compared: { id, oldInputs: args, state: deleted, news } };
  };

  test("succeeds even if some values are unknown", async () => {
    const here = await lifecycleFixture();
    const { compared } = await planned(here, { name: UNKNOWN, group: UNKNOWN });
    expect(await planUpdate(database, compared, here.newProcess())).toMatchObject({ hostname: UNKNOWN });
  });

  test("succeeds if the database has already been restored", async () => {
    const here = await lifecycleFixture();
    const { id, compared } = await planned(here, args);
    await clientOf(here.api, here.api.apiToken).restoreDatabase({
      organizationId: here.api.organizationId,
      databaseId: id,
    });
    expect(await planUpdate(database, compared, here.newProcess())).not.toHaveProperty("deletedAt");
  });

  test("fails when the organization has moved to the free plan", async () => {
    const here = await lifecycleFixture();
    const { compared } = await planned(here, args);
    await here.api.plan("starter");
    await expect(planUpdate(database, compared, here.newProcess())).rejects.toThrow(
      planHidesDeleted({ organization: "acme" }),
    );
  });
});

test("confirms the deletion of an imported token even if the token list omits the provider's own token", async () => {
  const here = await lifecycleFixture();
  const unrestricted = await here.api.token({ organization: null });
  const minted = await create(apiToken, { name: "ci" }, here.context);
  await remove(apiToken, minted, here.newProcess());
  const owner = await lifecycleFixture({ settings: { apiToken: unrestricted, baseUrl: here.api.url } });
  const { token, ...state } = minted.state;
  expect(token).toBeTruthy();
  expect(await readManaged(apiToken, { id: minted.id, inputs: { name: "ci" }, state }, owner.context)).toBeUndefined();
});

test("rejects an `organizationId` that belongs to another organization", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(apiToken, { name: "ci" }, here.context);
  const globex = await here.api.token({ organization: "globex" });
  const settings = {
    organization: "globex",
    apiToken: globex,
    organizationId: here.api.organizationId,
    baseUrl: here.api.url,
  };
  const wrong = await lifecycleFixture({ settings });
  const { id: actual } = (await clientOf(here.api, globex).retrieveOrganization({ organizationSlug: "globex" }))
    .organization;
  const { answer } = organizationIdMismatch({
    organization: "globex",
    organizationId: here.api.organizationId,
    actualId: actual,
  });
  await expect(readManaged(apiToken, { id, inputs: { name: "ci" }, state }, wrong.context)).rejects.toThrow(answer);
  await expect(remove(apiToken, { id, state }, wrong.context)).rejects.toThrow(answer);
  expect(await tokensNamed(here, "ci")).toHaveLength(1);
});

test("confirms the deletion of another user's token by sending a request with that token", async () => {
  const here = await lifecycleFixture();
  const minted = await create(apiToken, { name: "ci" }, here.context);
  const settings = { apiToken: await here.api.token({ user: "max" }), baseUrl: here.api.url };
  const member = await lifecycleFixture({ settings });
  const managed = { id: minted.id, inputs: { name: "ci" }, state: minted.state };
  await expect(readManaged(apiToken, managed, member.context)).rejects.toMatchObject({ kind: "forbidden" });
  await remove(apiToken, minted, here.newProcess());
  expect(await readManaged(apiToken, managed, member.newProcess())).toBeUndefined();
});
