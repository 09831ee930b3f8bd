import type { CompiledQuery } from "kysely";

export interface Session {
  /** Compiled queries, kept until the store is closed. */
  readonly queries: Queries;
  /** Cached query results. Present only in read transactions on SQLite. */
  readonly view?: View;
}

export class Queries {
  readonly #compiled = new Map<unknown, Map<string, CompiledQuery>>();

  /** Returns the cached query, or compiles the query and adds it to the cache. */
  get(build: unknown, names: string, compile: () => CompiledQuery): CompiledQuery {
    const known = this.#compiled.get(build) ?? new Map<string, CompiledQuery>();
    this.#compiled.set(build, known);
    const query = known.get(names) ?? compile();
    known.set(names, query);
    return query;
  }
}

/** Maximum number of rows in the cache. A cache that would exceed this number is cleared to save memory. */
const MOST_ROWS = 10_000;

/** A cache of query results, valid as long as the data does not change. */
export class View {
  readonly #answers = new Map<unknown, Map<string, readonly unknown[]>>();
  #rows = 0;

  /**
   * Returns the cached rows of a query, or runs the query and adds its rows to the cache.
   *
   * @param build The function that builds the query. The cache key consists of this function and `values`.
   */
  async once<Row>(build: unknown, values: object, ask: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
    const key = JSON.stringify(values);
    const known = this.#answers.get(build)?.get(key);
    if (known) return known as readonly Row[];
    const rows = await ask();
    this.#keep(build, key, rows);
    return rows;
  }

  #keep(build: unknown, key: string, rows: readonly unknown[]): void {
    // Counts at least one row, because even an empty result takes memory.
    this.#rows += Math.max(rows.length, 1);
    if (this.#rows > MOST_ROWS) {
      this.#answers.clear();
      this.#rows = rows.length;
    }
    const answers = this.#answers.get(build) ?? new Map<string, readonly unknown[]>();
    this.#answers.set(build, answers);
    // Freezes the rows, because several requests share them.
    answers.set(key, rows.map(Object.freeze));
  }
}
