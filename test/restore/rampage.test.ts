// @module-tag no-database-is-lost

import fc from "fast-check";
import { expect, test } from "vitest";
import { FREE_PLAN } from "../../platform/contract/organization";
import { DOCUMENTED_CODES } from "../../platform/reference/operations/operation";
import { type OpenReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { unreadableAuditLog } from "../../provider/command/messages";
import { planHidesDeleted } from "../../provider/resources/messages";
import type { RestoreOptions } from "../../provider/restore/restore";
import { clientOf } from "../engine/engine-fixture";
import { type FaultyWire, faultyWire } from "../faulty-wire";
import { full, printingFailures, seeded } from "../full";
import {
  acts,
  type Move,
  type PlatformRows,
  type Rampage,
  rampage,
  recordsElsewhere,
  recordsOf,
  rowsIn,
  SEED,
} from "./rampage";
import { type RestoreResult, restoring } from "./restoring";

const RAMPAGES = full ? 250 : 10;
const KILLED = full ? 50 : 2;

type Log = "all codes" | "the documented codes" | "none";

interface Case {
  /** Acts before the window of time. */
  readonly earlier: readonly Move[];
  readonly history: readonly Move[];
  readonly options: Pick<RestoreOptions, "group" | "name" | "by" | "rename">;
  readonly log: Log;
  /** Whether the databases have rows. */
  readonly sql: boolean;
}

const rarely = (...values: readonly string[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });

const sometimes = fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

const cases: fc.Arbitrary<Case> = fc.record({
  earlier: fc.oneof(
    fc.constant([]),
    acts.map((all) => all.slice(0, 10)),
  ),
  history: acts,
  options: fc.record({
    group: rarely("default", "shop"),
    name: rarely("tenant-*", "orders", "shop"),
    by: rarely("ada", "max"),
    rename: fc.constantFrom(undefined, "{name}-restored"),
  }),
  log: fc.constantFrom<Log>("all codes", "the documented codes", "none"),
  sql: sometimes,
});

const NOON = "2026-03-01T12:00:00.000Z";

async function played({ earlier, history, sql }: Case): Promise<Played> {
  const api = await startReferenceApi({ seed: SEED, now: NOON, deterministic: true, sql });
  const before = await rampage(api, earlier);
  await api.advance(10);
  const since = (await api.clock.now()).toISOString();
  await api.advance(1);
  const after = await rampage(api, history, before);
  await api.advance(10);
  return { api, since, ...after };
}

/** Lets the audit log show only some codes, or nothing. */
function cutLog(wire: FaultyWire, log: Log): void {
  const codes: readonly string[] = DOCUMENTED_CODES;
  wire.trouble = ({ operation }) =>
    operation !== "listAuditLogs" || log === "all codes"
      ? undefined
      : log === "none"
        ? ({ send }) => send(403, JSON.stringify({ error: "forbidden" }))
        : async ({ forward, send }) => {
            const { status, text } = await forward();
            const { audit_logs, ...rest } = JSON.parse(text);
            const shown = audit_logs?.filter(({ code }: { readonly code: string }) => codes.includes(code));
            send(status, JSON.stringify({ audit_logs: shown, ...rest }));
          };
}

interface Played extends Rampage {
  readonly api: OpenReferenceApi;
  readonly since: string;
}

test("brings back everything that can come back, changes nothing that lives, and names the rest", async () => {
  await fc.assert(
    fc.asyncProperty(
      cases,
      printingFailures(async (wanted: Case) => {
        const scene = await played(wanted);
        const wire = await faultyWire(scene.api.url);
        try {
          cutLog(wire, wanted.log);
          await judge(wanted, scene, wire);
        } finally {
          await wire.close();
          await scene.api.close();
        }
      }),
    ),
    { numRuns: RAMPAGES, ...seeded },
  );
});

async function judge({ options, log }: Case, scene: Played, wire: FaultyWire): Promise<void> {
  const { api, since } = scene;
  const before = await recordsOf(api);
  const elsewhere = await recordsElsewhere(api);
  const given = { since: { at: since }, ...options, json: true as const };
  const planned = await restoring(api, given, wire.url);
  expect(await recordsOf(api)).toEqual(before);
  const result = await restoring(api, { ...given, yes: true }, wire.url);
  const after = await recordsOf(api);
  expect(await recordsElsewhere(api)).toEqual(elsewhere);
  await assertRowsKept(scene, after);
  if (result.failure !== undefined) {
    expect(after).toEqual(before);
    const isFree = (await planOf(api)) === FREE_PLAN;
    if (isFree) expect(result.failure).toBe(planHidesDeleted({ organization: "acme" }));
    if (!isFree) expect([options.by !== undefined, log]).toEqual([true, "none"]);
    if (!isFree) expect(result.failure).toContain(unreadableAuditLog({ option: "--by", cause: "" }));
    return;
  }
  expect(planned.json?.restores.map(({ id }) => id)).toEqual(result.json?.restores.map(({ id }) => id));
  expect(planned.json?.refused).toEqual(result.json?.refused);
  assertLivingUnchanged(before, after);
  assertOnlyChosenIsBack(scene, options, before, after);
  assertNamed(scene, options, before, after, result);
  await assertRestIsImpossible(scene, after, result);
}

const planOf = ({ store, organizationId }: OpenReferenceApi) =>
  store.read(async (state) => {
    const [row] = await state.selectFrom("organizations").select("plan").where("id", "=", organizationId).execute();
    return row?.plan;
  });

type Row = PlatformRows["groups"][number] | PlatformRows["databases"][number];

const allOf = ({ groups, databases }: PlatformRows): readonly Row[] => [...groups, ...databases];
const isLive = ({ deleted_at }: Row): boolean => deleted_at === null;
const byId = (rows: PlatformRows) => new Map(allOf(rows).map((row) => [row.id, row]));

function assertLivingUnchanged(before: PlatformRows, after: PlatformRows): void {
  const now = byId(after);
  // Restoring a group also ends the wish of its deleted databases to return with it, which is no change of a live one.
  for (const row of allOf(before).filter(isLive)) expect(now.get(row.id)).toEqual(row);
}

/** Every live database has the rows that were written into it, whether or not it was deleted in between. */
async function assertRowsKept({ api, written }: Played, { databases }: PlatformRows): Promise<void> {
  if (api.sql === undefined) return;
  for (const database of databases.filter(isLive))
    expect(await rowsIn(api, database), database.name).toEqual(written.get(database.id) ?? []);
}

/** Returns whether the options choose an object. */
function fits(
  row: Row,
  { since, deletedBy }: Played,
  { group, name, by }: Case["options"],
  rows: PlatformRows,
): boolean {
  if (row.deleted_at === null || row.deleted_at < since) return false;
  const place = "group_id" in row ? rows.groups.find(({ id }) => id === row.group_id) : row;
  if (group !== undefined && place?.name !== group) return false;
  if (name !== undefined && !(name.endsWith("*") ? row.name.startsWith(name.slice(0, -1)) : row.name === name))
    return false;
  return by === undefined || deletedBy.get(row.id) === by;
}

/** Returns whether an object comes back with another one that was chosen. */
function comesAlong(
  row: Row,
  scene: Played,
  options: Case["options"],
  before: PlatformRows,
  after: PlatformRows,
): boolean {
  if ("group_id" in row) {
    const group = before.groups.find(({ id }) => id === row.group_id);
    return group !== undefined && row.returns_with_group === 1 && fits(group, scene, options, before);
  }
  const now = byId(after);
  return before.databases.some(
    (database) =>
      database.group_id === row.id &&
      database.group_deleted_at !== null &&
      fits(database, scene, options, before) &&
      now.get(database.id)?.deleted_at === null,
  );
}

function assertOnlyChosenIsBack(
  scene: Played,
  options: Case["options"],
  before: PlatformRows,
  after: PlatformRows,
): void {
  const old = byId(before);
  const live = allOf(after).filter(isLive);
  for (const row of live) {
    const was = old.get(row.id) as Row;
    if (isLive(was)) continue;
    expect(fits(was, scene, options, before) || comesAlong(was, scene, options, before, after), row.name).toBe(true);
    if (row.name === was.name) continue;
    expect(row.name).toBe(options.rename?.replace("{name}", was.name));
    // It keeps its name unless another database has it.
    expect(live.map(({ name }) => name)).toContain(was.name);
  }
}

/** Every chosen object is named once, either as restored or with a reason, and the report is true. */
function assertNamed(
  scene: Played,
  options: Case["options"],
  before: PlatformRows,
  after: PlatformRows,
  { json, code }: RestoreResult,
): void {
  const now = byId(after);
  const named = [...(json?.restores ?? []), ...(json?.refused ?? [])];
  expect(new Set(named.map(({ id }) => id)).size).toBe(named.length);
  for (const { id, restored, reason, failure } of named) {
    expect(now.get(id)?.deleted_at === null, `${id} ${reason} ${failure}`).toBe(restored === true);
    if (restored) continue;
    expect(reason ?? failure).toMatch(/./);
    // The reason speaks of objects that there are.
    for (const [other] of (reason ?? failure ?? "").matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g))
      if (other !== scene.api.organizationId) expect(now.has(other), reason).toBe(true);
  }
  const ids = new Set(named.map(({ id }) => id));
  const oldest = new Date(Date.parse(json?.until ?? "") - 1000 - 5 * 86_400_000).toISOString();
  for (const row of allOf(before))
    if (fits(row, scene, options, before) && (row.deleted_at ?? "") >= oldest)
      expect(ids.has(row.id), row.name).toBe(true);
  expect(code).toBe(named.every(({ restored }) => restored) ? 0 : 7);
  const back = after.groups.filter(
    (row) => isLive(row) && before.groups.some((was) => was.id === row.id && !isLive(was)),
  );
  expect(json?.groupsWhoseTokensAreLost).toEqual(back.map(({ name }) => name).sort());
}

/** The platform itself refuses to restore what the command left deleted, unless nobody proves who deleted it. */
async function assertRestIsImpossible(
  { api, since }: Played,
  after: PlatformRows,
  { json }: RestoreResult,
): Promise<void> {
  const owner = clientOf(api, api.apiToken);
  const id = { organizationId: api.organizationId };
  const old = byId(after);
  for (const refused of [...(json?.refused ?? []), ...(json?.restores.filter(({ restored }) => !restored) ?? [])]) {
    if (refused.reason?.includes("audit log")) continue;
    const row = old.get(refused.id) as Row;
    expect(row.deleted_at && row.deleted_at >= since).toBe(true);
    const attempt =
      "group_id" in row
        ? owner.restoreDatabase({ ...id, databaseId: row.id })
        : owner.restoreGroup({ ...id, groupId: row.id });
    await expect(attempt, `${row.name} ${refused.reason}`).rejects.toThrow();
    const holder = allOf(after).find(
      (other) => isLive(other) && other.name === row.name && "group_id" in other === "group_id" in row,
    );
    const restoredHolder = holder && json?.restores.find((each) => each.id === holder.id && each.newName === undefined);
    // Of two databases with one name, the newer one gets it, unless its group does not come back by itself.
    const hasGroup =
      !("group_id" in row) ||
      (after.groups.some((group) => group.id === row.group_id && isLive(group)) &&
        !json?.restores.some(({ id, restoredWith }) => id === row.group_id && restoredWith === "database"));
    if (restoredHolder && hasGroup) expect(restoredHolder.deletedAt >= (row.deleted_at ?? "")).toBe(true);
  }
}

/** Lets the platform process the last request without an answer, and none after it, as if the command were killed. */
function dieAt(last: number, wire: FaultyWire): void {
  let asked = 0;
  wire.trouble = () => {
    asked++;
    if (asked < last) return undefined;
    const isProcessed = asked === last;
    return async ({ forward, cut }) => {
      if (isProcessed) await forward();
      cut();
    };
  };
}

test("ends in the same state if it is killed at any request and run again", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        history: acts,
        rename: fc.constantFrom(undefined, "{name}-restored"),
        sql: full ? sometimes : fc.constant(false),
      }),
      printingFailures(async ({ history, rename, sql }) => {
        const wanted: Case = { earlier: [], history, options: { rename }, log: "all codes", sql };
        const uninterrupted = await played(wanted);
        const options = { since: { at: uninterrupted.since }, rename, yes: true, json: true } as const;
        const counting = await faultyWire(uninterrupted.api.url);
        await restoring(uninterrupted.api, options, counting.url);
        const requests = counting.requests.length;
        await counting.close();
        const expected = await recordsOf(uninterrupted.api);
        await uninterrupted.api.close();
        for (let last = 1; last <= requests; last++) {
          const scene = await played(wanted);
          const { api } = scene;
          const wire = await faultyWire(api.url);
          dieAt(last, wire);
          await restoring(api, options, wire.url);
          await wire.heal();
          await restoring(api, options, wire.url);
          const records = await recordsOf(api);
          expect(records, `killed at ${last} of ${requests} requests`).toEqual(expected);
          await assertRowsKept(scene, records);
          await wire.close();
          await api.close();
        }
      }),
    ),
    { numRuns: KILLED, ...seeded },
  );
});
