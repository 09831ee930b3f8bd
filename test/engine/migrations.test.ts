// @module-tag all-drift-is-shown

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, onTestFinished, test } from "vitest";
import { migrationsApplied, migrationsStay, pendingMigrations } from "../../provider/resources/migrations/messages";
import { engineFixture } from "./engine-fixture";
import { connect } from "./rows";

type Options = Pick<CustomResourceOptions, "ignoreChanges">;

/** A folder of migrations as drizzle-kit writes it. */
function drizzleFolder() {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "meta"));
  const entries: object[] = [];
  return {
    folder,
    add(tag: string, ...statements: readonly string[]) {
      writeFileSync(join(folder, `${tag}.sql`), statements.join("\n--> statement-breakpoint\n"));
      const when = 1_790_000_000_000 + entries.length;
      entries.push({ idx: entries.length, version: "6", when, tag, breakpoints: true });
      writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ version: "7", dialect: "turso", entries }));
    },
  };
}

const named = (id: unknown) => [{ name: "orders", id: String(id) }];
const applied = (id: unknown) => migrationsApplied({ migrated: 1, databases: named(id) });

test("creates a database with its tables, says what is pending, and applies it once", async () => {
  const here = await engineFixture({ sql: true });
  const migrations = drizzleFolder();
  migrations.add("0000_orders", "CREATE TABLE orders (item text)", "CREATE INDEX by_item ON orders (item)");
  const options: Options = {};
  let isDeclared = true;
  const stack = await here.stack(async () => {
    const { dbId } = new dbplatform.Database("orders", { name: "orders", group: "default" });
    const { token } = new dbplatform.DatabaseToken("app", { database: dbId });
    if (!isDeclared) return { dbId, token };
    const schema = new dbplatform.DatabaseMigrations("schema", { database: dbId, folder: migrations.folder }, options);
    return { dbId, token, migrations: schema.migrations };
  });
  await stack.deploy();
  const { dbId, token, ...outputs } = await stack.outputs();
  expect(Object.keys(outputs.migrations as object)).toEqual(["0000_orders"]);
  const client = connect(here.api, dbId, token);
  await client.execute("insert into orders values ('tea')");
  const rows = async () => (await client.execute("select * from orders")).rows.map((row) => ({ ...row }));
  const pending = pendingMigrations({ migrations: ["0001_amount"], databases: named(dbId) });
  const assertUnchanged = async () => {
    const { code, output } = await stack.preview({ expectNoChanges: true });
    expect(code, output).toBe(0);
  };

  migrations.add("0001_amount", "ALTER TABLE orders ADD amount integer DEFAULT 1");
  expect((await stack.preview()).output).toContain(pending);
  expect(await rows()).toEqual([{ item: "tea" }]);
  expect((await stack.up()).output).toContain(applied(dbId));
  expect(await rows()).toEqual([{ item: "tea", amount: 1 }]);
  await assertUnchanged();

  await client.batch([
    "delete from __drizzle_migrations where created_at = 1790000000001",
    "alter table orders drop column amount",
  ]);
  options.ignoreChanges = ["migrations"];
  await assertUnchanged();
  delete options.ignoreChanges;
  expect((await stack.up()).output).toContain(applied(dbId));
  expect(await rows()).toEqual([{ item: "tea", amount: 1 }]);

  await here.deleteDatabase(String(dbId));
  const restored = await stack.up();
  expect(restored.code, restored.output).toBe(0);
  expect(restored.output).not.toContain(applied(dbId));
  expect(await rows()).toEqual([{ item: "tea", amount: 1 }]);
  await assertUnchanged();
  const stays = migrationsStay({ kind: "database", id: String(dbId) });
  isDeclared = false;
  expect((await stack.up()).output).toContain(stays);
  expect(await rows()).toEqual([{ item: "tea", amount: 1 }]);
  isDeclared = true;
  await stack.deploy();
  expect((await stack.destroy()).output).not.toContain(stays);
});

test("with dynamic providers, shows what is pending as a difference, and applies it", { tags: "more" }, async () => {
  const here = await engineFixture({ sql: true });
  const migrations = drizzleFolder();
  migrations.add("0000_orders", "CREATE TABLE orders (item text)");
  const options: Options = {};
  const stack = await here.stack(async () => {
    const { dbId } = new dynamic.Database("orders", { name: "orders", group: "default" });
    const { token } = new dynamic.DatabaseToken("app", { database: dbId });
    new dynamic.DatabaseMigrations("schema", { database: dbId, folder: migrations.folder }, options);
    return { dbId, token };
  });
  await stack.deploy();
  const { dbId, token } = await stack.outputs();
  const client = connect(here.api, dbId, token);
  migrations.add("0001_amount", "ALTER TABLE orders ADD amount integer");
  options.ignoreChanges = ["migrations"];
  const ignored = await stack.preview({ expectNoChanges: true });
  expect(ignored.code, ignored.output).toBe(0);
  delete options.ignoreChanges;
  expect((await stack.preview({ diff: true })).output).toContain("+ 0001_amount");
  const { code, output } = await stack.up();
  expect(code, output).toBe(0);
  expect((await client.execute("select item, amount from orders")).rows).toEqual([]);
});
