import fc from "fast-check";
import { expect, test } from "vitest";
import { GradualList } from "../../platform/client/gradual-list";
import { eachPage } from "../../platform/client/pages";
import type { Seed } from "../../platform/reference/seed/seed";
import { create } from "../../provider/lifecycle/create";
import { readManaged } from "../../provider/lifecycle/read";
import { database } from "../../provider/resources/database";
import { clientOf } from "../engine/world";
import { session } from "./session";

const AT_FIRST = 5;

const PAGE = 10;

/** Numbered items. */
function pages(count: number, asked: number[]) {
  return eachPage(async ({ cursor = "0" }) => {
    const [begin, end] = [Number(cursor), Number(cursor) + PAGE];
    asked.push(begin);
    const items = Array.from({ length: Math.min(end, count) - begin }, (_, index) => begin + index);
    return { items, pagination: { next: end < count ? String(end) : null } };
  });
}

test("no more pages are asked for than five or than there are looks, each once, and what they hold is found", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(200), fc.array(fc.nat(250), { maxLength: 20 }), async (count, looks) => {
      const asked: number[] = [];
      const known = new Set<number>();
      const list = await GradualList.read(pages(count, asked), ({ items }) => {
        for (const item of items) known.add(item);
      });
      const found = await Promise.all(looks.map((item) => list.look(() => known.has(item) || undefined)));
      expect(asked.length).toBeLessThanOrEqual(Math.max(AT_FIRST, looks.length));
      expect(new Set(asked).size).toBe(asked.length);
      for (const [index, item] of looks.entries()) {
        const reachable = Math.min(count, PAGE * Math.max(AT_FIRST, index + 1));
        if (item < reachable) expect(found[index]).toBe(true);
        if (item >= count) expect(found[index]).toBeUndefined();
      }
      expect(list.isWhole).toBe(known.size === count);
    }),
  );
});

test("a page that fails is told to whoever waits for it; what was read stays, and is not taken for all", async () => {
  const known = new Set<number>();
  const all = eachPage(async ({ cursor = "0" }) => {
    if (cursor === "5") throw new Error("no more");
    return { item: Number(cursor), pagination: { next: String(Number(cursor) + 1) } };
  });
  const list = await GradualList.read(all, ({ item }) => known.add(item));
  const look = (item: number) => list.look(() => known.has(item) || undefined);
  for (let looks = 0; looks < AT_FIRST; looks++) expect(await look(7)).toBeUndefined();
  await expect(look(7)).rejects.toThrow("no more");
  expect(await look(3)).toBe(true);
  expect(await look(7)).toBeUndefined();
  expect(list.isWhole).toBe(false);
});

test("in an organization of 7,000 databases, many resources cost a page for each thousand databases, and one costs five pages and itself", async () => {
  const here = await session({}, { seed: manyDatabases(7000) });
  const outside = clientOf(here.api, here.api.apiToken);
  const { databases } = await outside.listDatabases({ organizationSlug: "acme" });
  const managed = databases.map(({ DbId, Name }) => {
    const inputs = { name: Name, group: "default" };
    return { id: DbId, inputs, state: { ...inputs, dbId: DbId, organizationId: here.api.organizationId } };
  });
  const last = managed.at(-1);
  if (!last) throw new Error("there are no databases");

  here.asked();
  const many = here.again();
  await Promise.all(managed.slice(-500).map((each) => readManaged(database, each, many)));
  // Those that came before it was clear that there are so many.
  const { retrieveDatabaseById, ...lists } = countsOf(here.asked());
  expect(retrieveDatabaseById).toBeLessThanOrEqual(AT_FIRST);
  expect(lists).toEqual({ retrieveOrganization: 1, listDatabases: 7, listDeletedDatabases: 1 });

  const wanted = Array.from({ length: 50 }, (_, index) => ({ name: `new-${index}`, group: "default" }));
  const context = here.again();
  await Promise.all(wanted.map((args) => create(database, args, context)));
  expect(countsOf(here.asked())).toEqual({
    retrieveOrganization: 1,
    listDatabases: 7,
    listGroups: 1,
    createDatabase: 50,
  });

  await readManaged(database, last, here.again());
  expect(countsOf(here.asked())).toMatchObject({ listDatabases: 5, retrieveDatabaseById: 1 });
});

const manyDatabases = (count: number): Seed => ({
  users: [{ username: "ada" }],
  organizations: [
    {
      slug: "acme",
      plan: "scaler",
      members: [{ username: "ada", role: "owner" }],
      groups: [{ name: "default" }],
      databases: Array.from({ length: count }, (_, index) => ({ name: `db-${index}` })),
    },
  ],
});

function countsOf(operations: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const operation of operations) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}
