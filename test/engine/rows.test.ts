// @module-tag no-database-is-lost
// @module-tag tokens

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { restored } from "../../kit/lifecycle/restore/messages";
import { refuse } from "../../platform/reference/messages";
import {
  addressRefused,
  NOT_WRITING,
  namespaceMissing,
  READS_BLOCKED,
  WRITES_BLOCKED,
} from "../../platform/reference/sql/messages";
import { type EngineFixture, engineFixture } from "./engine-fixture";
import { connect, fill, namesIn } from "./rows";

/** Creates a token for SQL access to a database. */
const tokenOf = async ({ api, outside }: EngineFixture, databaseName: string): Promise<string> =>
  (await outside.createDatabaseToken({ organizationSlug: api.organization, databaseName, query: {}, body: {} })).jwt;

test("shows a deleted database in a plain preview, and restores it with its rows, which the existing token reads", async () => {
  const here = await engineFixture({ sql: true });
  const stack = await here.stack(async () => {
    const { dbId } = new dbplatform.Database("orders", { name: "orders", group: "default" });
    return { dbId, token: new dbplatform.DatabaseToken("app", { database: dbId }).token };
  });
  await stack.deploy();
  const { dbId, token } = await stack.outputs();
  const client = connect(here.api, dbId, token);
  await fill(client, "first", "second");
  await here.deleteDatabase(String(dbId));
  here.takeWrites();
  const preview = await stack.preview({ expectNoChanges: true });
  expect(preview.code).toBe(7);
  expect(preview.output).toContain('warning: Database "orders" was deleted by ada (API) on');
  expect(preview.output).toContain("[diff: -deletedAt");
  expect(here.takeWrites()).toEqual([]);
  await expect(namesIn(client)).rejects.toThrow(namespaceMissing({ name: String(dbId) }));

  const up = await stack.up();
  expect(up.code).toBe(0);
  const updated = up.output.split("\n").find((line) => line.includes(" updated "));
  expect(updated).toContain(restored({ title: 'database "orders"', brings: "with its data" }));
  expect(here.takeWrites()).toEqual(["restoreDatabase"]);
  expect(await stack.outputs()).toEqual({ dbId, token });
  expect(await namesIn(client)).toEqual(["first", "second"]);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("restores the rows of a deleted group's databases, and imports a replaced database with its rows", {
  tags: "more",
}, async () => {
  const here = await engineFixture({ sql: true });
  const { api, outside } = here;
  const names = { orders: "orders" };
  const imported: string[] = [];
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { name: "tenants", location: "aws-us-east-1" });
    const orders = new dbplatform.Database("orders", { name: names.orders, group: group.id });
    const other = new dbplatform.Database("other", { name: "other", group: group.id });
    for (const id of imported) new dbplatform.Database("back", { name: "back", group: group.id }, { import: id });
    const { token } = new dbplatform.GroupToken("app", { group: group.id });
    return { orders: orders.dbId, other: other.dbId, token };
  });
  await stack.deploy();
  const first = await stack.outputs();
  const client = (dbId: unknown) => connect(api, dbId, first.token);
  await fill(client(first.orders), "of orders");
  await fill(client(first.other), "of other");
  await outside.deleteGroup({ organizationSlug: api.organization, groupName: "tenants" });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual(first);
  expect(await namesIn(client(first.orders))).toEqual(["of orders"]);
  expect(await namesIn(client(first.other))).toEqual(["of other"]);

  names.orders = "sales";
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { orders } = await stack.outputs();
  expect(orders).not.toBe(first.orders);
  const { rows } = await client(orders).execute("select name from sqlite_schema");
  expect(rows).toEqual([]);
  imported.push(String(first.orders));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toMatchObject({ sales: orders, back: first.orders });
  expect(await namesIn(client(first.orders))).toEqual(["of orders"]);
});

test("seeds databases from current rows, earlier rows or a dump, and reports the line of a dump error", {
  tags: "more",
}, async () => {
  const here = await engineFixture({ sql: true, now: "2026-03-01T12:00:00Z" });
  const { api } = here;
  const client = connect(api, await here.createDatabase("orders"), await tokenOf(here, "orders"));
  await fill(client, "early");
  const timestamp = (await api.clock.now()).toISOString();
  await api.advance(60);
  await fill(client, "late");
  const seeds: Record<string, dbplatform.DatabaseArgs["seed"]> = {
    latest: { database: "orders" },
    earlier: { database: "orders", timestamp },
    dumped: { dumpFile: "good.sql" },
  };
  const stack = await here.stack(async () =>
    Object.fromEntries(
      Object.entries(seeds).map(([name, seed]) => [
        name,
        new dbplatform.Database(name, { name, group: "default", seed }).dbId,
      ]),
    ),
  );
  const dump = (name: string, text: string) => writeFileSync(join(stack.project, name), text);
  mkdirSync(stack.project, { recursive: true });
  dump("good.sql", "begin;\ncreate table orders (name text);\ninsert into orders values ('dumped');\ncommit;\n");
  dump("broken.sql", "create table orders (name text);\n\ninsert into nowhere values (1);\n");
  expect(await stack.up()).toMatchObject({ code: 0 });
  const ids = await stack.outputs();
  const rows: Record<string, unknown> = {};
  for (const [name, dbId] of Object.entries(ids))
    rows[name] = await namesIn(connect(api, dbId, await tokenOf(here, name)));
  expect(rows).toEqual({ latest: ["early", "late"], earlier: ["early"], dumped: ["dumped"] });

  seeds.broken = { dumpFile: "broken.sql" };
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(
    refuse.dumpInvalid({ line: 3, reason: "SQLite error: no such table: nowhere" }).message,
  );
  expect(Object.keys(await here.databases()).sort()).toEqual(["dumped", "earlier", "latest", "orders"]);
});

test("key rotation, read-only tokens and every configured restriction take effect for SQL clients", {
  tags: "more",
}, async () => {
  const here = await engineFixture({ sql: true });
  let turn = "1";
  const configurations: Record<string, Omit<dbplatform.DatabaseConfigurationArgs, "database">> = {
    unread: { blockReads: true },
    unwritten: { blockWrites: true },
    small: { sizeLimit: "64kb" },
    far: { allowedIps: ["192.0.2.0/24"] },
    near: { allowedIps: ["127.0.0.0/8"], sizeLimit: "1mb" },
  };
  const stack = await here.stack(async () => {
    const ids = Object.fromEntries(
      Object.entries(configurations).map(([name, configuration]) => {
        const { dbId } = new dbplatform.Database(name, { name, group: "default" });
        if (turn === "2") new dbplatform.DatabaseConfiguration(name, { database: dbId, ...configuration });
        return [name, dbId];
      }),
    );
    const { generation } = new dbplatform.SigningKeyRotation("default", { group: "default", triggers: { turn } });
    const app = new dbplatform.GroupToken("app", { group: "default", keepers: { generation } });
    const reader = new dbplatform.GroupToken("reader", {
      group: "default",
      authorization: "read-only",
      keepers: { generation },
    });
    return { ids, app: app.token, reader: reader.token };
  });
  await stack.deploy();
  const first = await stack.outputs();
  const ids = first.ids as Record<string, string>;
  for (const dbId of Object.values(ids)) await fill(connect(here.api, dbId, first.app), "first");

  turn = "2";
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { app, reader } = await stack.outputs();
  const as = (token: unknown, name: string) => connect(here.api, ids[name], token);
  for (const token of [first.app, first.reader])
    await expect(namesIn(as(token, "near"))).rejects.toThrow(refuse.sqlTokenRotated().message);
  await fill(as(app, "near"), "second");
  expect(await namesIn(as(reader, "near"))).toEqual(["first", "second"]);
  await expect(fill(as(reader, "near"), "third")).rejects.toThrow(NOT_WRITING);

  await expect(namesIn(as(app, "unread"))).rejects.toThrow(READS_BLOCKED);
  await fill(as(app, "unread"), "second");
  await expect(fill(as(app, "unwritten"), "second")).rejects.toThrow(WRITES_BLOCKED);
  expect(await namesIn(as(app, "unwritten"))).toEqual(["first"]);
  await expect(fill(as(app, "small"), "x".repeat(100_000))).rejects.toMatchObject({ code: "SQLITE_FULL" });
  expect(await namesIn(as(app, "small"))).toEqual(["first"]);
  await expect(namesIn(as(app, "far"))).rejects.toThrow(addressRefused({ ipAddress: "127.0.0.1" }));
});
