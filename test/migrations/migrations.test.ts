// @module-tag failures-and-interruptions

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REFERENCE_WITHOUT_SQL } from "../../provider/client/messages";
import {
  appliedMissing,
  appliedOutOfOrder,
  encryptionKeyMissing,
  LEDGER_LOST,
  migrationChanged,
  migrationsFailed,
  pendingMigrations,
  statementOfLedger,
  statementUnfit,
  tableFixed,
  writesBlocked,
} from "../../provider/resources/migrations/messages";
import type { Declared } from "../fake-engine/declared-program";
import { archive } from "../lifecycle/archive";
import { uuidSpellings } from "../spellings/values";
import { TENANTS } from "../stories/declarations";
import { organizationSlug } from "../stories/outside";
import { MIGRATIONS, type MigratedGroup, migratedGroup, numberedFolder } from "./migrated-group";

const LAST = "0002_amount";

/** Databases that have the first migration, and a folder with both. */
async function oneBehind(...names: readonly string[]): Promise<MigratedGroup> {
  const group = await migratedGroup(names);
  group.folder.remove(LAST);
  expect((await group.up()).failure).toBeUndefined();
  group.folder.write(LAST, MIGRATIONS[LAST]);
  return group;
}

/** Makes the last migration fail in a database. */
const addDuplicates = (group: MigratedGroup, name: string) =>
  group.execute(name, "insert into orders (item) values ('tea'), ('tea')");

const named = async (group: MigratedGroup, ...names: readonly string[]) => {
  const ids = await group.ids();
  return names.map((name) => ({ name, id: String(ids[name]) }));
};

const pending = async (group: MigratedGroup, ...names: readonly string[]) =>
  pendingMigrations({ migrations: [LAST], databases: await named(group, ...names) });

/** Does something before each request that applies a migration reaches its database. */
const whenMigrating =
  (act: () => Promise<void>): MigratedGroup["wire"]["trouble"] =>
  ({ path }) =>
    path.startsWith("/sql/")
      ? async (exchange) => {
          if (exchange.body.includes("BEGIN")) await act();
          const { status, text } = await exchange.forward();
          exchange.send(status, text);
        }
      : undefined;

/** Lets databases not answer before a token for writing to them is minted. */
function untilMigrated(database: string): MigratedGroup["wire"]["trouble"] {
  let isMigrating = false;
  return ({ operation, path }) => {
    isMigrating ||= operation === "createGroupTokenById" && path.includes("full-access");
    return path.startsWith(database) && !isMigrating ? ({ send }) => send(503, "{}") : undefined;
  };
}

/** Returns what an update says that has failed in these databases, without the reasons. */
const advice = (migrated: number, untried: number): string =>
  migrationsFailed({ failed: FAILED, migrated, untried }).advice;
const FAILED = [{ name: "", id: "", reason: "", isUncertain: false }];

describe("of a group", () => {
  test("a canary that fails is the only database that is tried", async () => {
    const group = await oneBehind("a", "b", "c");
    await addDuplicates(group, "b");
    expect((await group.preview({ canary: "b" })).said).toEqual([await pending(group, "a", "b", "c")]);
    const { restorePoint } = await group.outputs();
    await group.api.clock.advance(60);
    expect((await group.up({ canary: "b", onFailure: "continue" })).failure).toContain(advice(0, 2));
    expect(await group.versions()).toEqual({ a: 1, b: 1, c: 1 });
    expect((await group.outputs()).restorePoint).toBe(restorePoint);
  });

  test("a canary may be a database that the same update creates", async () => {
    const group = await migratedGroup([]);
    const orders: Declared = { type: "Database", args: { name: "orders", group: "default" } };
    const program = new Map([["orders", orders], ...group.program({ canary: "orders" })]);
    program.set("schema", { ...(program.get("schema") as Declared), dependsOn: "orders" });
    expect((await group.run(program, { preview: true })).failure).toBeUndefined();
    expect((await group.run(program)).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ orders: 2 });
  });

  test("a database that fails stops the others, or only itself, and the next update goes on", async () => {
    const group = await oneBehind("a", "b", "c", "d");
    await addDuplicates(group, "b");
    const one = { parallel: 1 };
    expect((await group.up(one)).failure).toContain(advice(1, 2));
    expect(await group.versions()).toEqual({ a: 2, b: 1, c: 1, d: 1 });
    const { failure } = await group.up({ ...one, canary: "c", onFailure: "continue" });
    expect(failure).toContain(advice(2, 0));
    expect(failure).toContain("UNIQUE constraint failed: orders.item");
    expect(await group.versions()).toEqual({ a: 2, b: 1, c: 2, d: 2 });
    expect(await group.outputs()).toMatchObject({ databaseCount: 4, behindCount: 1, behind: ["b"] });
    await group.execute("b", "delete from orders");
    expect((await group.preview()).said).toEqual([await pending(group, "b")]);
    expect((await group.up()).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ a: 2, b: 2, c: 2, d: 2 });
  });

  test("with `continue`, a database that fails again does not keep the others from going on", async () => {
    const group = await oneBehind("a", "b", "c");
    await addDuplicates(group, "b");
    expect((await group.up({ onFailure: "continue" })).failure).toContain(advice(2, 0));
    await group.outside.createDatabase({ organizationSlug, body: { name: "new", group: "default" } });
    expect((await group.up({ onFailure: "continue" })).failure).toContain(advice(1, 0));
    expect(await group.versions()).toEqual({ a: 2, b: 1, c: 2, new: 2 });
  });

  test("with `continue`, a database that certainly fails is not tried first", async () => {
    const group = await oneBehind("a", "b");
    await group.execute("a", "update __dbplatform_migrations set hash = 'other'");
    expect((await group.up({ onFailure: "continue" })).failure).toContain(advice(1, 0));
    expect(await group.versions()).toEqual({ a: 1, b: 2 });
  });

  test("a database that does not answer is not forgotten by the next update", async () => {
    const group = await oneBehind("a", "b");
    const ids = await group.ids();
    group.wire.trouble = ({ path }) =>
      path.startsWith(`/sql/${ids.b}/`) ? (exchange) => exchange.send(503, "{}") : undefined;
    for (const time of ["first", "second"]) expect((await group.up()).failure, time).toBeDefined();
    expect(await group.outputs()).toMatchObject({ databaseCount: 2, behind: ["b"] });
    await group.wire.heal();
    expect((await group.up()).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ a: 2, b: 2 });
  });

  test("a database that `keepData` replaces is left alone, so that the update ends", async () => {
    const group = await migratedGroup([]);
    const orders = (name: string): [string, Declared] => [
      "orders",
      { type: "Database", args: { name, group: "default", keepData: true } },
    ];
    const schema = (): [string, Declared] => [
      "schema",
      { ...(group.program().get("schema") as Declared), dependsOn: "orders" },
    ];
    group.folder.remove(LAST);
    expect((await group.run(new Map([orders("orders"), schema()]))).failure).toBeUndefined();
    group.folder.write(LAST, MIGRATIONS[LAST]);
    expect((await group.run(new Map([orders("sales"), schema()]))).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ sales: 2 });
  });

  test("a database that `keepData` moves to another group is left alone, too", async () => {
    const group = await migratedGroup([]);
    await group.outside.createGroup({ organizationSlug, body: TENANTS });
    const orders = (args: Record<string, string>): [string, Declared] => [
      "orders",
      { type: "Database", args: { name: "orders", group: "default", keepData: true, ...args } },
    ];
    const schema = (): [string, Declared] => [
      "schema",
      { ...(group.program().get("schema") as Declared), dependsOn: "orders" },
    ];
    group.folder.remove(LAST);
    expect((await group.run(new Map([orders({}), schema()]))).failure).toBeUndefined();
    group.folder.write(LAST, MIGRATIONS[LAST]);
    const moved = { name: "sales", group: TENANTS.name };
    expect((await group.run(new Map([orders(moved), schema()]))).failure).toBeUndefined();
    expect(Object.keys(await group.ids())).toEqual(["sales"]);
  });

  test("a group that is restored by the update gets its new migration, too", async () => {
    const group = await migratedGroup([]);
    const program = new Map<string, Declared>([
      ["tenants", { type: "Group", args: TENANTS }],
      ["orders", { type: "Database", args: { name: "orders", group: { of: "tenants", output: "id" } } }],
      ...group.program({ group: { of: "tenants", output: "id" } }),
    ]);
    program.set("schema", { ...(program.get("schema") as Declared), dependsOn: "orders" });
    group.folder.remove(LAST);
    expect((await group.run(program)).failure).toBeUndefined();
    group.folder.write(LAST, MIGRATIONS[LAST]);
    await group.outside.deleteGroup({ organizationSlug, groupName: TENANTS.name });
    expect((await group.run(program, { preview: true })).failure).toBeUndefined();
    expect((await group.run(program)).failure).toBeUndefined();
    expect(await group.outputs()).toMatchObject({
      databaseCount: 1,
      behindCount: 0,
      migrations: { [LAST]: expect.any(String) },
    });
  });

  test("at most `parallel` databases are migrated at once, and one at first", async () => {
    const group = await oneBehind("a", "b", "c", "d", "e", "f");
    const atOnce: number[] = [];
    let now = 0;
    group.wire.trouble = ({ path }) =>
      path.startsWith("/sql/")
        ? async (exchange) => {
            const isMigration = exchange.body.includes("BEGIN");
            if (isMigration) atOnce.push(++now);
            const { status, text } = await exchange.forward();
            if (isMigration) now--;
            exchange.send(status, text);
          }
        : undefined;
    expect((await group.up({ parallel: 2 })).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ a: 2, b: 2, c: 2, d: 2, e: 2, f: 2 });
    expect(atOnce.slice(0, 2)).toEqual([1, 1]);
    expect(Math.max(...atOnce)).toBe(2);
  });

  test("a database that was created since is behind, and one that was deleted is forgotten", async () => {
    const group = await migratedGroup(["a", "b"]);
    expect((await group.up()).failure).toBeUndefined();
    await group.outside.deleteDatabase({ organizationSlug, databaseName: "b" });
    expect(await group.preview()).toMatchObject({ changes: [], said: [] });
    await group.outside.createDatabase({ organizationSlug, body: { name: "new", group: "default" } });
    const { said } = await group.preview();
    const migrations = Object.keys(MIGRATIONS);
    expect(said).toEqual([pendingMigrations({ migrations, databases: await named(group, "new") })]);
    expect((await group.up()).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ a: 2, new: 2 });
  });

  test.each(["stop", "continue"])(
    "with `%s`, a database that is deleted during an update does not fail",
    async (onFailure) => {
      const group = await oneBehind("a", "b", "c");
      let isDeleted = false;
      group.wire.trouble = whenMigrating(async () => {
        if (isDeleted) return;
        isDeleted = true;
        await group.outside.deleteDatabase({ organizationSlug, databaseName: "b" });
        await group.outside.createDatabase({ organizationSlug, body: { name: "new", group: "default" } });
      });
      expect((await group.up({ onFailure })).failure).toBeUndefined();
      expect(await group.versions()).toEqual({ a: 2, c: 2, new: 0 });
      expect(await group.outputs()).toMatchObject({ databaseCount: 2, behindCount: 0 });
      expect((await group.up()).failure).toBeUndefined();
      expect(await group.versions()).toEqual({ a: 2, c: 2, new: 2 });
    },
  );

  test("a canary that is deleted during an update leaves its place to the next database", async () => {
    const group = await oneBehind("a", "b", "c", "d");
    group.folder.write(LAST, "select fails");
    let begun = 0;
    group.wire.trouble = whenMigrating(async () => {
      if (++begun === 1) await group.outside.deleteDatabase({ organizationSlug, databaseName: "c" });
    });
    const { failure } = await group.up({ canary: "c", onFailure: "continue" });
    expect(failure).toContain(advice(0, 2));
    expect(begun).toBe(2);
  });

  test("a database that is deleted during its rehearsal leaves its place to the next one", async () => {
    const group = await oneBehind("a", "b");
    let isDeleted = false;
    group.wire.trouble = ({ operation }) =>
      operation === "createDatabase"
        ? async ({ forward, send }) => {
            if (!isDeleted) await group.outside.deleteDatabase({ organizationSlug, databaseName: "a" });
            isDeleted = true;
            const { status, text } = await forward();
            send(status, text);
          }
        : undefined;
    expect((await group.up({ rehearse: true })).failure).toBeUndefined();
    expect(isDeleted).toBe(true);
    expect(await group.versions()).toEqual({ b: 2 });
    expect(await group.outputs()).toMatchObject({ databaseCount: 1, behindCount: 0 });
  });

  test("a database that is deleted, and created again under its name, during an update is left to the next one", async () => {
    const group = await oneBehind("a", "b");
    let isFirst = true;
    group.wire.trouble = whenMigrating(async () => {
      if (!isFirst) return;
      isFirst = false;
      await group.outside.deleteDatabase({ organizationSlug, databaseName: "b" });
      await group.outside.createDatabase({ organizationSlug, body: { name: "b", group: "default" } });
    });
    expect((await group.up()).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ a: 2, b: 0 });
    expect(await group.outputs()).toMatchObject({ databaseCount: 1, behindCount: 0 });
    expect((await group.up()).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ a: 2, b: 2 });
  });

  test("a token that the platform does not give is asked for again, and nothing is uncertain without one", async () => {
    const group = await oneBehind("a", "b");
    let asked = 0;
    const refuse = (times: number): MigratedGroup["wire"]["trouble"] => {
      asked = 0;
      return ({ operation, path }) =>
        operation === "createGroupTokenById" && path.includes("full-access") && asked++ < times
          ? ({ send }) => send(500, "{}")
          : undefined;
    };
    group.wire.trouble = refuse(Number.POSITIVE_INFINITY);
    expect((await group.up()).failure).toContain(advice(0, 1));
    expect(asked).toBeGreaterThan(1);
    group.wire.trouble = refuse(1);
    expect((await group.up()).failure).toBeUndefined();
    expect(asked).toBe(2);
    expect(await group.versions()).toEqual({ a: 2, b: 2 });
  });

  test("a database that did not answer when it was read is migrated all the same", async () => {
    const group = await oneBehind("a", "b");
    const { b } = await group.ids();
    group.wire.trouble = untilMigrated(`/sql/${b}/`);
    expect((await group.up()).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ a: 2, b: 2 });
  });

  test("a database that did not answer when it was read gets nothing of a folder that cannot be applied", async () => {
    const group = await oneBehind("a");
    group.folder.write("0003_vacuum", "vacuum");
    group.wire.trouble = untilMigrated("/sql/");
    const reason = statementUnfit({ name: "0003_vacuum", statement: "vacuum" });
    expect((await group.up()).failure).toContain(reason);
    expect(await group.versions()).toEqual({ a: 1 });
  });

  test("a database that the platform lists twice is migrated and counted once", async () => {
    const group = await oneBehind("a", "b");
    group.wire.trouble = ({ operation }) =>
      operation === "listDatabases"
        ? async ({ forward, send }) => {
            const { status, text } = await forward();
            const answer = JSON.parse(text);
            send(status, JSON.stringify({ ...answer, databases: [...answer.databases, ...answer.databases] }));
          }
        : undefined;
    expect((await group.up()).failure).toBeUndefined();
    expect(await group.outputs()).toMatchObject({ databaseCount: 2, behindCount: 0 });
    expect(await group.versions()).toEqual({ a: 2, b: 2 });
  });

  test("after a failure in another folder, the state says which database is behind", async () => {
    const group = await migratedGroup(["a", "b"]);
    const former = numberedFolder({ "0001_orders": MIGRATIONS["0001_orders"] });
    expect((await group.up({ folder: former.path })).failure).toBeUndefined();
    await addDuplicates(group, "b");
    expect((await group.up()).failure).toContain(advice(1, 0));
    expect(await group.outputs()).toMatchObject({ behindCount: 1, behind: ["b"] });
  });

  describe("Ctrl-C ends an update, which records what it has applied and says what is left:", () => {
    test.each([
      { what: "between two databases", failing: [], migrated: 2, untried: 2, behind: ["c", "d"] },
      { what: "while one fails", failing: ["b"], migrated: 1, untried: 2, behind: ["b", "c", "d"] },
    ])("$what", async ({ failing, migrated, untried, behind }) => {
      const group = await oneBehind("a", "b", "c", "d");
      for (const name of failing) await addDuplicates(group, name);
      const { restorePoint } = await group.outputs();
      await group.api.clock.advance(60);
      const cancel = new AbortController();
      let begun = 0;
      group.wire.trouble = whenMigrating(async () => {
        if (++begun === 2) cancel.abort();
      });
      const { failure } = await group.run(group.program({ parallel: 1 }), { cancelled: cancel.signal });
      const failed = FAILED.slice(0, failing.length);
      const isCancelled = failing.length === 0;
      const told = migrationsFailed({ failed, migrated, untried, isCancelled });
      expect(failure).toContain(told.advice);
      expect(failure).toContain(isCancelled ? told.answer : "UNIQUE constraint failed");
      const outputs = await group.outputs();
      expect(outputs).toMatchObject({ behind });
      expect(outputs.restorePoint).not.toBe(restorePoint);
      group.wire.trouble = undefined;
      for (const name of failing) await group.execute(name, "delete from orders");
      expect((await group.up()).failure).toBeUndefined();
      expect(await group.versions()).toEqual({ a: 2, b: 2, c: 2, d: 2 });
    });
  });

  test("an empty group lacks nothing", async () => {
    const group = await migratedGroup([]);
    expect((await group.up()).failure).toBeUndefined();
    expect(await group.outputs()).toMatchObject({ databaseCount: 0, behindCount: 0, behind: [] });
    expect(await group.preview()).toMatchObject({ changes: [] });
  });

  test("a migration that only one database has is shown, also if the update did not know it", async () => {
    const group = await oneBehind("a", "b");
    group.folder.remove(LAST);
    const hash = "0".repeat(64);
    await group.execute("b", `insert into __dbplatform_migrations values ('0009_other', '${hash}', '')`);
    const reason = appliedMissing({ migration: "0009_other" });
    expect((await group.preview()).failure).toContain(reason);
    expect((await group.up()).failure).toContain(reason);
  });
});

describe("what was applied stays as it was:", () => {
  const first = "0001_orders";

  test("a migration that names the table in which it is listed is refused before anything is applied", async () => {
    const group = await oneBehind("a");
    const statement = "delete from __dbplatform_migrations";
    group.folder.write(LAST, `insert into orders values ('tea'); ${statement}`);
    const reason = statementOfLedger({ name: LAST, statement });
    for (const { failure } of [await group.preview(), await group.up()]) expect(failure).toContain(reason);
    expect(await group.versions()).toEqual({ a: 1 });
  });

  test("a changed file is refused with both hashes, before anything is applied", async () => {
    const group = await oneBehind("a");
    const [applied] = await group.execute("a", "select hash from __dbplatform_migrations");
    group.folder.write(first, "create table other (item text)");
    const reason = migrationChanged({ name: first, applied: String(applied), file: "" }).split(", of the file")[0];
    for (const { failure } of [await group.preview(), await group.up()]) expect(failure).toContain(reason);
    expect(await group.versions()).toEqual({ a: 1 });
  });

  test("a missing file is refused, and accepted once it is back", async () => {
    const group = await oneBehind("a");
    group.folder.remove(first);
    const reason = appliedMissing({ migration: first });
    for (const { failure } of [await group.preview(), await group.up()]) expect(failure).toContain(reason);
    expect(await group.versions()).toEqual({ a: 1 });
    group.folder.write(first, MIGRATIONS[first]);
    expect((await group.up()).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ a: 2 });
  });

  test("a file that comes before an applied one is refused, or applied with `outOfOrder`", async () => {
    const group = await oneBehind("a");
    group.folder.write("0000_late", "create table late (item text)");
    const reason = appliedOutOfOrder({ name: "0000_late", last: first });
    for (const { failure } of [await group.preview(), await group.up()]) expect(failure).toContain(reason);
    expect(await group.versions()).toEqual({ a: 1 });
    expect((await group.up({ outOfOrder: true })).failure).toBeUndefined();
    expect(await group.execute("a", "select name from __dbplatform_migrations order by rowid")).toEqual([
      first,
      "0000_late",
      LAST,
    ]);
    expect(await group.preview()).not.toHaveProperty("failure");
  });

  test("a folder of another kind is refused, also without a preview", async () => {
    const group = await oneBehind("a");
    mkdirSync(join(group.folder.path, "meta"));
    const entries = [{ tag: first, when: 1 }];
    writeFileSync(join(group.folder.path, "meta/_journal.json"), JSON.stringify({ dialect: "sqlite", entries }));
    const reason = tableFixed({ table: "__dbplatform_migrations", wanted: "__drizzle_migrations" });
    for (const { failure } of [await group.preview(), await group.up()]) expect(failure).toContain(reason);
    expect(await group.versions()).toEqual({ a: 1 });
  });

  test("a statement that cannot run in a transaction is refused, before anything is applied", async () => {
    const group = await oneBehind("a");
    group.folder.write("0003_vacuum", "create table other (item text);\nvacuum;");
    const reason = statementUnfit({ name: "0003_vacuum", statement: "vacuum" });
    for (const { failure } of [await group.preview(), await group.up()]) expect(failure).toContain(reason);
    expect(await group.versions()).toEqual({ a: 1 });
  });
});

test("nothing is applied if foreign keys cannot be switched off, because replacing a table could delete rows", async () => {
  const group = await oneBehind("a");
  group.wire.trouble = ({ path }) =>
    path.startsWith("/sql/")
      ? async ({ body, authorization, send }) => {
          const request = body.replace("PRAGMA foreign_keys=off", "refused");
          const headers = { authorization: String(authorization), "content-type": "application/json" };
          const response = await fetch(new URL(path, group.api.url), { method: "POST", headers, body: request });
          send(response.status, await response.text());
        }
      : undefined;
  expect((await group.up()).failure).toContain('near "refused": syntax error');
  expect(await group.versions()).toEqual({ a: 1 });
});

test("an update ends if the rows of applied migrations disappear at once", async () => {
  const group = await oneBehind("a");
  group.folder.write("0003_more", "create table more (item text)");
  await group.execute(
    "a",
    "create trigger forget after insert on __dbplatform_migrations begin delete from __dbplatform_migrations where name = new.name; end",
  );
  expect((await group.up()).failure).toContain(LEDGER_LOST);
  expect(await group.execute("a", "select count(*) from sqlite_schema where name = 'more'")).toEqual([0]);
});

test("a database that was deleted since the preview is not migrated, and not counted as one that lacks nothing", async () => {
  const group = await migratedGroup(["a"]);
  const [database] = await named(group, "a");
  const args = { database: String(database?.id), folder: group.folder.path };
  const program = new Map<string, Declared>([["schema", { type: "DatabaseMigrations", args }]]);
  group.folder.remove(LAST);
  expect((await group.run(program)).failure).toBeUndefined();
  group.folder.write(LAST, MIGRATIONS[LAST]);
  await group.outside.deleteDatabase({ organizationSlug, databaseName: "a" });
  expect((await group.run(program, { readsFirst: false })).failure).toContain(database?.id);
  expect(await group.outputs()).toMatchObject({ databaseCount: 1, migrations: { "0001_orders": expect.any(String) } });
});

test("every spelling of a DbId is the same database, also for a migration that is new", async () => {
  const group = await migratedGroup(["a"]);
  const dbId = String((await group.ids()).a);
  for (const [index, database] of uuidSpellings(dbId).entries()) {
    const args = { database, folder: group.folder.path };
    const program = new Map<string, Declared>([["schema", { type: "DatabaseMigrations", args }]]);
    const name = `${1000 + index}_more`;
    expect((await group.run(program)).failure, database).toBeUndefined();
    group.folder.write(name, `create table more_${index} (item text)`);
    const { said } = await group.run(program, { preview: true });
    expect(said, database).toEqual([pendingMigrations({ migrations: [name], databases: await named(group, "a") })]);
    expect((await group.run(program)).failure, database).toBeUndefined();
    expect(await group.execute("a", "select name from __dbplatform_migrations")).toContain(name);
  }
});

test("what is applied is not forgotten if a database is not found by its DbId", async () => {
  const group = await migratedGroup(["a"]);
  const args = { database: String((await group.ids()).a), folder: group.folder.path };
  const program = new Map<string, Declared>([["schema", { type: "DatabaseMigrations", args }]]);
  group.folder.remove(LAST);
  expect((await group.run(program)).failure).toBeUndefined();
  group.folder.write(LAST, MIGRATIONS[LAST]);
  group.wire.trouble = ({ operation }) =>
    operation === "retrieveDatabaseById" ? ({ send }) => send(404, '{"error":"database not found"}') : undefined;
  expect((await group.run(program, { preview: true })).changes).toMatchObject([{ kind: "update" }]);
});

describe("the preview says what prevents an update:", () => {
  test("writes that are blocked", async () => {
    const group = await migratedGroup(["a", "b"]);
    const block = (block_writes: boolean) =>
      group.outside.updateDatabaseConfiguration({ organizationSlug, databaseName: "b", body: { block_writes } });
    await block(true);
    const [blocked] = (await named(group, "b")).map(writesBlocked);
    expect((await group.preview()).said).toContain(blocked);
    expect((await group.up()).failure).toContain(advice(1, 0));
    expect((await group.preview()).said.join()).toContain(blocked);
    expect(await group.versions()).toEqual({ a: 2, b: 0 });
    await block(false);
    expect((await group.up()).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ a: 2, b: 2 });
  });

  test.each([
    {
      what: "addresses that are not allowed",
      reason: "is not allowed to connect",
      prevent: ({ outside }: MigratedGroup) =>
        outside.updateDatabaseConfiguration({
          organizationSlug,
          databaseName: "a",
          body: { allowed_ips: ["192.0.2.1"] },
        }),
    },
    {
      what: "an archived group",
      reason: "is archived",
      prevent: async ({ api, outside }: MigratedGroup) =>
        archive(api, String((await outside.listGroups({ organizationSlug })).groups[0]?.uuid)),
    },
    {
      what: "databases that do not answer",
      reason: "ECONNRESET",
      prevent: async ({ wire }: MigratedGroup) => {
        wire.trouble = ({ path }) => (path.startsWith("/sql/") ? ({ cut }) => cut() : undefined);
      },
    },
    {
      what: "a credential that may not mint tokens",
      reason: "HTTP 403",
      prevent: async ({ api, stack }: MigratedGroup) => stack.useToken(await api.token({ role: "viewer" })),
    },
  ])("$what", async ({ reason, prevent }) => {
    const group = await oneBehind("a");
    await prevent(group);
    const preview = await group.preview();
    expect(preview.failure).toBeUndefined();
    expect(preview.changes).toMatchObject([{ kind: "update" }]);
    expect(preview.said.join()).toContain(reason);
    expect((await group.up()).failure).toContain(reason);
  });

  test("databases that do not answer, of a new resource", async () => {
    const group = await migratedGroup(["a"]);
    group.wire.trouble = ({ path }) => (path.startsWith("/sql/") ? ({ cut }) => cut() : undefined);
    expect((await group.preview()).said.join()).toContain("ECONNRESET");
    expect((await group.up()).failure).toContain("ECONNRESET");
    group.wire.trouble = undefined;
    expect((await group.up()).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ a: 2 });
  });

  test("a reference API without SQL", async () => {
    const group = await migratedGroup(["a"], { sql: false });
    expect((await group.preview()).said.join()).toContain(REFERENCE_WITHOUT_SQL.answer);
    expect((await group.up()).failure).toContain(REFERENCE_WITHOUT_SQL.answer);
  });

  test("an encrypted database without its key", async () => {
    const { group, key, database } = await encrypted();
    const reason = encryptionKeyMissing({ name: "a", id: database.DbId });
    for (const { failure } of [await group.preview(), await group.up()]) expect(failure).toContain(reason);
    expect(await group.versions()).toEqual({ a: 0 });
    expect((await group.up({ encryptionKey: key })).failure).toBeUndefined();
    expect(await group.versions()).toEqual({ a: 2 });
    // It lacks nothing.
    expect((await group.up()).failure).toBeUndefined();
  });
});

test.each([
  [400, (message: string) => message],
  [200, (message: string) => JSON.stringify({ results: Array(2).fill({ type: "error", error: { message } }) })],
] as const)("the key that a database repeats in an error of HTTP %s is not shown", async (status, errorOf) => {
  const { group, key } = await encrypted();
  group.wire.trouble = ({ path }) =>
    path.startsWith("/sql/") ? ({ send }) => send(status, errorOf(`no key is ${key}`)) : undefined;
  for (const { failure, said } of [
    await group.preview({ encryptionKey: key }),
    await group.up({ encryptionKey: key }),
  ]) {
    expect(String([failure, ...said])).toContain("no key is [credential]");
    expect(String([failure, ...said])).not.toContain(key);
  }
});

/** A group with an encrypted database, and the key of that database. */
async function encrypted() {
  const group = await migratedGroup([]);
  const key = Buffer.alloc(32, 7).toString("base64");
  const remote_encryption = { encryption_cipher: "aegis256", encryption_key: key } as const;
  const body = { name: "a", group: "default", remote_encryption };
  const { database } = await group.outside.createDatabase({ organizationSlug, body });
  return { group, key, database };
}

test("a database that is copied from the restore point has the rows, and not the last migration", async () => {
  const group = await oneBehind("a");
  await group.execute("a", "insert into orders values ('tea')");
  await group.api.clock.advance(60);
  expect((await group.up()).failure).toBeUndefined();
  await group.execute("a", "insert into orders values ('milk', 2)");
  const { restorePoint } = await group.outputs();
  const seed = { type: "database", name: "a", timestamp: String(restorePoint) } as const;
  await group.outside.createDatabase({ organizationSlug, body: { name: "before", group: "default", seed } });
  expect(await group.versions()).toEqual({ a: 2, before: 1 });
  expect(await group.execute("before", "select item from orders")).toEqual(["tea"]);
});

test("an update that only continues another one keeps the restore point", async () => {
  const group = await oneBehind("a", "b");
  await addDuplicates(group, "b");
  await group.api.clock.advance(60);
  expect((await group.up()).failure).toContain(advice(1, 0));
  const { restorePoint } = await group.outputs();
  await group.execute("b", "delete from orders");
  await group.api.clock.advance(60);
  expect((await group.up()).failure).toBeUndefined();
  expect(await group.versions()).toEqual({ a: 2, b: 2 });
  expect((await group.outputs()).restorePoint).toBe(restorePoint);
  const seed = { type: "database", name: "a", timestamp: String(restorePoint) } as const;
  await group.outside.createDatabase({ organizationSlug, body: { name: "before", group: "default", seed } });
  expect((await group.versions()).before).toBe(1);
});
