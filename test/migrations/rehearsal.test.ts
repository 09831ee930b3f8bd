// @module-tag migrations

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { expect, onTestFinished, test } from "vitest";
import { check } from "../../kit/steps/check";
import { create } from "../../kit/steps/create";
import { databaseMigrations } from "../../provider/resources/migrations/database-migrations";
import { faultyWire } from "../faulty-wire";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";

/** A database of the reference API with two orders, and a folder of migrations that a resource with `rehearse` applies. */
async function rehearsing(owner: "database" | "group") {
  const here = await lifecycleFixture({}, { sql: true });
  const wire = await faultyWire(here.api.url);
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-rehearsal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { api } = here.context.platform.platform;
  const group = { name: "shop", location: "aws-us-east-1" };
  const { group: made } = await api.createGroup({ body: group });
  const { database } = await api.createDatabase({ body: { name: "orders", group: "shop" } });
  const { jwt } = await api.createDatabaseTokenById({ databaseId: database.DbId, query: {} });
  const client = createClient({ url: String(here.api.sql).replace("{DbId}", database.DbId), authToken: jwt });
  onTestFinished(() => client.close());
  await client.batch(["create table orders (item text)", "insert into orders values ('tea'), ('tea')"]);
  const args = {
    ...(owner === "database" ? { database: database.DbId } : { group: made.uuid }),
    folder,
    rehearse: true,
  };
  here.takeOperations();
  return {
    here,
    wire,
    database,
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    copy: (seed: string) =>
      api.createDatabase({
        body: {
          name: `rehearsal-of-${database.DbId.slice(-12)}-m`,
          group: "shop",
          seed: { type: "database", name: seed },
        },
      }),
    async apply() {
      const { inputs, failures } = check(databaseMigrations, {
        news: args,
        olds: {},
        account: "acme",
        propose: () => ({ problem: "" }),
      });
      expect(failures).toEqual([]);
      return create(databaseMigrations, inputs, here.newProcess({}, { baseUrl: wire.url }));
    },
    names: async () => (await api.listDatabases({ query: { group: "shop" } })).databases.map(({ Name }) => Name),
    tables: async () =>
      (await client.execute("select name from sqlite_schema where type = 'table' order by name")).rows.map(
        ({ name }) => name,
      ),
  };
}

test.each(["database", "group"] as const)(
  "applies a migration of a %s to a copy first, which is deleted",
  async (owner) => {
    const { here, write, apply, names, tables } = await rehearsing(owner);
    write("0001_items.sql", "create table items (name text)");
    expect(await apply()).toMatchObject({ state: { databaseCount: 1, behindCount: 0 } });
    expect(here.takeOperations().filter((operation) => /^(create|delete)Database/.test(operation))).toEqual(
      owner === "database"
        ? [
            "createDatabaseTokenById",
            "createDatabase",
            "createDatabaseTokenById",
            "deleteDatabaseById",
            "createDatabaseTokenById",
          ]
        : ["createDatabase", "deleteDatabaseById"],
    );
    expect(await names()).toEqual(["orders"]);
    expect(await tables()).toEqual(["__dbplatform_migrations", "items", "orders"]);
  },
);

test("changes nothing if the migration fails in the copy", async () => {
  const { write, apply, names, tables } = await rehearsing("database");
  write("0001_unique.sql", "create table items (name text); create unique index by_item on orders (item)");
  await expect(apply()).rejects.toThrow(/could not migrate a copy of database "orders".*UNIQUE constraint failed/);
  expect(await names()).toEqual(["orders"]);
  expect(await tables()).toEqual(["orders"]);
});

test("deletes the copy of an interrupted rehearsal, which is no database to migrate", async () => {
  const { write, apply, copy, names } = await rehearsing("group");
  await copy("orders");
  write("0001_items.sql", "create table items (name text)");
  expect(await apply()).toMatchObject({ state: { databaseCount: 1 } });
  expect(await names()).toEqual(["orders"]);
});

test("keeps a database that only has the name of the copy", async () => {
  const { here, write, apply, copy, names, tables } = await rehearsing("database");
  await here.context.platform.platform.api.createDatabase({ body: { name: "other", group: "shop" } });
  await copy("other");
  write("0001_items.sql", "create table items (name text)");
  await expect(apply()).rejects.toThrow(/`rehearse` needs the name/);
  expect(await names()).toHaveLength(3);
  expect(await tables()).toEqual(["orders"]);
});

test("of two rehearsals at once, the one that comes second leaves the copy of the first", async () => {
  const { wire, write, apply, copy, names, tables } = await rehearsing("database");
  write("0001_items.sql", "create table items (name text)");
  wire.trouble = ({ operation }) =>
    operation === "createDatabase"
      ? async ({ forward, send }) => {
          await copy("orders");
          const { status, text } = await forward();
          send(status, text);
        }
      : undefined;
  await expect(apply()).rejects.toThrow(/could not copy database "orders".*No database was changed/);
  expect(await names()).toHaveLength(2);
  expect(await tables()).toEqual(["orders"]);
});

test("names a copy that may be left, which the next rehearsal deletes", async () => {
  const { here, wire, write, apply, names, tables } = await rehearsing("database");
  write("0001_items.sql", "create table items (name text)");
  let isMade = false;
  wire.trouble = ({ operation }) => {
    if (operation === "createDatabase")
      return async ({ forward, cut }) => {
        await forward();
        isMade = true;
        cut();
      };
    return isMade && operation === "retrieveDatabase" ? ({ send }) => send(503, "{}") : undefined;
  };
  await expect(apply()).rejects.toThrow(/could not copy database "orders"/);
  const name = (await names()).find((name) => name !== "orders");
  expect(here.said.join()).toContain(`Could not delete database "${name}"`);
  expect(await tables()).toEqual(["orders"]);
  await wire.heal();
  await apply();
  expect(await names()).toEqual(["orders"]);
});
