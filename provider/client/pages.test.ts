import fc from "fast-check";
import { expect, test } from "vitest";
import { eachNumberedPageItem, firstItems, readPages } from "./pages";

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);

test("returns each item of a paged list once, even if items are added at the front between requests", async () => {
  const world = {
    length: fc.nat(40),
    largest: fc.integer({ min: 1, max: 7 }),
    most: fc.option(fc.integer({ min: 1, max: 45 }), { nil: undefined }),
    added: fc.array(fc.nat(9), { maxLength: 60 }),
  };
  await fc.assert(
    fc.asyncProperty(fc.record(world), async ({ length, largest, most, added }) => {
      const before = numbers(length, length);
      const log = [...before];
      const coming = added.values();
      const fetch = async ({ page, page_size }: { page: number; page_size: number }) => {
        const size = Math.min(page_size, largest);
        const more = page === 1 ? 0 : (coming.next().value ?? 0);
        log.unshift(...numbers(log.length + more, more));
        const pagination = { page_size: size, total_pages: Math.ceil(log.length / size), total_rows: log.length };
        return { items: log.slice((page - 1) * size, page * size), pagination };
      };
      const items = eachNumberedPageItem(fetch, ({ items }) => items, most === undefined ? most : most + 1);
      expect(await firstItems(items, most)).toEqual({
        items: before.slice(0, most),
        whole: most === undefined || length <= most,
      });
    }),
  );
});

test("requests only as many pages as the limit requires, and reports whether more items remain", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(40),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 45 }),
      async (length, largest, most) => {
        const all = numbers(length, length);
        const asked: number[] = [];
        const fetch = async ({ limit, cursor = "0" }: { limit: number; cursor?: string }) => {
          asked.push(limit);
          const end = Number(cursor) + Math.min(limit, largest);
          return { items: all.slice(Number(cursor), end), pagination: { next: end < length ? String(end) : null } };
        };
        const { items, whole } = await readPages(fetch, (page) => page.items, most);
        expect({ items, whole }).toEqual({ items: all.slice(0, most), whole: length <= most });
        expect(Math.max(...asked)).toBe(most);
      },
    ),
  );
});

test("accepts a page that is larger than requested, but rejects a repeated cursor", async () => {
  const stuck = async () => ({ items: [1], pagination: { next: "same" } });
  await expect(readPages(stuck, ({ items }) => items)).rejects.toMatchObject({ kind: "unreadable" });
  const generous = async () => ({ items: [1, 2, 3], pagination: null });
  expect(await readPages(generous, ({ items }) => items, 2)).toEqual({ items: [1, 2], whole: false });
});
