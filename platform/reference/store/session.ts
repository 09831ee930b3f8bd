import type { CompiledQuery } from "kysely";

/** What is known of the queries of one transaction. */
export interface Session {
  /** Queries of the store that are put together already; kept as long as the store is open. */
  readonly queries: Queries;
  /** Present where nothing changes while the transaction lasts. */
  readonly view?: View;
}

/** Compiled queries by the function that builds them and the names of the values that they are given. */
export class Queries {
  readonly #compiled = new Map<unknown, Map<string, CompiledQuery>>();

  /** @param compile Asked only the first time. */
  get(build: unknown, names: string, compile: () => CompiledQuery): CompiledQuery {
    const known = this.#compiled.get(build) ?? new Map<string, CompiledQuery>();
    this.#compiled.set(build, known);
    const query = known.get(names) ?? compile();
    known.set(names, query);
    return query;
  }
}

/** How many rows a view holds; beyond them it begins anew. */
const MOST_ROWS = 10_000;

/** Answers of queries in data that do not change, so that nothing is asked twice. */
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
    // An answer without rows takes room as well.
    this.#rows += Math.max(rows.length, 1);
    if (this.#rows > MOST_ROWS) {
      this.#answers.clear();
      this.#rows = rows.length;
    }
    const answers = this.#answers.get(build) ?? new Map<string, readonly unknown[]>();
    this.#answers.set(build, answers);
    // Several requests get the same rows.
    answers.set(key, rows.map(Object.freeze));
  }
}
