import { expect, test } from "vitest";
import { refuse } from "../../platform/reference/messages";
import { world } from "./world";

const orders = { organizationSlug: "acme", databaseName: "orders" };
const [EAST, WEST, IRELAND] = ["aws-us-east-1", "aws-us-west-2", "aws-eu-west-1"] as const;
const inDefault = { organizationSlug: "acme", groupName: "default" };

async function ordersWorld() {
  const made = await world();
  await made.database("orders");
  return {
    ...made,
    instances: async () => (await made.owner.ok("listInstances", orders)).instances,
    regions: async () => (await made.owner.ok("retrieveDatabase", orders)).database.regions,
  };
}

test("wire-facts 3.2 lists one instance per location of the group, with the primary instance first", async () => {
  const { owner, instances } = await ordersWorld();
  await owner.ok("addGroupLocation", { ...inDefault, location: IRELAND });
  const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const all = await instances();
  expect(all).toEqual([
    { uuid, name: EAST, type: "primary", region: EAST, hostname: `orders-acme.${EAST}.dbplatform.example` },
    { uuid, name: IRELAND, type: "replica", region: IRELAND, hostname: `orders-acme.${IRELAND}.dbplatform.example` },
  ]);
  for (const instance of all)
    expect(await owner.ok("retrieveInstance", { ...orders, instanceName: instance.name })).toEqual({ instance });
  const usage = (await owner.ok("retrieveDatabaseUsage", orders)).database;
  expect(usage.instances.map((each) => each.uuid)).toEqual(all.map((each) => each.uuid));
});

test("wire-facts 3.2 includes the location in the hostname of an instance, except on AWS", async () => {
  const { owner, slug } = await world();
  await owner.ok("createGroup", { ...slug, body: { name: "old", location: "ams" } });
  await owner.ok("createDatabase", { ...slug, body: { name: "orders", group: "old" } });
  await owner.ok("addInstance", { ...orders, body: { location: "lhr" } });
  const { instances } = await owner.ok("listInstances", orders);
  expect(instances.map(({ hostname }) => hostname)).toEqual([
    "ams.orders-acme.dbplatform.example",
    "lhr.orders-acme.dbplatform.example",
  ]);
});

test("wire-facts 3.2 lists an instance's location in the database's regions until the instance is removed", async () => {
  const { owner, database, instances, regions } = await ordersWorld();
  await database("users");
  const { instance } = await owner.ok("addInstance", { ...orders, body: { location: WEST } });
  expect(instance).toMatchObject({ name: WEST, type: "replica", region: WEST });
  expect(await owner.ok("addInstance", { ...orders, body: { location: WEST } })).toEqual({ instance });
  expect(await regions()).toEqual([EAST, WEST]);
  expect((await instances())[1]).toEqual(instance);
  expect((await owner.ok("listInstances", { ...orders, databaseName: "users" })).instances).toHaveLength(1);

  expect(await owner.ok("awaitInstance", { ...orders, instanceName: WEST })).toEqual({});
  expect(await owner.ok("removeInstance", { ...orders, instanceName: WEST })).toEqual({ instance: WEST });
  expect(await regions()).toEqual([EAST]);
});

test("wire-facts 3.2 returns 400 when asked to remove an instance in one of the group's locations", async () => {
  const { owner, regions } = await ordersWorld();
  await owner.ok("addInstance", { ...orders, body: { location: IRELAND } });
  await owner.ok("addGroupLocation", { ...inDefault, location: IRELAND });
  for (const instanceName of [EAST, IRELAND])
    expect(await owner.refused("removeInstance", { ...orders, instanceName })).toEqual({
      status: 400,
      error: refuse.instanceOfGroup({ instance: instanceName, group: "default" }).message,
    });
  await owner.ok("removeGroupLocation", { ...inDefault, location: IRELAND });
  expect(await regions()).toEqual([EAST, IRELAND]);
  await owner.ok("removeInstance", { ...orders, instanceName: IRELAND });
  expect(await regions()).toEqual([EAST]);
});

test("§2.1 keeps the regions of a database that is deleted and restored", async () => {
  const { owner, id, regions } = await ordersWorld();
  await owner.ok("addInstance", { ...orders, body: { location: WEST } });
  await owner.ok("deleteDatabase", orders);
  const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
  expect(databases[0]?.regions).toEqual([EAST, WEST]);
  await owner.ok("restoreDatabase", { ...id, databaseId: databases[0]?.DbId ?? "" });
  expect(await regions()).toEqual([EAST, WEST]);
});
