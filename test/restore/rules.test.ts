// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { FREE_PLAN } from "../../platform/contract/organization";
import { adminNeeded, scopesMissing } from "../../provider/permissions/messages";
import { planHidesDeleted, recoveryDisabledIn } from "../../provider/resources/messages";
import {
  authorUnproven,
  databaseNameTaken,
  groupDeletedAfter,
  groupNameTaken,
  groupsUnlisted,
  newerHasName,
  newNameInvalid,
  newNameTaken,
  nothingToRestore,
  restorableOnly,
  runAgain,
  tokensLost,
  withoutGroup,
} from "../../provider/restore/messages";
import type { RestoreOptions } from "../../provider/restore/restore";
import { clientOf } from "../engine/engine-fixture";
import { faultyWire } from "../faulty-wire";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";
import { restoring } from "./restoring";

const MINUTE = 60;
const DAY = 86_400;
const NOON = "2026-03-01T12:00:00.000Z";

async function organization() {
  const here = await lifecycleFixture({}, { now: NOON });
  const { api, context } = here;
  const { api: client } = context.platform.platform;
  return {
    ...here,
    client,
    run: (options: Partial<RestoreOptions> = {}, more: Parameters<typeof restoring>[3] = {}) =>
      restoring(api, { since: { ago: 600_000 }, json: true, ...options }, undefined, more),
    group: async (name: string) => (await client.createGroup({ body: { name, location: "aws-us-east-1" } })).group.uuid,
    database: async (name: string, group = "default") =>
      (await client.createDatabase({ body: { name, group } })).database.DbId,
    deleteDatabase: (name: string) => client.deleteDatabase({ databaseName: name }),
    deleteGroup: (name: string) => client.deleteGroup({ groupName: name }),
    liveNames: async () => (await client.listDatabases()).databases.map(({ Name }) => Name).sort(),
    reads: () => here.takeOperations(),
  };
}

const reasonsOf = ({ json }: Awaited<ReturnType<typeof restoring>>) =>
  Object.fromEntries((json?.refused ?? []).map(({ id, reason }) => [id, reason]));

const restoredBy = ({ json }: Awaited<ReturnType<typeof restoring>>) => json?.restores.map(({ name }) => name).sort();

test("prints a plan and changes nothing, unless --yes is given", async () => {
  const { api, run, database, deleteDatabase, liveNames } = await organization();
  await database("orders");
  await deleteDatabase("orders");
  const before = api.journal().length;
  const plan = await run({ json: undefined as never });
  expect(plan).toMatchObject({ code: 0, error: "" });
  expect(plan.out).toMatch(/^Restores 1 object of organization "acme", deleted from .* to .*:\n\nTYPE +NAME +ID/);
  expect(plan.out).toMatch(
    /Nothing was changed. To restore, run: npx pulumi-dbplatform restore --since \S+ --until \S+ --yes\n$/,
  );
  const sent = api.journal().slice(before);
  expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await liveNames()).toEqual([]);
  expect(await run({ yes: true })).toMatchObject({ code: 0 });
  expect(await liveNames()).toEqual(["orders"]);
});

test("restores a group with the databases that were deleted with it and before it, and reports lost tokens", async () => {
  const { run, api, group, database, deleteDatabase, deleteGroup, liveNames } = await organization();
  await group("shop");
  await database("carts", "shop");
  await database("early", "shop");
  await deleteDatabase("early");
  await api.advance(MINUTE);
  await deleteGroup("shop");
  const before = api.journal().length;
  const result = await run({ yes: true });
  expect(result.code).toBe(0);
  expect(restoredBy(result)).toEqual(["carts", "early", "shop"]);
  expect(result.json?.groupsWhoseTokensAreLost).toEqual(["shop"]);
  expect(await liveNames()).toEqual(["carts", "early"]);
  const writes = api
    .journal()
    .slice(before)
    .filter(({ method }) => method !== "GET");
  expect(writes.map(({ operation }) => operation)).toEqual(["restoreGroup", "restoreDatabase"]);
  await deleteGroup("shop");
  expect((await run({ json: undefined as never })).out).toContain(tokensLost({ groups: ["shop"] }));
});

test("restores only what was deleted in the window, and of one group, name or author", async () => {
  const { run, api, group, database, deleteDatabase, client } = await organization();
  await group("shop");
  for (const name of ["old", "tenant-1", "tenant-2", "orders"]) await database(name);
  await database("carts", "shop");
  await deleteDatabase("old");
  await api.advance(20 * MINUTE);
  await deleteDatabase("tenant-1");
  await api.advance(MINUTE);
  await deleteDatabase("tenant-2");
  await api.member("max", "admin");
  const max = clientOf(api, await api.token({ user: "max" }));
  await max.deleteDatabase({ organizationSlug: "acme", databaseName: "orders" });
  await client.deleteDatabase({ databaseName: "carts" });
  expect(restoredBy(await run())).toEqual(["carts", "orders", "tenant-1", "tenant-2"]);
  expect(restoredBy(await run({ name: "tenant-*" }))).toEqual(["tenant-1", "tenant-2"]);
  expect(restoredBy(await run({ group: "shop" }))).toEqual(["carts"]);
  expect(restoredBy(await run({ by: "max" }))).toEqual(["orders"]);
  expect(restoredBy(await run({ until: { at: "2026-03-01T12:20:30Z" } }))).toEqual(["tenant-1"]);
  expect(restoredBy(await run({ since: { at: NOON } }))).toContain("old");
});

test("names the live object that has a name, and a line that works", async () => {
  const { run, client, group, database, deleteDatabase, deleteGroup } = await organization();
  const [shop, orders] = [await group("shop"), await database("orders")];
  const carts = await database("carts", "shop");
  const early = await database("early", "shop");
  await deleteDatabase("early");
  await deleteDatabase("orders");
  await deleteGroup("shop");
  const [other, live] = [await group("shop"), await database("orders")];
  const plan = await run();
  expect(plan.code).toBe(7);
  expect(reasonsOf(plan)).toEqual({
    [shop]: groupNameTaken({ name: "shop", id: other, organization: "acme" }),
    [carts]: withoutGroup({ groupName: "shop", groupId: shop, successor: other }),
    [early]: groupDeletedAfter({ groupName: "shop", groupId: shop, deletedAt: NOON }),
    [orders]: databaseNameTaken({ name: "orders", id: live, deletedAt: NOON }),
  });
  const renamed = await run({ name: "orders", rename: "{name}-restored", yes: true });
  expect(renamed.json?.restores).toMatchObject([{ id: orders, newName: "orders-restored", restored: true }]);
  await client.renameGroup({ groupName: "shop", body: { name: "shop-2" } });
  expect(await run({ yes: true })).toMatchObject({ code: 0 });
});

test("gives a name to the object that was deleted last, also if the other returns with its group", async () => {
  const { run, api, group, database, deleteDatabase, deleteGroup, client } = await organization();
  const shop = await group("shop");
  const older = await database("orders", "shop");
  await deleteGroup("shop");
  await api.advance(MINUTE);
  const newer = await database("orders");
  await deleteDatabase("orders");
  const deletedAt = NOON;
  const result = await run({ yes: true });
  expect(reasonsOf(result)).toEqual({
    [older]: newerHasName({ kind: "database", name: "orders", id: newer, deletedAt }),
  });
  expect((await client.listDatabases()).databases).toMatchObject([{ DbId: newer }]);
  expect((await client.listGroups()).groups.map(({ uuid }) => uuid)).toContain(shop);
  const both = await run({ yes: true, rename: "{name}-restored" });
  expect(both.json?.restores).toMatchObject([{ id: older, newName: "orders-restored", restored: true }]);
});

test("gives a database a new name with --rename, if the restoration of its group leaves the database out", async () => {
  const { run, group, database, deleteGroup, liveNames } = await organization();
  await group("shop");
  const orders = await database("orders", "shop");
  await database("carts", "shop");
  await deleteGroup("shop");
  await database("orders");
  const result = await run({ rename: "{name}-restored", yes: true });
  expect(result.code).toBe(0);
  expect(result.json?.restores.find(({ id }) => id === orders)).toMatchObject({
    newName: "orders-restored",
    restored: true,
  });
  expect(await liveNames()).toEqual(["carts", "orders", "orders-restored"]);
});

test("restores the newer database before the group that would bring back the older one", async () => {
  const { api, group, database, deleteDatabase, deleteGroup } = await organization();
  await group("shop");
  await database("orders", "shop");
  await deleteGroup("shop");
  await api.advance(MINUTE);
  await database("orders");
  await deleteDatabase("orders");
  const wire = await faultyWire(api.url);
  const events: string[] = [];
  wire.trouble = ({ operation = "" }) =>
    operation.startsWith("restore")
      ? async ({ forward, send }) => {
          events.push(`asked ${operation}`);
          const { status, text } = await forward();
          events.push(`answered ${operation}`);
          send(status, text);
        }
      : undefined;
  await restoring(api, { since: { ago: 600_000 }, yes: true }, wire.url);
  const inTurn = ["restoreDatabase", "restoreGroup"].flatMap((name) => [`asked ${name}`, `answered ${name}`]);
  expect(events).toEqual(inTurn);
});

test("leaves a database deleted that was deleted with an earlier deletion of its group", async () => {
  const { run, api, context, group, database, deleteGroup, liveNames } = await organization();
  await group("shop");
  await database("carts", "shop");
  const orders = await database("orders", "shop");
  await deleteGroup("shop");
  await context.platform.platform.api.restoreDatabase({ databaseId: orders });
  await api.advance(20 * MINUTE);
  await deleteGroup("shop");
  expect(restoredBy(await run({ yes: true }))).toEqual(["orders", "shop"]);
  expect(await liveNames()).toEqual(["orders"]);
  expect(restoredBy(await run({ since: { at: NOON }, yes: true }))).toEqual(["carts"]);
});

test("restores what was deleted before its group, if another database brings the group back", async () => {
  const { run, api, context, group, database, deleteDatabase, deleteGroup, liveNames } = await organization();
  const { api: client } = context.platform.platform;
  await group("shop");
  const [first] = [await database("first", "shop"), await database("second", "shop")];
  await deleteGroup("shop");
  await client.restoreDatabase({ databaseId: first });
  await api.advance(MINUTE);
  await deleteDatabase("first");
  await api.advance(MINUTE);
  await api.member("max", "admin");
  await clientOf(api, await api.token({ user: "max" })).deleteGroup({ organizationSlug: "acme", groupName: "shop" });
  const result = await run({ by: "ada", yes: true });
  expect(result).toMatchObject({ code: 0 });
  expect(restoredBy(result)).toEqual(["first", "second", "shop"]);
  expect(await liveNames()).toEqual(["first", "second"]);
});

test("counts an object as restored if the response was lost", async () => {
  const { api, group, database, deleteDatabase, deleteGroup, liveNames } = await organization();
  await group("shop");
  await database("carts", "shop");
  await database("orders");
  await deleteDatabase("orders");
  await deleteGroup("shop");
  const wire = await faultyWire(api.url);
  wire.trouble = ({ operation = "" }) =>
    operation.startsWith("restore")
      ? async ({ forward, cut }) => {
          await forward();
          cut();
        }
      : undefined;
  const result = await restoring(api, { since: { ago: 600_000 }, yes: true, json: true }, wire.url);
  const restored = ["shop", "carts", "orders"].map((name) => ({ name, restored: true }));
  expect(result).toMatchObject({ code: 0, json: { restores: restored } });
  expect(await liveNames()).toEqual(["carts", "orders"]);
});

test("restores the newest of two groups with one name", async () => {
  const { run, api, group, deleteGroup, client } = await organization();
  const older = await group("shop");
  await deleteGroup("shop");
  await api.advance(MINUTE);
  const newer = await group("shop");
  await deleteGroup("shop");
  const result = await run({ yes: true });
  expect(reasonsOf(result)).toEqual({
    [older]: newerHasName({ kind: "group", name: "shop", id: newer, deletedAt: NOON }),
  });
  expect((await client.listGroups()).groups.map(({ uuid }) => uuid)).toContain(newer);
});

test("restores the group of a chosen database with it, and leaves its other databases deleted", async () => {
  const { run, group, database, deleteGroup, liveNames } = await organization();
  await group("shop");
  for (const name of ["tenant-1", "tenant-2", "carts"]) await database(name, "shop");
  await deleteGroup("shop");
  const result = await run({ name: "tenant-*", yes: true });
  expect(result.code).toBe(0);
  expect(result.json?.restores).toMatchObject([
    { name: "shop", restoredWith: "database", restored: true },
    { name: "tenant-1", restored: true },
    { name: "tenant-2", restored: true },
  ]);
  expect(await liveNames()).toEqual(["tenant-1", "tenant-2"]);
});

test("leaves a database deleted whose group was deleted after the window", async () => {
  const { run, api, group, database, deleteDatabase, deleteGroup } = await organization();
  const shop = await group("shop");
  const early = await database("early", "shop");
  await deleteDatabase("early");
  await api.advance(2 * MINUTE);
  await deleteGroup("shop");
  const plan = await run({ until: { ago: MINUTE * 1000 } });
  expect(reasonsOf(plan)).toEqual({
    [early]: groupDeletedAfter({ groupName: "shop", groupId: shop, deletedAt: NOON }),
  });
  expect(restoredBy(await run({ since: { at: NOON }, group: shop }))).toEqual(["early", "shop"]);
});

test("rejects a new name that is invalid or taken", async () => {
  const { run, database, deleteDatabase } = await organization();
  const orders = await database("orders");
  await deleteDatabase("orders");
  await database("orders");
  const taken = await database("orders-2");
  expect(reasonsOf(await run({ rename: "{name}-2" }))).toEqual({
    [orders]: newNameTaken({ newName: "orders-2", id: taken }),
  });
  const [reason] = Object.values(reasonsOf(await run({ rename: "{name}_2" })));
  expect(reason).toContain(newNameInvalid({ newName: "orders_2", reason: "" }).split(":")[0]);
});

test("names who cannot be proven to have deleted an object, and fails with --by if there is no audit log", async () => {
  const { run, api, database, deleteDatabase } = await organization();
  const orders = await database("orders");
  await deleteDatabase("orders");
  await api.store.transaction("all", (state) => state.updateTable("audit_logs").set({ data: "{}" }).execute());
  expect(reasonsOf(await run({ by: "ada" }))).toEqual({ [orders]: authorUnproven({ author: "ada" }) });
  api.fault({ operation: "listAuditLogs", status: 403, times: 2 });
  expect(restoredBy(await run())).toEqual(["orders"]);
  expect(await run({ by: "ada" })).toMatchObject({ failure: expect.stringMatching(/^--by requires the audit log/) });
});

test("names what forbids every restoration: plan, recovery, role, scope", async () => {
  const { run, api, client, database, deleteDatabase, liveNames } = await organization();
  const orders = await database("orders");
  await deleteDatabase("orders");
  const apiToken = await api.token({ group: "default", scopes: ["read"] });
  const scoped = await run({ yes: true }, { apiToken });
  expect(scoped).toMatchObject({ code: 7 });
  expect(scoped.error).toContain(groupsUnlisted({ pinnedTo: "" }).slice(0, 30));
  expect(reasonsOf(scoped)).toEqual({ [orders]: scopesMissing({ scopes: ["db:create"] }) });
  const low = await run({ yes: true }, { apiToken: await api.token({ user: "max" }) });
  const caller = { username: "max", role: "member" };
  expect(reasonsOf(low)).toEqual({ [orders]: adminNeeded({ work: "restoring", organization: "acme", ...caller }) });
  await client.updateOrganization({ body: { restore_enabled: false } });
  expect(reasonsOf(await run({ yes: true }))).toEqual({ [orders]: recoveryDisabledIn({ organization: "acme" }) });
  await api.plan(FREE_PLAN);
  expect(await run({ yes: true })).toMatchObject({ failure: planHidesDeleted({ organization: "acme" }) });
  await api.plan("scaler");
  expect(await liveNames()).toEqual([]);
});

test("restores the databases of its group with a group-scoped token", async () => {
  const { run, api, database, deleteDatabase, liveNames } = await organization();
  await database("orders");
  await deleteDatabase("orders");
  const apiToken = await api.token({ group: "default", scopes: ["read", "db:create"] });
  expect(await run({ yes: true }, { apiToken })).toMatchObject({ code: 0 });
  expect(await liveNames()).toEqual(["orders"]);
});

test("says that older deletions cannot be undone, and that nothing was deleted", async () => {
  const { run, api, database, deleteDatabase } = await organization();
  await database("orders");
  await deleteDatabase("orders");
  await api.advance(6 * DAY);
  const result = await run({ since: { at: NOON }, json: undefined as never });
  expect(result.code).toBe(0);
  expect(result.error).toBe(`${restorableOnly({ since: "2026-03-02T12:00:00Z" })}\n`);
  const window = { since: "2026-03-01 12:00 UTC", until: "2026-03-07 12:00 UTC" };
  expect(result.out).toBe(`${nothingToRestore({ organization: "acme", ...window })}\n`);
});

test("names an object whose restoration fails, restores the others, and repeats only the failed one", async () => {
  const { run, api, database, deleteDatabase, liveNames } = await organization();
  for (const name of ["a", "b", "c"]) {
    await database(name);
    await deleteDatabase(name);
    await api.advance(1);
  }
  api.fault({ operation: "restoreDatabase", status: 500 });
  const first = await run({ yes: true });
  expect(first.code).toBe(7);
  expect(first.json?.restores.filter(({ failure }) => failure !== undefined)).toHaveLength(1);
  expect(await liveNames()).toHaveLength(2);
  expect(restoredBy(await run({ yes: true }))).toHaveLength(1);
  expect(await liveNames()).toEqual(["a", "b", "c"]);
});

test("stops with the command that continues if the platform cannot be reached or the user interrupts", async () => {
  const { run, api, database, deleteDatabase, liveNames } = await organization();
  const names = Array.from({ length: 20 }, (_, index) => `db-${index}`);
  for (const name of names) {
    await database(name);
    await deleteDatabase(name);
  }
  api.fault({ operation: "restoreDatabase", status: 503, times: 500 });
  const lost = await run({ yes: true });
  expect(lost.failure).toContain("503");
  expect(lost.error).toContain(runAgain({ options: "--since" }).replace(/ --yes$/, ""));
  api.clearFaults();
  const command = /--since (\S+) --until (\S+)/.exec(lost.error);
  await api.advance(DAY);
  const [, since = "", until = ""] = command ?? [];
  expect(await run({ yes: true, since: { at: since }, until: { at: until } })).toMatchObject({ code: 0 });
  expect(await liveNames()).toEqual(names.sort());
});

test("shows a bar on a terminal, and lines elsewhere", async () => {
  const { run, database, deleteDatabase } = await organization();
  for (const name of ["a", "b"]) {
    await database(name);
    await deleteDatabase(name);
  }
  const { error } = await run({ yes: true }, { isTerminal: true });
  const lines = error.split("\r\x1b[K");
  expect(lines[0]).toMatch(/^If this is interrupted, continue with: .*--yes\n$/);
  expect(lines[1]).toMatch(/^█+░* 1 of 2 restored, \d+ s left$/);
  expect(lines.at(-1)).toBe("");
});
