// @module-tag more
// @module-tag no-database-is-lost
// @module-tag failures-and-interruptions

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startReferenceApi } from "../../platform/reference/server";
import { clientOf } from "../engine/engine-fixture";
import { connect, fill, namesIn } from "../engine/rows";
import { SEED } from "../engine/seed";
import type { Program } from "../fake-engine/declared-program";
import type { Ended } from "../fake-engine/declared-stack";
import { fakeStack } from "../fake-engine/fake-engine";
import { faultyWire } from "../faulty-wire";
import { full, printingFailures, seeded } from "../full";
import { LOSSES, type RequestFault } from "../request-faults";
import { aDatabase, type Declarations } from "../stories/declarations";
import { organizationSlug } from "../stories/outside";

const programOf = (declared: Declarations) => new Map(Object.entries(declared));
const named = (name: string, more: object = {}) =>
  programOf({ orders: aDatabase({ name, group: "default", ...more }) });

const FAULTS: Readonly<Record<string, RequestFault>> = {
  ...LOSSES,
  "that is refused": ({ send }) => send(400, '{"error":"not now"}'),
  "that fails": ({ send }) => send(500, '{"error":"broken"}'),
};

const NEXT = {
  "goes on": named("sales", { keepData: true }),
  "is undone": named("orders"),
  "is undone, and keeps data": named("orders", { keepData: true }),
  "wants another name": named("takings", { keepData: true }),
};

interface Step {
  readonly program: Program;
  /** The fault, and the number of the request that it strikes, from 0. Absent if the update is not disturbed. */
  readonly fault?: { readonly kind: string; readonly at: number };
}

/** A stack with one database, to which an application writes before each request of an update. */
async function openShop() {
  const api = await startReferenceApi({ seed: SEED, sql: true });
  const outside = clientOf(api, api.apiToken);
  const wire = await faultyWire(api.url);
  const stack = fakeStack({ api, baseUrl: wire.url });
  expect((await stack.run(named("orders"), { preview: false })).failure).toBeUndefined();
  const idNow = async () => String((await stack.managed()).get("orders")?.id);
  const { jwt } = await outside.createGroupToken({ organizationSlug, groupName: "default" });
  const acknowledged: string[] = [];
  let known = await idNow();
  await fill(connect(api, known, jwt));
  const shop = {
    idNow,
    async close() {
      await stack.close();
      await wire.close();
      await api.close();
    },
    /** Everything that the runs have said. */
    said: [] as Ended[],
    async write(): Promise<boolean> {
      const name = `row ${String(acknowledged.length).padStart(4, "0")}`;
      const client = connect(api, known, jwt);
      const written = client.execute({ sql: "insert into orders values (?)", args: [name] });
      const isWritten = await written.then(
        () => true,
        () => false,
      );
      if (isWritten) acknowledged.push(name);
      return isWritten;
    },
    /** Runs an update. Afterwards the application writes to the database in the state. */
    async up({ program, fault }: Step): Promise<Ended & { readonly requests: number }> {
      const process = new AbortController();
      let [requests, isLost] = [0, false];
      wire.trouble = () => async (exchange) => {
        await shop.write();
        if (isLost) return exchange.cut();
        if (requests++ === fault?.at)
          return FAULTS[fault.kind]?.(exchange, {
            kill: () => process.abort(),
            lose: () => {
              isLost = true;
            },
          });
        const { status, text } = await exchange.forward();
        exchange.send(status, text);
      };
      const ended = await stack.run(program, { preview: false, killed: process.signal });
      wire.trouble = undefined;
      known = await idNow();
      shop.said.push(ended);
      return { ...ended, requests };
    },
    async preview(program: Program): Promise<Ended> {
      const ended = await stack.run(program, { preview: true });
      shop.said.push(ended);
      return ended;
    },
    /** Deletes the copies that a message has named, as a user does who has read it. */
    async deleteNamedCopies(): Promise<void> {
      for (const { DbId: databaseId } of await shop.otherDatabases())
        if (shop.told().includes(copyLeftOf(databaseId)))
          await outside.deleteDatabaseById({ organizationId: api.organizationId, databaseId });
    },
    told: () => JSON.stringify(shop.said, undefined, 1),
    otherDatabases: async () =>
      (await outside.listDatabases({ organizationSlug })).databases.filter(({ DbId }) => DbId !== known),
    async assertWhole(): Promise<void> {
      const told = shop.told();
      expect(await shop.write(), `the database of the stack accepts writes\n${told}`).toBe(true);
      expect(await namesIn(connect(api, known, jwt)), told).toEqual(acknowledged);
      const others = await shop.otherDatabases();
      const open = others.filter(({ DbId, block_writes }) => !block_writes && !told.includes(copyLeftOf(DbId)));
      expect(
        open.map(({ Name }) => Name),
        told,
      ).toEqual([]);
      expect(
        others.map(({ Name }) => Name).filter((name) => name.startsWith("copy-of-")),
        told,
      ).toEqual([]);
    },
  };
  return shop;
}

type Shop = Awaited<ReturnType<typeof openShop>>;

/** The beginning of the sentence about a copy that nothing manages. */
const copyLeftOf = (id: string): string => `(${id}) is a copy of`;

interface Interruption {
  readonly kind: string;
  readonly at: number;
  readonly next: keyof typeof NEXT;
}

/** Renames a database, with an interruption. Returns how many requests there were. */
async function renameWhileWriting(interruption: Interruption): Promise<number> {
  const shop = await openShop();
  return renameIn(shop, interruption).finally(shop.close);
}

async function renameIn(shop: Shop, { next, ...fault }: Interruption): Promise<number> {
  const original = await shop.idNow();
  const { requests } = await shop.up({ program: NEXT["goes on"], fault });
  // A program that no longer keeps the data leaves it behind on purpose, once the new database is in the state.
  if (next === "is undone" && (await shop.idNow()) !== original) return requests;
  const program = NEXT[next];
  const preview = await shop.preview(program);
  let second = await shop.up({ program });
  expect(preview.failure === undefined, shop.told()).toBe(second.failure === undefined);
  if (second.failure !== undefined) {
    // The old database still has its name.
    expect(second.failure, shop.told()).toContain("orders");
    await shop.up({ program: NEXT["goes on"] });
    second = await shop.up({ program });
  }
  expect(second.failure, shop.told()).toBeUndefined();
  await shop.assertWhole();
  expect(await shop.up({ program }), shop.told()).toMatchObject({ changes: [] });
  return requests;
}

describe.each(Object.keys(NEXT) as (keyof typeof NEXT)[])(
  "after a rename that keeps the data, and then %s,",
  (next) => {
    test.each(Object.keys(FAULTS).map((kind, index) => ({ kind, index })))(
      "no row is lost and one database accepts writes: a request $kind",
      async ({ kind, index }) => {
        let at = full ? 0 : index % 4;
        while (at < (await renameWhileWriting({ kind, at, next }))) at += full ? 1 : 4;
        expect(at).toBeGreaterThan(10);
      },
      600_000,
    );
  },
);

const steps = fc.array(
  fc.record({
    program: fc.constantFrom("orders", "sales", "takings").map((name) => named(name, { keepData: true })),
    fault: fc.option(
      fc.record({ kind: fc.constantFrom(...Object.keys(FAULTS)), at: fc.integer({ min: 0, max: 24 }) }),
      { nil: undefined },
    ),
  }),
  { minLength: 2, maxLength: 5 },
);

async function renameOften(shop: Shop, taken: readonly Step[]): Promise<void> {
  for (const { program, fault } of taken) await shop.up({ program, ...(fault && { fault }) });
  const program = taken.at(-1)?.program ?? named("orders");
  let last = await shop.up({ program });
  for (let again = 0; again < 3 && last.failure !== undefined; again += 1) {
    // An old database or a copy that is left may have the name.
    expect(await shop.otherDatabases(), shop.told()).not.toEqual([]);
    await shop.deleteNamedCopies();
    await shop.up({ program: named("present", { keepData: true }) });
    await shop.deleteNamedCopies();
    last = await shop.up({ program });
  }
  expect(last.failure, shop.told()).toBeUndefined();
  await shop.assertWhole();
}

test("no row is lost and one database accepts writes, whatever names follow each other with what interruptions", async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      printingFailures(async (taken) => {
        const shop = await openShop();
        await renameOften(shop, taken).finally(shop.close);
      }),
    ),
    { numRuns: full ? 300 : 20, ...seeded },
  );
}, 3_600_000);
