import { expect, test } from "vitest";
import { organizationTokenNeeded } from "../../provider/permissions/messages";
import { clientOf } from "../engine/engine-fixture";
import { faultyWire } from "../faulty-wire";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";
import { ask } from "./asking";

const SIZES = { orders: 5, invoices: 7, elsewhere: 11 };

/** Starts a platform with two databases in the group `default` and one in `other`. The databases differ in size. */
async function stored() {
  const here = await lifecycleFixture();
  const { api } = here;
  const outside = clientOf(api, api.apiToken);
  const organizationSlug = api.organization;
  const ids: Record<string, string> = {};
  for (const [name, size] of Object.entries(SIZES)) {
    const group = name === "elsewhere" ? "other" : "default";
    const file = new File(["x".repeat(size)], "dump");
    const { dump_url: url } = await outside.uploadDump({ organizationSlug, body: { file } });
    const body = { name, group, seed: { type: "dump" as const, url } };
    const { database } = await outside.createDatabase({ organizationSlug, body });
    ids[name] = database.DbId;
  }
  here.takeOperations();
  return { ...here, outside, organizationSlug, ids };
}

const using = (storageBytes: number) => ({ rowsRead: 0, rowsWritten: 0, storageBytes, bytesSynced: 0 });

test("returns the total usage of a database's instances for the requested period", async () => {
  const { api, context, newProcess, outside, organizationSlug, ids } = await stored();
  const told = { name: "orders", dbId: ids.orders, ...using(5) };
  expect(await ask("getDatabaseUsage", { name: "orders" }, context)).toEqual(told);
  const wire = await faultyWire(api.url);
  const period = { since: "2026-11-01T00:00:00Z", until: "2026-12-01T00:00:00+01:00" };
  const context2 = newProcess({}, { baseUrl: wire.url });
  expect(await ask("getDatabaseUsage", { dbId: ids.orders, ...period }, context2)).toEqual(told);
  const query = new URL(wire.requests.at(-1)?.path ?? "", wire.url).searchParams;
  expect(Object.fromEntries(query)).toEqual({ from: period.since, to: period.until });
  await outside.addGroupLocation({ organizationSlug, groupName: "default", location: "aws-eu-west-1" });
  expect(await ask("getDatabaseUsage", { name: "orders" }, newProcess())).toEqual({ ...told, ...using(10) });
});

test("returns the total usage of a group, even with a token that is restricted to the group", async () => {
  const { api, context, newProcess, takeOperations, ids } = await stored();
  const { uuid } = await ask("getGroup", { name: "default" }, context);
  takeOperations();
  const told = await ask("getGroupUsage", { name: "default" }, context);
  expect(told).toEqual({
    uuid,
    name: "default",
    ...using(12),
    databases: expect.arrayContaining([
      { dbId: ids.orders, ...using(5) },
      { dbId: ids.invoices, ...using(7) },
    ]),
  });
  expect(told.databases).toHaveLength(2);
  expect(takeOperations()).toEqual(["listGroups", "listDatabases", "retrieveOrganizationUsage"]);
  const apiToken = await api.token({ group: "default", scopes: ["read"] });
  const pinned = newProcess({}, { apiToken, organizationId: api.organizationId });
  const { databases, ...sum } = await ask("getGroupUsage", { uuid }, pinned);
  expect(sum).toEqual({ uuid, name: "default", ...using(12) });
  expect(new Set(databases as object[])).toEqual(new Set(told.databases as object[]));
  await expect(ask("getOrganizationUsage", {}, pinned)).rejects.toThrow(
    organizationTokenNeeded({ action: "read the usage of the organization", pinnedTo: String(uuid) }),
  );
});

test("returns the usage of the organization and of each of its databases", async () => {
  const { context, ids } = await stored();
  const told = await ask("getOrganizationUsage", {}, context);
  expect(told).toEqual({
    ...using(23),
    databaseCount: 3,
    groupCount: 2,
    locationCount: 2,
    databases: expect.arrayContaining([{ dbId: ids.elsewhere, ...using(11) }]),
  });
});

test("accepts a usage response that contains only `total`, and rejects a response without usage", async () => {
  const { api, newProcess, ids } = await stored();
  const wire = await faultyWire(api.url);
  const context = newProcess({}, { baseUrl: wire.url });
  const total = { rows_read: 1, rows_written: 2, storage_bytes: 3, bytes_synced: 4 };
  const send = (record: object) => {
    wire.trouble = ({ operation }) =>
      operation === "retrieveDatabaseUsage"
        ? (exchange) => exchange.send(200, JSON.stringify({ database: { uuid: ids.orders, ...record } }))
        : undefined;
  };
  send({ total });
  const told = { rowsRead: 1, rowsWritten: 2, storageBytes: 3, bytesSynced: 4 };
  expect(await ask("getDatabaseUsage", { name: "orders" }, context)).toMatchObject(told);
  send({});
  await expect(ask("getDatabaseUsage", { name: "orders" }, context)).rejects.toMatchObject({ kind: "unreadable" });
});

test("lists the primary instance of a database and its replicas in the group's other locations", async () => {
  const { newProcess, context, outside, organizationSlug, ids } = await stored();
  const primary = {
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    location: "aws-us-east-1",
    type: "primary",
    hostname: expect.stringContaining("orders"),
  };
  expect(await ask("getInstances", { name: "orders" }, context)).toEqual({
    dbId: ids.orders,
    name: "orders",
    instances: [primary],
  });
  await outside.addGroupLocation({ organizationSlug, groupName: "default", location: "aws-eu-west-1" });
  expect((await ask("getInstances", { dbId: ids.orders }, newProcess())).instances).toMatchObject([
    primary,
    { location: "aws-eu-west-1", type: "replica" },
  ]);
});
