import type { ListPage } from "../pages";

const PAGES_AT_FIRST = 5;

/**
 * Reads a paged list only as far as needed: five pages at first, then on average at most one page per lookup. Reading
 * more pages would cost more requests than retrieving each object individually.
 */
export class LazyPagedList<P extends ListPage> {
  readonly #pages: AsyncGenerator<P>;
  readonly #take: (page: P) => void;
  #read = 0;
  #looks = 0;
  #isWhole = false;
  #isBroken = false;
  #coming: Promise<void> | undefined;

  private constructor(pages: AsyncGenerator<P>, take: (page: P) => void) {
    this.#pages = pages;
    this.#take = take;
  }

  /**
   * Reads the first five pages of a list, or all pages if there are fewer. Calls to `look` read more pages as needed.
   *
   * @param take Called once with each page.
   */
  static async read<P extends ListPage>(pages: AsyncGenerator<P>, take: (page: P) => void): Promise<LazyPagedList<P>> {
    const list = new LazyPagedList(pages, take);
    while (!list.#isWhole && list.#read < PAGES_AT_FIRST) await list.#next();
    return list;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /**
   * Calls `find`, which searches the pages read so far, and returns its result. If `find` returns `undefined`, reads
   * the next page and tries again, but only while the calls to `look` outnumber the pages read.
   */
  async look<T>(find: () => T | undefined): Promise<T | undefined> {
    this.#looks++;
    for (;;) {
      const found = find();
      if (found !== undefined || this.#isWhole || this.#isBroken || this.#read >= this.#looks) return found;
      this.#coming ??= this.#next();
      await this.#coming;
    }
  }

  async #next(): Promise<void> {
    try {
      const { value } = await this.#pages.next();
      this.#take(value);
      this.#read++;
      this.#isWhole = !value.pagination?.next;
    } catch (failure) {
      // The generator yields no further pages after an error, so the list must not wait for them.
      this.#isBroken = true;
      throw failure;
    } finally {
      this.#coming = undefined;
    }
  }
}
