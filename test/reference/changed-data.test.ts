import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { changeDatabase, findAnyDatabase, NEW_DATABASE } from "../../platform/reference/operations/database";
import { addDatabase } from "../../platform/reference/operations/database-creation";
import { type OpenReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { WrongData } from "../../platform/reference/store/failure";
import {
  CONTAINED,
  cannotOpen,
  notStorable,
  referencesBroken,
  valueChanged,
} from "../../platform/reference/store/messages";
import { isPostgres } from "../../platform/reference/store/open";
import { changeSetting } from "../../platform/reference/store/settings";
import { type Data, emptyPlace, execute } from "./data";
import { world } from "./world";

let data: Data;

beforeEach(async () => {
  data = await emptyPlace();
  const log = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => log.mockRestore());
});

afterEach(() => data.remove());

const opened = () => world({ data: data.place });
const place = () => data.place.replace("postgres@", "");
const { id: ID, uuid: UUID, instant: INSTANT, count: COUNT, flag: FLAG, object: OBJECT, texts: TEXTS } = CONTAINED;

const LISTS = {
  databases: "listDatabases",
  groups: "listGroups",
  invites: "listInvites",
  audit_logs: "listAuditLogs",
  tokens: "listApiTokens",
} as const;

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

test.each<[table: keyof typeof LISTS, field: string, value: string, accepted: string]>([
  ["databases", "id", "'../../etc'", ID],
  ["databases", "parent_id", "'orders'", UUID],
  ["databases", "created_at", "'2026-13-01T12:00:00.000Z'", INSTANT],
  ["databases", "branched_at", "'yesterday'", INSTANT],
  ["databases", "storage_bytes", "-1", COUNT],
  ["databases", "block_reads", "2", FLAG],
  ["databases", "allowed_ips", "'10.0.0.1'", TEXTS],
  ["groups", "other_locations", "'[1]'", TEXTS],
  ["invites", "created_at", "'2026-03-01'", INSTANT],
  ["audit_logs", "data", "'{'", OBJECT],
  ["tokens", "scopes", "'read'", TEXTS],
])("reports a value in %s that another program has changed: %s", async (table, field, value, accepted) => {
  const { owner, slug, database } = await opened();
  await database("orders");
  await owner.ok("createInvite", { ...slug, body: { email: "lea@acme.example", role: "member" } });
  await owner.ok(LISTS[table], slug);
  await execute(data, `create table kept as select * from ${table}`, `update ${table} set ${field} = ${value}`);
  const [before, after] = valueChanged({ row: "<names>", field, accepted }).split("<names>").map(literally);
  const refused = await owner.refused(LISTS[table], slug);
  expect(refused).toMatchObject({ status: 500, error: expect.stringMatching(`^${before}.+${after}$`) });
  await execute(data, `update ${table} set ${field} = (select max(${field}) from kept)`, "drop table kept");
  await owner.ok(LISTS[table], slug);
});

test("reports a clock that another program has changed", async () => {
  const { owner, slug } = await opened();
  await execute(data, `update settings set value = '{"stands":"noon"}' where name = 'clock'`);
  expect(await owner.refused("listGroups", slug)).toEqual({
    status: 500,
    error: valueChanged({ row: 'name "clock"', field: "value", accepted: "valid" }),
  });
});

describe("a start", () => {
  const start = () => startReferenceApi({ data: data.place });

  beforeEach(async () => {
    await (await start()).close();
  });

  test("is refused if another program has changed the signing key", async () => {
    await execute(data, "update settings set value = '{}' where name = 'signing-key'");
    const reason = valueChanged({ row: 'name "signing-key"', field: "value", accepted: "valid" });
    await expect(start()).rejects.toThrow(new Error(cannotOpen({ place: place(), reason })));
  });

  // PostgreSQL checks the references of every program.
  test("is refused if another program has removed a row to which others refer", async () => {
    if (isPostgres(data.place)) return;
    await execute(data, "delete from users");
    const reason = referencesBroken({ tables: ["members", "tokens"] });
    await expect(start()).rejects.toThrow(new Error(cannotOpen({ place: place(), reason })));
  });
});

test.each([
  ["its text", "'{'", valueChanged({ row: 'name "seed"', field: "value", accepted: "valid" })],
  [
    "a row in it",
    `replace(value, '"delete_protection":0', '"delete_protection":7')`,
    expect.stringContaining("`delete_protection` of the row with id"),
  ],
])(
  "refuses to reset to a seed of which another program has changed %s, and changes nothing",
  async (_, value, text) => {
    const { api, database, liveNames } = await opened();
    await database("orders");
    await execute(data, `update settings set value = ${value} where name = 'seed'`);
    await expect(api.reset()).rejects.toThrow(WrongData);
    await expect(api.reset()).rejects.toMatchObject({ message: text });
    expect(await liveNames()).toContain("orders");
  },
);

test("stores no wrong value, reports the defect, and changes nothing", async () => {
  const { api, id, database } = await opened();
  const { store } = api as OpenReferenceApi;
  const orders = await database("orders");
  await expect(
    store.transaction([], async (state) => {
      await changeDatabase(state, orders, { name: "renamed" });
      await changeDatabase(state, orders, { deleted_at: "yesterday" });
    }),
  ).rejects.toThrow(notStorable({ row: `id "${orders}"`, field: "deleted_at", accepted: INSTANT }));
  expect(await store.read((state) => findAnyDatabase(state, orders))).toMatchObject({ name: "orders" });
  const added = { ...NEW_DATABASE, id: "../orders", organization_id: id.organizationId, group_id: orders, name: "new" };
  await expect(store.transaction([], (state) => addDatabase(state, added))).rejects.toThrow(
    notStorable({
      row: `organization_id "${id.organizationId}", name "new"`,
      field: "id",
      accepted: ID,
    }),
  );
  await expect(store.transaction([], (state) => changeSetting(state, "clock", "noon"))).rejects.toThrow(
    notStorable({ row: 'name "clock"', field: "value", accepted: "valid" }),
  );
});
