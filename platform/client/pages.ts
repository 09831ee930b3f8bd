const LARGEST_PAGE = 1000;

interface Page {
  readonly pagination?: { readonly next?: string | null } | null;
}

export interface Pages<Item> {
  readonly items: readonly Item[];
  /** Whether there was nothing beyond the pages that were asked for. */
  readonly whole: boolean;
}

/**
 * The items of the pages of a list, in order.
 *
 * @param fetch Asks for one page.
 * @param itemsOf Takes its items out.
 * @param most How many pages at the most.
 */
export async function readPages<P extends Page, Item>(
  fetch: (query: { limit: number; cursor?: string }) => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
  most = Number.POSITIVE_INFINITY,
): Promise<Pages<Item>> {
  const items: Item[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < most; count++) {
    const page = await fetch({ limit: LARGEST_PAGE, ...(cursor === undefined ? {} : { cursor }) });
    items.push(...itemsOf(page));
    cursor = page.pagination?.next || undefined;
    // A server that repeats a cursor would never end.
    if (cursor === undefined || seen.has(cursor)) return { items, whole: true };
    seen.add(cursor);
  }
  return { items, whole: false };
}
