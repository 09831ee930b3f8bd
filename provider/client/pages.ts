import { Refusal } from "../../kit/refusal";
import { endlessList } from "./messages";

const LARGEST_PAGE = 1000;
const MOST_PAGES = 1000;

export interface ListPage {
  readonly pagination?: { readonly next?: string | null } | null;
}

export interface Pages<Item> {
  readonly items: readonly Item[];
  /** Whether `items` is the complete list. */
  readonly whole: boolean;
}

interface PageQuery {
  limit: number;
  cursor?: string;
}

/**
 * Reads the items of a paged list in order.
 *
 * @param fetch Requests one page.
 * @param itemsOf Returns the items of a page.
 * @param most The maximum number of items to return.
 */
export async function readPages<P extends ListPage, Item>(
  fetch: (query: PageQuery) => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
  most = Number.POSITIVE_INFINITY,
): Promise<Pages<Item>> {
  const items: Item[] = [];
  const fetchWanted = (query: PageQuery) => fetch({ ...query, limit: Math.min(LARGEST_PAGE, most - items.length) });
  for await (const page of eachPage(fetchWanted)) {
    for (const item of itemsOf(page)) items.push(item);
    if (items.length >= most)
      return { items: items.slice(0, most), whole: items.length <= most && !page.pagination?.next };
  }
  return { items, whole: true };
}

/**
 * Yields the pages of a list. Each page is requested only after the caller has processed the previous page.
 *
 * @throws Refusal if the list never ends. Stopping without an error would hide the items on later pages.
 */
export async function* eachPage<P extends ListPage>(fetch: (query: PageQuery) => Promise<P>): AsyncGenerator<P> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    if (cursor !== undefined && (seen.has(cursor) || seen.size === MOST_PAGES)) throw endlessPages();
    if (cursor !== undefined) seen.add(cursor);
    const page = await fetch({ limit: LARGEST_PAGE, cursor });
    yield page;
    cursor = page.pagination?.next || undefined;
  } while (cursor !== undefined);
}

const endlessPages = (): Refusal => new Refusal("unreadable", endlessList({ mostPages: MOST_PAGES }));

interface NumberedPageQuery {
  page: number;
  page_size: number;
}

interface NumberedPage {
  readonly pagination: { readonly page_size: number; readonly total_pages: number; readonly total_rows: number };
}

/**
 * Yields the items of a list with numbered pages. Items that are added to the front of the list during the iteration
 * are not yielded, and no item is yielded twice.
 */
export async function* eachNumberedPageItem<P extends NumberedPage, Item>(
  fetch: (query: NumberedPageQuery) => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
  pageSize = LARGEST_PAGE,
): AsyncGenerator<Item> {
  let total: number | undefined;
  let before = 0;
  let yielded = 0;
  for await (const page of eachNumberedPage(fetch, Math.min(LARGEST_PAGE, pageSize))) {
    const { page_size, total_rows } = page.pagination;
    total ??= total_rows;
    // Items that were added since the first request shift the list, so items that were already read are skipped.
    const begins = before++ * page_size - (total_rows - total);
    for (const item of itemsOf(page).slice(Math.max(0, yielded - begins))) {
      yielded++;
      yield item;
    }
  }
}

/**
 * Returns the first items of a list, and whether they are the whole list. Reads at most one additional item.
 *
 * @param most The maximum number of items to return.
 */
export async function firstItems<Item>(
  items: AsyncIterable<Item>,
  most = Number.POSITIVE_INFINITY,
): Promise<Pages<Item>> {
  const found: Item[] = [];
  for await (const item of items) {
    if (found.length === most) return { items: found, whole: false };
    found.push(item);
  }
  return { items: found, whole: true };
}

/**
 * Yields the pages of a list with numbered pages. Each page is requested only after the caller has processed the
 * previous page.
 *
 * @throws Refusal if the list never ends.
 */
export async function* eachNumberedPage<P extends NumberedPage>(
  fetch: (query: NumberedPageQuery) => Promise<P>,
  pageSize = LARGEST_PAGE,
): AsyncGenerator<P> {
  for (let page = 1; ; page++) {
    const answer = await fetch({ page, page_size: pageSize });
    yield answer;
    if (page >= answer.pagination.total_pages) return;
    if (page === MOST_PAGES) throw endlessPages();
  }
}
