// @module-tag no-database-is-lost
// @module-tag secrets-stay-secret
// @module-tag tokens
// @module-tag previews-are-true

import { expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import type { Sides } from "../../kit/lifecycle/comparison";
import { expired, expiresSoon, replacementLacksAccess } from "../../kit/lifecycle/messages";
import { nameProposer } from "../../kit/lifecycle/naming";
import { type Properties, UNKNOWN } from "../../kit/lifecycle/properties";
import { check } from "../../kit/steps/check";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { readImported, readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { scopesMissing } from "../../provider/permissions/messages";
import { database } from "../../provider/resources/database/database";
import { dbIdInvalid } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { databaseToken } from "../../provider/resources/token/database-token";
import { groupToken } from "../../provider/resources/token/group-token";
import {
  durationInvalid,
  firstTriggersRecorded,
  keyRotation,
  RENEWAL_WITHOUT_EXPIRATION,
  ROTATION_OWNER,
  renewalTooEarly,
  SQL_TOKEN_UNIMPORTABLE,
  tokenIssueUncertain,
  tokenStaysValid,
} from "../../provider/resources/token/messages";
import { signingKeyRotation } from "../../provider/resources/token/signing-key-rotation";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const NOON = "2026-03-01T12:00:00.000Z";
const DAY_S = 86_400;
const HOUR_S = 3_600;

/** Starts a platform whose clock shows noon, with the database `orders` in the group `default`. */
async function noon(settings: Properties = {}) {
  const here = await lifecycleFixture({ settings }, { now: NOON });
  const { id: dbId, state } = await create(database, { name: "orders", group: "default" }, here.context);
  const outside = clientOf(here.api, here.api.apiToken);
  const orders = { organizationSlug: "acme", databaseName: "orders" };
  const works = (token: unknown) =>
    here.api.verifySqlToken(String(token), dbId).then(
      () => true,
      () => false,
    );
  return { ...here, dbId, groupId: String(state.groupId), outside, orders, works };
}

async function made(resource: AnyResource, args: Properties, here: LifecycleFixture) {
  const { id, state } = await create(resource, args, here.context);
  return {
    id,
    inputs: args,
    state,
    compared: (news: Properties = args): Sides => ({ id, oldInputs: args, state, news }),
  };
}

async function replacing(resource: AnyResource, compared: Sides, here: LifecycleFixture): Promise<string[]> {
  const context = here.again();
  context.run.note({ step: "check", urn: "urn", inputs: {} });
  const { differences } = await diff(resource, compared, context);
  return differences.filter(({ replaces }) => replaces).map(({ path }) => path);
}

const failures = (resource: AnyResource, news: Properties) =>
  check(resource, {
    news,
    olds: {},
    account: "acme",
    propose: nameProposer({ logicalName: "x", randomSeed: new Uint8Array(32) }),
  }).failures.map(({ property, reason }) => `${property}: ${reason}`);

test("wire-facts 2.3 issues a token with the requested authorization and expiry, or with the defaults", async () => {
  const here = await noon();
  const args = { database: here.dbId, expiration: "30d", authorization: "read-only" };
  const { id, state } = await made(databaseToken, args, here);
  expect(state).toMatchObject({ ...args, expiresAt: "2026-03-31T12:00:00.000Z" });
  expect(await here.api.verifySqlToken(String(state.token), here.dbId)).toMatchObject({
    level: "database",
    authorization: "read-only",
    expires_at: state.expiresAt,
  });
  expect(String(state.token)).not.toContain(id);
  const endless = await made(groupToken, { group: "default" }, here);
  expect(endless.state).toMatchObject({ expiration: "never", authorization: "full-access", groupId: here.groupId });
  expect(endless.state).not.toHaveProperty("expiresAt");
  expect(await here.works(endless.state.token)).toBe(true);
});

test("records different ids for two identical tokens that were issued in the same second", async () => {
  const here = await noon();
  const [one, other] = [
    await made(databaseToken, { database: here.dbId }, here),
    await made(databaseToken, { database: here.dbId }, here),
  ];
  expect(one.state.token).toBe(other.state.token);
  expect(one.id).not.toBe(other.id);
});

test("reports and replaces a token once its expiry is closer than `renewBefore`, but not earlier", async () => {
  const here = await noon();
  const token = await made(databaseToken, { database: here.dbId, expiration: "30d", renewBefore: "7d" }, here);
  const late = await made(groupToken, { group: "default", expiration: "30d" }, here);
  const due = async () => [
    ...(await replacing(databaseToken, token.compared(), here)),
    ...(await replacing(groupToken, late.compared(), here)),
  ];
  await here.api.advance(23 * DAY_S - HOUR_S);
  expect(await due()).toEqual([]);
  expect(here.said).toEqual([]);
  await here.api.advance(HOUR_S);
  expect(await due()).toEqual(["expiresAt"]);
  const end = "2026-03-31T12:00:00Z";
  expect(here.said).toEqual([expiresSoon({ kind: "database token", end, property: "renewBefore", before: "7d" })]);
  await here.api.advance(7 * DAY_S);
  expect(await due()).toEqual(["expiresAt", "expiresAt"]);
  expect(here.said.at(-1)).toBe(expired({ kind: "group token", end }));
});

test("does not warn about an expired token during the refresh before the program runs", async () => {
  const here = await noon();
  const token = await made(databaseToken, { database: here.dbId, expiration: "1h" }, here);
  await here.api.advance(HOUR_S);
  const { differences } = await diff(databaseToken, token.compared(), here.again());
  expect(differences).toMatchObject([{ path: "expiresAt", replaces: true }]);
  expect(here.said).toEqual([]);
});

test("applies a changed `renewBefore` immediately, without issuing a token", async () => {
  const here = await noon();
  const args = { database: here.dbId, expiration: "30d" };
  const token = await made(databaseToken, args, here);
  await here.api.advance(10 * DAY_S);
  const news = { ...args, renewBefore: "10d" };
  expect((await diff(databaseToken, token.compared(news), here.again())).differences).toMatchObject([
    { path: "renewBefore", kind: "add", replaces: false },
  ]);
  const state = await update(databaseToken, token.compared(news), here.again());
  expect(state).toMatchObject({ renewBefore: "10d", token: token.state.token });
  expect(await replacing(databaseToken, token.compared({ ...args, renewBefore: "29d" }), here)).toEqual(["expiresAt"]);
});

test("issues a new token if an argument changes, but not if the new value is equivalent", async () => {
  const here = await noon();
  const args = { database: here.dbId, expiration: "1w", keepers: { a: "1" } };
  const token = await made(databaseToken, args, here);
  for (const same of [{ expiration: "7d" }, { authorization: "full-access" }, { database: here.dbId.toUpperCase() }])
    expect(await replacing(databaseToken, token.compared({ ...args, ...same }), here)).toEqual([]);
  for (const [other, path] of [
    [{ expiration: undefined }, "expiration"],
    [{ authorization: "read-only" }, "authorization"],
    [{ keepers: { a: "2" } }, "keepers.a"],
    [{ keepers: { a: UNKNOWN } }, "keepers.a"],
  ] as const)
    expect(await replacing(databaseToken, token.compared({ ...args, ...other }), here)).toEqual([path]);
});

test("keeps the token of a deleted database, because the token is valid again after a restore", async () => {
  const here = await noon();
  const token = await made(databaseToken, { database: here.dbId }, here);
  const wide = await made(groupToken, { group: "default" }, here);
  const rotation = await made(signingKeyRotation, { database: here.dbId, triggers: { a: "1" } }, here);
  const kept = async () => [
    (await readManaged(databaseToken, token, here.again()))?.state.token,
    (await readManaged(groupToken, wide, here.again()))?.state.token,
    (await readManaged(signingKeyRotation, rotation, here.again()))?.state.generation,
  ];
  const all = [token.state.token, wide.state.token, "0"];
  await here.outside.deleteGroup({ organizationSlug: "acme", groupName: "default" });
  expect(await here.works(token.state.token)).toBe(false);
  expect(await kept()).toEqual(all);
  await here.outside.restoreDatabase({ organizationId: here.api.organizationId, databaseId: here.dbId });
  expect(await kept()).toEqual(all);
  expect(await here.works(token.state.token)).toBe(true);
  expect(await here.works(wide.state.token)).toBe(true);
  await here.outside.deleteGroup({ organizationSlug: "acme", groupName: "default" });
  await here.api.advance(5 * DAY_S + 1);
  expect(await kept()).toEqual([undefined, undefined, undefined]);
});

test("reads fifty tokens and rotations with a handful of requests", async () => {
  const here = await noon();
  const each = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const kind = [databaseToken, groupToken, signingKeyRotation][index % 3] ?? databaseToken;
      const args = kind === groupToken ? { group: "default" } : { database: here.dbId };
      return { kind, ...(await made(kind, args, here)) };
    }),
  );
  here.asked();
  const context = here.again();
  const reads = await Promise.all(each.map(({ kind, ...one }) => readManaged(kind, one, context)));
  expect(reads.map((read) => read?.state)).toEqual(each.map(({ state }) => state));
  expect(here.asked().sort()).toEqual(["listDatabases", "listGroups", "retrieveOrganization"]);
});

test("does not treat a token as deleted when the credential cannot see its database or group", async () => {
  const here = await noon();
  const token = await made(databaseToken, { database: here.dbId }, here);
  const wide = await made(groupToken, { group: "default" }, here);
  const apiToken = await here.api.token({ group: "other", scopes: ["full-access"] });
  const pinned = await lifecycleFixture({
    settings: { apiToken, organizationId: here.api.organizationId, baseUrl: here.api.url },
  });
  await expect(readManaged(databaseToken, token, pinned.context)).rejects.toMatchObject({ kind: "forbidden" });
  await expect(readManaged(groupToken, wide, pinned.context)).rejects.toMatchObject({ kind: "forbidden" });
});

test("removes a token only from the state, and explains how long it stays valid and how to invalidate it", async () => {
  const here = await noon();
  const args = { database: here.dbId, expiration: "30d" };
  const token = await made(databaseToken, args, here);
  const wide = await made(groupToken, { group: "default" }, here);
  here.asked();
  await remove(databaseToken, token, here.again());
  await remove(groupToken, wide, here.again());
  expect(here.said[0]).toBe(tokenStaysValid({ thing: `database ${here.dbId}`, end: "2026-03-31T12:00:00Z" }));
  expect(here.said[1]).toBe(tokenStaysValid({ thing: 'group "default"' }));
  expect(here.said.join()).not.toContain(String(token.state.token));
  expect(new Set(here.asked())).toEqual(new Set(["retrieveOrganization"]));
  expect(await here.works(token.state.token)).toBe(true);
  await here.api.advance(30 * DAY_S);
  await remove(databaseToken, token, here.again());
  expect(here.said).toHaveLength(2);
});

test("refuses to import a token, and explains what to do instead", async () => {
  const here = await noon();
  for (const resource of [databaseToken, groupToken])
    await expect(readImported(resource, here.dbId, here.context)).rejects.toThrow(SQL_TOKEN_UNIMPORTABLE);
});

test("when a trigger changes, warns about affected tokens in the preview, and rotates the key once", async () => {
  const here = await noon();
  const token = await made(databaseToken, { database: here.dbId }, here);
  const wide = await made(groupToken, { group: "default" }, here);
  const args = { database: here.dbId, triggers: { quarter: "1" } };
  const rotation = await made(signingKeyRotation, args, here);
  expect(rotation).toMatchObject({ id: here.dbId, state: { generation: "0" } });
  const compared = rotation.compared({ ...args, triggers: { quarter: "2" } });
  here.asked();
  expect((await diff(signingKeyRotation, compared, here.again())).differences).toMatchObject([
    { path: "triggers.quarter", kind: "update", replaces: false },
  ]);
  expect(await planUpdate(signingKeyRotation, compared, here.again())).toMatchObject({ generation: UNKNOWN });
  expect(here.said.join()).toContain(keyRotation({ kind: "database", name: "orders", id: here.dbId }));
  expect(here.asked().filter((operation) => /^rotate/.test(operation))).toEqual([]);
  expect(await here.works(token.state.token)).toBe(true);

  const state = await update(signingKeyRotation, compared, here.again());
  expect(state).toMatchObject({ generation: "1", triggers: { quarter: "2" } });
  expect(here.asked().filter((operation) => /^rotate/.test(operation))).toEqual(["rotateDatabaseTokens"]);
  expect(await here.works(token.state.token)).toBe(false);
  expect(await here.works(wide.state.token)).toBe(true);
  const again = { id: rotation.id, oldInputs: compared.news, state, news: compared.news };
  expect((await diff(signingKeyRotation, again, here.again())).differences).toEqual([]);
  here.asked();
  await remove(signingKeyRotation, { id: rotation.id, state }, here.again());
  expect(new Set(here.asked())).toEqual(new Set(["retrieveOrganization"]));
});

test("§5 rule 5 a preview lists the databases whose tokens a group key rotation will invalidate", async () => {
  const here = await noon();
  const token = await made(databaseToken, { database: here.dbId }, here);
  const wide = await made(groupToken, { group: "default" }, here);
  const args = { group: "default", triggers: { a: "1" } };
  const rotation = await made(signingKeyRotation, args, here);
  expect(rotation).toMatchObject({ id: here.groupId, state: { groupName: "default" } });
  const compared = rotation.compared({ ...args, triggers: { a: "2" } });
  await planUpdate(signingKeyRotation, compared, here.again());
  const named = { name: "orders", id: here.dbId };
  expect(here.said.join()).toContain(
    keyRotation({ kind: "group", name: "default", id: here.groupId, contained: [named], more: 0 }),
  );
  await update(signingKeyRotation, compared, here.again());
  for (const dead of [token, wide]) expect(await here.works(dead.state.token)).toBe(false);
});

test.each<[string, Properties, Properties]>([
  ["added", {}, { triggers: { a: "1" } }],
  ["removed", { triggers: { a: "1" } }, {}],
])("records %s triggers without rotating the key", async (_, before, after) => {
  const here = await noon();
  const owner = { database: here.dbId };
  const rotation = await made(signingKeyRotation, { ...owner, ...before }, here);
  const compared = rotation.compared({ ...owner, ...after });
  here.asked();
  expect(await planUpdate(signingKeyRotation, compared, here.again())).toMatchObject({ generation: "0" });
  const state = await update(signingKeyRotation, compared, here.again());
  expect(state.triggers).toEqual(after.triggers);
  expect(here.asked().filter((operation) => /^rotate/.test(operation))).toEqual([]);
  expect(here.said).toEqual([firstTriggersRecorded({ hasValue: "triggers" in before })]);
});

test("imports a rotation by database or group id, and adds triggers without rotating the key", async () => {
  const here = await noon();
  const ofDatabase = await readImported(signingKeyRotation, here.dbId, here.context);
  expect(ofDatabase.inputs).toMatchObject({ database: here.dbId });
  const ofGroup = await readImported(signingKeyRotation, here.groupId, here.context);
  expect(ofGroup.inputs).toMatchObject({ group: here.groupId });
  expect(ofGroup.inputs).not.toHaveProperty("database");
  await expect(readImported(signingKeyRotation, "orders", here.context)).rejects.toThrow(`\`import: "${here.dbId}"\``);
  const news = { ...ofDatabase.inputs, triggers: { a: "1" } };
  const compared = { id: here.dbId, oldInputs: ofDatabase.inputs, state: ofDatabase.state, news };
  expect(await update(signingKeyRotation, compared, here.again())).toMatchObject({ generation: "0" });
});

test("does not rotate the key of another database that has taken the name of a deleted database", async () => {
  const here = await noon();
  const args = { database: here.dbId, triggers: { a: "1" } };
  const rotation = await made(signingKeyRotation, args, here);
  const context = here.again();
  await readManaged(signingKeyRotation, rotation, context);
  await here.outside.deleteDatabase(here.orders);
  await here.outside.createDatabase({ organizationSlug: "acme", body: { name: "orders", group: "default" } });
  here.asked();
  const compared = rotation.compared({ ...args, triggers: { a: "2" } });
  await expect(update(signingKeyRotation, compared, context)).rejects.toThrow("was deleted on");
  expect(here.asked().filter((operation) => /^rotate/.test(operation))).toEqual([]);
});

test.each([
  ["database", databaseToken, (dbId: string) => ({ database: dbId }), "createDatabaseTokenById"],
  ["group", groupToken, () => ({ group: "default" }), "createGroupTokenById"],
] as const)(
  "if the response is lost, reports that a %s token may have been issued",
  async (name, resource, of, operation) => {
    const here = await noon();
    here.api.fault({ operation, reset: "after" });
    const owner = name === "database" ? `database ${here.dbId}` : 'group "default"';
    const { answer, advice } = tokenIssueUncertain({ cause: "", thing: owner });
    const { message } = await create(resource as AnyResource, of(here.dbId), here.again()).catch((thrown) => thrown);
    expect(message.endsWith(`: ${answer}. ${advice}`), message).toBe(true);
  },
);

test("rotates the key again in the next run if the response to a rotation is lost", async () => {
  const here = await noon();
  const args = { database: here.dbId, triggers: { a: "1" } };
  const rotation = await made(signingKeyRotation, args, here);
  const compared = rotation.compared({ ...args, triggers: { a: "2" } });
  here.api.fault({ operation: "rotateDatabaseTokens", reset: "after" });
  await expect(update(signingKeyRotation, compared, here.again())).rejects.toMatchObject({ kind: "unavailable" });
  expect(await update(signingKeyRotation, compared, here.again())).toMatchObject({ generation: "1" });
});

test("warns in preview and fails the update if the credential may not replace tokens or rotate keys", async () => {
  const here = await noon();
  const scoped = async (...scopes: string[]) => {
    const apiToken = await here.api.token({ group: "default", scopes });
    return lifecycleFixture({ settings: { apiToken, organizationId: here.api.organizationId, baseUrl: here.api.url } });
  };
  const reading = await scoped("read");
  const args = { database: here.dbId, triggers: { a: "1" }, keepers: { a: "1" } };
  const token = await made(databaseToken, { database: here.dbId, keepers: { a: "1" } }, here);
  const compared = token.compared({ ...token.inputs, keepers: { a: "2" } });
  await diff(databaseToken, compared, reading.context);
  await planCreate(databaseToken, compared.news, reading.context);
  expect(reading.said.join()).toContain(scopesMissing({ scopes: ["db:mint-token"] }));
  await expect(create(databaseToken, compared.news, reading.context)).rejects.toThrow(/`db:mint-token`.*replace it$/);
  await expect(remove(databaseToken, compared, reading.context)).rejects.toThrow(
    replacementLacksAccess({ object: "this database token", reason: scopesMissing({ scopes: ["db:mint-token"] }) })
      .answer,
  );
  const rotation = await made(signingKeyRotation, { database: args.database, triggers: args.triggers }, here);
  const changed = rotation.compared({ ...rotation.inputs, triggers: { a: "2" } });
  await planUpdate(signingKeyRotation, changed, reading.context);
  expect(reading.said.join()).toContain(scopesMissing({ scopes: ["db:rotate-creds"] }));
  await here.outside.deleteDatabase(here.orders);
  await expect(planUpdate(signingKeyRotation, changed, here.again())).rejects.toThrow("was deleted on");
  await expect(diff(databaseToken, compared, here.again())).rejects.toThrow("was deleted on");
  const restoring = here.again();
  restoring.run.note({ step: "plan return", urn: "restored", type: "Database", id: here.dbId, name: "orders" });
  expect(await planUpdate(signingKeyRotation, changed, restoring)).toMatchObject({ generation: UNKNOWN });
});

test("issues tokens and rotates keys within the scopes of a group-scoped token", async () => {
  const here = await noon();
  const scopes = ["read", "db:mint-token", "group:mint-token", "db:rotate-creds", "group:rotate-creds"];
  const apiToken = await here.api.token({ group: "default", scopes });
  const pinned = await lifecycleFixture({
    settings: { apiToken, organizationId: here.api.organizationId, baseUrl: here.api.url },
  });
  const token = await made(databaseToken, { database: here.dbId }, pinned);
  const wide = await made(groupToken, { group: here.groupId }, pinned);
  for (const { state } of [token, wide]) expect(await here.works(state.token)).toBe(true);
  const args = { group: here.groupId, triggers: { a: "1" } };
  const rotation = await made(signingKeyRotation, args, pinned);
  await update(signingKeyRotation, rotation.compared({ ...args, triggers: { a: "2" } }), pinned.again());
  for (const { state } of [token, wide]) expect(await here.works(state.token)).toBe(false);
});

test("reports a truncated response without revealing the token that it contains", async () => {
  const here = await noon();
  here.api.fault({ operation: "createDatabaseTokenById", body: "truncated" });
  const { message } = await create(databaseToken, { database: here.dbId }, here.context).then(
    () => new Error("made"),
    (thrown: Error) => thrown,
  );
  expect(message).not.toContain("made");
  expect(message).not.toMatch(/eyJ/);
});

test("keeps the token of a group that was renamed outside Pulumi", async () => {
  const here = await noon();
  const args = { group: here.groupId };
  const wide = await made(groupToken, args, here);
  await here.outside.renameGroup({ organizationSlug: "acme", groupName: "default", body: { name: "main" } });
  const read = await readManaged(groupToken, wide, here.again());
  expect(read?.state).toMatchObject({ groupName: "main", token: wide.state.token });
  expect(here.said).toEqual([]);
  expect(group.type).toBe("Group");
});

test.each<[string, string[], string]>([
  ["an invalid DbId", failures(databaseToken, { database: "orders" }), `database: ${dbIdInvalid({ text: "orders" })}`],
  [
    "an invalid expiration",
    failures(groupToken, { group: "g", expiration: "soon" }),
    `expiration: ${durationInvalid({ text: "soon" })}`,
  ],
  [
    "an invalid authorization",
    failures(groupToken, { group: "g", authorization: "all" }),
    'authorization: must be "full-access" or "read-only", not another string',
  ],
  [
    "a renewal of a token without expiry",
    failures(groupToken, { group: "g", renewBefore: "1d" }),
    `renewBefore: ${RENEWAL_WITHOUT_EXPIRATION}`,
  ],
  [
    "a renewal in every run",
    failures(groupToken, { group: "g", expiration: "7d", renewBefore: "1w" }),
    `renewBefore: ${renewalTooEarly({ renewBefore: "1w", expiration: "7d" })}`,
  ],
  ["a rotation without a database or group", failures(signingKeyRotation, {}), `database: ${ROTATION_OWNER}`],
  [
    "a rotation of a database and a group",
    failures(signingKeyRotation, { database: "0a28102d-6906-11ee-8553-eaa7715aeaf2", group: "g" }),
    `database: ${ROTATION_OWNER}`,
  ],
])("rejects %s, and explains what is wrong with the property", (_, found, expected) => {
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(expected);
});
