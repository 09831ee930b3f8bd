// @module-tag no-database-is-lost
// @module-tag no-false-differences

import fc from "fast-check";
import { expect, test } from "vitest";
import { eachPage } from "../pages";
import { LazyPagedList } from "./lazy-paged-list";

const AT_FIRST = 5;

const PAGE = 10;

/**
 * Returns a function that loads numbered items page by page, and adds the first number of each loaded page to `asked`.
 */
function pages(count: number, asked: number[]) {
  return eachPage(async ({ cursor = "0" }) => {
    const [begin, end] = [Number(cursor), Number(cursor) + PAGE];
    asked.push(begin);
    const items = Array.from({ length: Math.min(end, count) - begin }, (_, index) => begin + index);
    return { items, pagination: { next: end < count ? String(end) : null } };
  });
}

test("reads up to five pages at first, then at most one page per lookup, and never a page twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(200), fc.array(fc.nat(250), { maxLength: 20 }), async (count, looks) => {
      const asked: number[] = [];
      const known = new Set<number>();
      const list = await LazyPagedList.read(pages(count, asked), ({ items }) => {
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

test("reports a failed page to the callers that wait for it, and marks the list as incomplete", async () => {
  const known = new Set<number>();
  const all = eachPage(async ({ cursor = "0" }) => {
    if (cursor === "5") throw new Error("no more");
    return { item: Number(cursor), pagination: { next: String(Number(cursor) + 1) } };
  });
  const list = await LazyPagedList.read(all, ({ item }) => known.add(item));
  const look = (item: number) => list.look(() => known.has(item) || undefined);
  for (let looks = 0; looks < AT_FIRST; looks++) expect(await look(7)).toBeUndefined();
  await expect(look(7)).rejects.toThrow("no more");
  expect(await look(3)).toBe(true);
  expect(await look(7)).toBeUndefined();
  expect(list.isWhole).toBe(false);
});
