import fc from "fast-check";
import { expect, test } from "vitest";
import { AuditLog } from "../../platform/client/audit-log/audit-log";
import { creatorOf, type Deed, deleterOf, type Search, setterOf } from "../../platform/client/audit-log/authors";
import { full } from "../full";
import { happen, history, type Thing, type World } from "./audit-log-history";

/** Searches the audit log of a generated history, `pageSize` entries at a time. */
function find(search: Search, { log, now }: World, pageSize: number): Promise<Deed | undefined> {
  const total_pages = Math.ceil(log.length / pageSize);
  return new AuditLog().find(search, {
    now: () => now,
    fetch: async ({ page }) => ({
      audit_logs: log.slice((page - 1) * pageSize, page * pageSize),
      pagination: { page, page_size: pageSize, total_pages, total_rows: log.length },
    }),
  });
}

const deleter = (thing: Thing) =>
  thing.deletedWithGroup && thing.group
    ? deleterOf(thing.group, new Date(thing.deletedAt ?? 0).toISOString())
    : deleterOf(thing, new Date(thing.deletedAt ?? 0).toISOString());

const userOf = ({ author, origin }: Pick<Deed, "author" | "origin">) => ({ author, origin });

// Promise: All drift is shown
test("never names the wrong author, for any history and any gaps in the audit log", async () => {
  const named = { deletions: 0, changes: 0, creations: 0 };
  await fc.assert(
    fc.asyncProperty(history, fc.constantFrom(4, 15, 100), async (steps, pageSize) => {
      const world = happen(steps);
      for (const thing of world.things) {
        const creator = await find(creatorOf(thing), world, pageSize);
        if (creator) expect(userOf(creator)).toEqual(thing.creator);
        if (creator) named.creations++;
        if (thing.deletedAt !== undefined) {
          const found = await find(deleter(thing), world, pageSize);
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
    { numRuns: full ? 100_000 : 5_000 },
  );
  expect(Math.min(...Object.values(named))).toBeGreaterThan(100);
});
