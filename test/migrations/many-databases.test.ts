// @module-tag more
// @module-tag failures-and-interruptions

import fc from "fast-check";
import { expect, test } from "vitest";
import { full, seeded } from "../full";
import { MIGRATIONS, type MigratedGroup, migratedGroup } from "./migrated-group";

const DATABASES = full ? 1000 : 200;
const FAILING = DATABASES / 100;
const KILLS = full ? 10 : 4;

const NAMES = Array.from({ length: DATABASES }, (_, index) => `db-${String(index).padStart(4, "0")}`);
const [FIRST = "", SECOND = ""] = NAMES;

const DUPLICATES = "insert into orders (item) values ('tea'), ('tea')";

/** Runs an update, whose process is killed at one of its requests, before or after the platform has received it. */
async function killed(group: MigratedGroup, at: number, isReceived: boolean): Promise<string | undefined> {
  const process = new AbortController();
  let requests = 0;
  group.wire.trouble = () => async (exchange) => {
    const isLast = requests++ === at;
    if (isLast && !isReceived) {
      process.abort();
      return exchange.cut();
    }
    const { status, text } = await exchange.forward();
    if (isLast) process.abort();
    if (process.signal.aborted) return exchange.cut();
    exchange.send(status, text);
  };
  const { failure } = await group.run(group.program(), { killed: process.signal });
  group.wire.trouble = undefined;
  return failure;
}

test("every database is at the old version or the new one, whenever an update is killed, and the next update finishes", async () => {
  const group = await migratedGroup(NAMES);
  group.folder.remove("0002_amount");
  expect((await group.up()).failure).toBeUndefined();
  // The last ones, because the first one that lacks a migration decides whether an update goes on.
  const failing = NAMES.slice(-FAILING);
  for (const name of failing) await group.execute(name, DUPLICATES);
  group.folder.write("0002_amount", MIGRATIONS["0002_amount"]);

  // After the second database, the first one fails, so no other one is tried. The state does not name all of them.
  await group.execute(FIRST, DUPLICATES);
  expect((await group.up({ canary: SECOND, parallel: 1 })).failure).toContain((await group.ids())[FIRST]);
  const behind = NAMES.filter((name) => name !== SECOND);
  expect(await group.outputs()).toMatchObject({ behindCount: DATABASES - 1, behind: behind.slice(0, 100) });
  await group.execute(FIRST, "delete from orders");

  // An update reads all databases, and then migrates those that lack the second migration.
  const moments = fc.tuple(fc.integer({ min: DATABASES, max: DATABASES * (1 + 0.8 / KILLS) }), fc.boolean());
  let last = 0;
  for (const [at, isReceived] of fc.sample(moments, { numRuns: KILLS, ...seeded })) {
    expect(await killed(group, at, isReceived), `${at}`).toBeDefined();
    const migrated = Object.values(await group.versions()).filter((version) => version === 2).length;
    expect(migrated, `${at}`).toBeGreaterThanOrEqual(last);
    last = migrated;
  }

  const { failure } = await group.up({ onFailure: "continue" });
  const ids = await group.ids();
  for (const name of failing) expect(failure).toContain(ids[name]);
  const versions = await group.versions();
  expect(NAMES.filter((name) => versions[name] !== 2)).toEqual(failing);
  expect(await group.outputs()).toMatchObject({ databaseCount: DATABASES, behindCount: FAILING, behind: failing });

  for (const name of failing) await group.execute(name, "delete from orders");
  expect((await group.up()).failure).toBeUndefined();
  expect(new Set(Object.values(await group.versions()))).toEqual(new Set([2]));
  expect(await group.outputs()).toMatchObject({ databaseCount: DATABASES, behindCount: 0, behind: [] });
  expect(await group.up()).toMatchObject({ changes: [] });
  const [tokens, records] = [group.tokens(), await group.records()];
  expect(tokens.size).toBeGreaterThan(4);
  for (const token of tokens) expect(records).not.toContain(token);
});
