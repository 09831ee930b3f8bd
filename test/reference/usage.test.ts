import { expect, test } from "vitest";
import { world } from "./world";

const named = { organizationSlug: "acme", databaseName: "orders" };
const used = (storage_bytes: number) => ({ rows_read: 0, rows_written: 0, storage_bytes, bytes_synced: 0 });

test("wire-facts 3.6 reports one page of storage for an unused database, both as `total` and as `usage`", async () => {
  const { owner, database } = await world();
  const uuid = await database("orders");
  expect((await owner.ok("retrieveDatabaseUsage", named)).database).toEqual({
    uuid,
    instances: [{ uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/), usage: used(4096) }],
    total: used(4096),
    usage: used(4096),
  });
});

test("wire-facts 3.6 reports one instance per region, each with a stable UUID, and the total usage", async () => {
  const { owner, slug, database } = await world();
  await database("orders");
  const [first] = (await owner.ok("retrieveDatabaseUsage", named)).database.instances;
  await owner.ok("addGroupLocation", { ...slug, groupName: "default", location: "aws-eu-west-1" });
  const { instances, total, usage } = (await owner.ok("retrieveDatabaseUsage", named)).database;
  expect(instances[0]).toEqual(first);
  expect(new Set(instances.map(({ uuid }) => uuid)).size).toBe(2);
  expect([total, usage]).toEqual([used(8192), used(8192)]);
});

test("wire-facts 3.2 accepts a period given as RFC 3339 timestamps", async () => {
  const { owner, database } = await world();
  await database("orders");
  const query = { from: "2023-12-12T00:00:00Z", to: "2023-12-13T00:00:00.5+01:00" };
  await owner.ok("retrieveDatabaseUsage", { ...named, query });
});

test.each([
  [
    "from",
    "2023-12-12T00:00:00",
    'parsing time "2023-12-12T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
  ],
  ["to", "2023-12-12", 'parsing time "2023-12-12" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
  ["from", "yesterday", 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"'],
  ["to", "2023-02-30T00:00:00Z", 'parsing time "2023-02-30T00:00:00Z": out of range'],
])("wire-facts 3.2 returns 400 for the parameter `%s` with the value %s", async (parameter, text, problem) => {
  const { owner, database } = await world();
  await database("orders");
  expect(await owner.refused("retrieveDatabaseUsage", { ...named, query: { [parameter]: text } })).toEqual({
    status: 400,
    error: `invalid ${parameter} parameter: ${problem}`,
  });
});
