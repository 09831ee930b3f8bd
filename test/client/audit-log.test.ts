// @module-tag all-drift-is-shown

import fc from "fast-check";
import { expect, test } from "vitest";
import { AuditLog } from "../../provider/client/audit-log/audit-log";
import { type Deed, deleterOf, type Search, setterOf } from "../../provider/client/audit-log/authors";
import { findCreations, findDeletions } from "../../provider/client/audit-log/history";
import { full } from "../full";
import { CONTRADICTED, type HistoryObject, happen, history, type World } from "./audit-log-history";

const pageOf = ({ log }: World, pageSize: number, page: number) => ({
  audit_logs: log.slice((page - 1) * pageSize, page * pageSize),
  pagination: { page, page_size: pageSize, total_pages: Math.ceil(log.length / pageSize), total_rows: log.length },
});

/** Searches a generated audit log that returns `pageSize` entries per page. */
const find = (search: Search, world: World, pageSize: number): Promise<Deed | undefined> =>
  new AuditLog().find(search, { now: () => world.now, fetch: async ({ page }) => pageOf(world, pageSize, page) });

async function* pagesOf(world: World, pageSize: number) {
  for (let page = 1; (page - 1) * pageSize < world.log.length; page++) yield pageOf(world, pageSize, page);
}

/** Returns the group of a deleted object if both were deleted together, and the object itself otherwise. */
const deletedOf = (thing: HistoryObject) => ({
  ...(thing.deletedWithGroup && thing.group ? thing.group : thing),
  deletedAt: new Date(thing.deletedAt ?? 0).toISOString(),
  thing,
});

const userOf = ({ author, origin }: Pick<Deed, "author" | "origin">) => ({ author, origin });

test("never names the wrong author, whatever the history and the gaps in the audit log", async () => {
  const named = { deletions: 0, changes: 0, creations: 0, mintings: 0, listed: 0 };
  await fc.assert(
    fc.asyncProperty(history, fc.constantFrom(4, 15, 100), async (steps, pageSize) => {
      const world = happen(steps);
      for (const [thing, { createdBy }] of await findCreations(world.things, pagesOf(world, pageSize))) {
        if (createdBy === undefined) continue;
        expect(createdBy).toBe(thing.creator.author);
        named[thing.kind === "token" ? "mintings" : "creations"]++;
      }
      const deleted = world.things.filter(({ deletedAt }) => deletedAt !== undefined).map(deletedOf);
      for (const [{ thing }, by] of await findDeletions(deleted, pagesOf(world, pageSize), world.now)) {
        expect(userOf(by)).toEqual(thing.deleter);
        named.listed++;
      }
      for (const thing of world.things) {
        if (thing.deletedAt !== undefined) {
          const deleted = deletedOf(thing);
          const found = await find(deleterOf(deleted, deleted.deletedAt), world, pageSize);
          if (found) expect(userOf(found)).toEqual(thing.deleter);
          if (found) named.deletions++;
        } else
          for (const [setting, { value, setters }] of Object.entries(thing.settings)) {
            const found = await find(setterOf(thing, { [setting]: (given) => given === value }), world, pageSize);
            if (found) expect(setters.map(userOf)).toContainEqual(userOf(found));
            if (found) named.changes++;
          }
      }
    }),
    { numRuns: full ? 100_000 : 5_000, examples: [[CONTRADICTED, 4]] },
  );
  expect(Math.min(...Object.values(named))).toBeGreaterThan(100);
});

test("finds the same deletions page by page, without reading pages that can change nothing", async () => {
  let [read, left] = [0, 0];
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const world = happen(steps);
      const deleted = world.things.filter(({ deletedAt }) => deletedAt !== undefined).map(deletedOf);
      let pages = 0;
      async function* counted() {
        for await (const page of pagesOf(world, 4)) {
          pages++;
          yield page;
        }
      }
      const found = await findDeletions(deleted, counted(), world.now);
      const inOnePage = await findDeletions(deleted, pagesOf(world, 10_000), world.now);
      expect(new Set([...found].map(([{ thing }]) => thing))).toEqual(
        new Set([...inOnePage].map(([{ thing }]) => thing)),
      );
      read += pages;
      left += Math.ceil(world.log.length / 4) - pages;
    }),
    { numRuns: 500 },
  );
  expect(read).toBeGreaterThan(100);
  expect(left).toBeGreaterThan(100);
});
