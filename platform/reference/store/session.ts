import type { CompiledQuery } from "kysely";

/** Cached queries and results of one transaction. */
export interface Session {
  /** Compiled queries of the store, kept while the store is open. */
  readonly queries: Queries;
  /** Present in transactions whose data do not change. */
  readonly view?: View;
}

/** Compiled queries by the function that builds them and the names of their values. */
export class Queries {
  readonly #compiled = new Map<unknown, Map<string, CompiledQuery>>();

  /** @param compile Called only the first time. */
  get(build: unknown, names: string, compile: () => CompiledQuery): CompiledQuery {
    const known = this.#compiled.get(build) ?? new Map<string, CompiledQuery>();
    this.#compiled.set(build, known);
    const query = known.get(names) ?? compile();
    known.set(names, query);
    return query;
  }
}

/** The largest number of rows in a view; a view that exceeds it is cleared. */
const MOST_ROWS = 10_000;

/** Results of queries on unchanging data, so that no query is executed twice. */
export class View {
  readonly #answers = new Map<unknown, Map<string, readonly unknown[]>>();
  #rows = 0;

  /** @param build The function that builds the query. */
  async once<Row>(build: unknown, values: object, ask: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
    const key = JSON.stringify(values);
    const known = this.#answers.get(build)?.get(key);
    if (known) return known as readonly Row[];
    const rows = await ask();
    this.#keep(build, key, rows);
    return rows;
  }

  #keep(build: unknown, key: string, rows: readonly unknown[]): void {
    // A result without rows takes memory as well.
    this.#rows += Math.max(rows.length, 1);
    if (this.#rows > MOST_ROWS) {
      this.#answers.clear();
      this.#rows = rows.length;
    }
    const answers = this.#answers.get(build) ?? new Map<string, readonly unknown[]>();
    this.#answers.set(build, answers);
    // Frozen, because several requests share the rows.
    answers.set(key, rows.map(Object.freeze));
  }
}
