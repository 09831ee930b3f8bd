// @module-tag more
// @module-tag failures-and-interruptions

import { describe, expect, test } from "vitest";
import { migrationFailed, migrationsFailed } from "../../provider/resources/migrations/messages";
import type { Exchange } from "../faulty-wire";
import { full } from "../full";
import { LOSSES, type RequestFault } from "../request-faults";
import { MIGRATIONS, type MigratedGroup, migratedGroup } from "./migrated-group";

const refused =
  (status: number) =>
  ({ send }: Exchange) =>
    send(status, `{"error":"refused with ${status}"}`);

const FAULTS: Readonly<Record<string, RequestFault>> = {
  ...LOSSES,
  "that is lost": ({ cut }) => cut(),
  "that is refused with 400": refused(400),
  "that is refused with 401": refused(401),
  "that is refused with 403": refused(403),
  "that is refused with 429": refused(429),
  "that fails with 500": refused(500),
  "that fails with 503": refused(503),
  "that is answered with nonsense": async ({ forward, send }) => {
    await forward();
    send(200, '{"results":[]}');
  },
};

/** Runs an update, and returns how many requests it has sent. */
async function upWithFault(group: MigratedGroup, kind: string, at: number) {
  const process = new AbortController();
  let [requests, isLost] = [0, false];
  group.wire.trouble = () => async (exchange) => {
    if (isLost) return exchange.cut();
    if (requests++ === at)
      return FAULTS[kind]?.(exchange, {
        kill: () => process.abort(),
        lose: () => {
          isLost = true;
        },
      });
    const { status, text } = await exchange.forward();
    exchange.send(status, text);
  };
  const ended = await group.run(group.program(), { killed: process.signal });
  group.wire.trouble = undefined;
  return { ...ended, requests };
}

/** Asserts that no database is between two versions, and that the report of an update says which has which. */
async function assertTrue(group: MigratedGroup, failure: string | undefined, kind: string): Promise<void> {
  const [versions, ids] = [await group.versions(), await group.ids()];
  const all = Object.entries(versions).sort();
  const migrated = all.filter(([, version]) => version === 2).length;
  // A process that was killed reports nothing, and neither does an update that has not begun.
  if (kind.endsWith("killed") || all.every(([, version]) => version === 0)) return;
  if (failure === undefined) return expect(migrated, group.told()).toBe(all.length);
  const reported = all
    .filter(([name]) => failure.includes(String(ids[name])))
    .map(([name, version]) => {
      const id = String(ids[name]);
      const [applied, next] = [version - 1, version].map((index) =>
        failure.includes(
          `"${name}" (${id}): ${migrationFailed({ name: String(Object.keys(MIGRATIONS)[index]), reason: "" })}`,
        ),
      );
      expect(applied || next, group.told()).toBe(true);
      return { name, id, reason: "", mayBeApplied: applied };
    });
  const others = all.filter(([name]) => !reported.some((one) => one.name === name));
  const counts = {
    migrated: others.filter(([, version]) => version === 2).length,
    untried: others.filter(([, version]) => version === 0).length,
  };
  // An uncertain failure may have had no effect, but one that had an effect must be reported as uncertain.
  const reports = Array.from({ length: 2 ** reported.length }, (_, bits) => {
    const failed = reported.map((one, index) => ({ ...one, isUncertain: ((bits >> index) & 1) === 1 }));
    const isTrue = failed.every(({ mayBeApplied, isUncertain }) => isUncertain || !mayBeApplied);
    return isTrue ? [migrationsFailed({ failed, ...counts })] : [];
  }).flat();
  expect(
    reports.filter(({ advice }) => failure.includes(advice)),
    group.told(),
  ).toHaveLength(1);
}

/** Migrates three databases with a fault. Returns how many requests there were. */
async function migrateWithFault(kind: string, at: number): Promise<number> {
  const group = await migratedGroup(["a", "b", "c"]);
  const { requests, failure } = await upWithFault(group, kind, at);
  await assertTrue(group, failure, kind);
  const second = await group.up();
  expect(second.failure, group.told()).toBeUndefined();
  expect(await group.versions(), group.told()).toEqual({ a: 2, b: 2, c: 2 });
  expect(await group.up(), group.told()).toMatchObject({ changes: [] });
  expect(await group.outputs()).toMatchObject({ databaseCount: 3, behindCount: 0, behind: [] });
  await group.close();
  return requests;
}

describe("each migration is applied wholly or not at all, and the next update finishes", () => {
  test.each(Object.keys(FAULTS).map((kind, index) => ({ kind, index })))(
    "a request $kind",
    async ({ kind, index }) => {
      let at = full ? 0 : index % 3;
      while (at < (await migrateWithFault(kind, at))) at += full ? 1 : 3;
      expect(at).toBeGreaterThan(10);
    },
    600_000,
  );
});
