import { type Compilable, CompiledQuery, type Expression, sql } from "kysely";
import type { QueryCache, State } from "./schema";

/**
 * SQL placeholders for the parameters of a query, by parameter name. With placeholders, a compiled query can be
 * executed repeatedly with different values. An omitted optional parameter has no placeholder.
 */
export type Places<Values> = { readonly [Name in keyof Values]: Place<Values[Name]> };

type Place<Value> = undefined extends Value ? Expression<Exclude<Value, undefined>> | undefined : Expression<Value>;

/**
 * Returns a function that executes a query with the given values. The query is compiled only once, because compiling
 * takes longer than executing.
 */
export function cachedQuery<Values extends object, Row>(
  build: (state: State, places: Places<Values>) => Compilable<Row>,
): (state: State, values: Values) => Promise<readonly Row[]> {
  return async (state, values) => {
    const { cache } = state;
    if (!cache) {
      const places = placesOf(values, (_name, value) => value);
      return (await state.executeQuery(build(state, places))).rows;
    }
    return cache.rows(build, values, async () => {
      const given = Object.entries(values).filter(([, value]) => value !== undefined);
      const query = cache.compiled(build, given.map(([name]) => name).join(), () =>
        build(
          state,
          placesOf(values, (name) => new NamedParameter(name)),
        ).compile(),
      );
      const parameters = query.parameters.map((parameter) =>
        parameter instanceof NamedParameter ? values[parameter.name as keyof Values] : parameter,
      );
      return (await state.executeQuery<Row>({ ...query, parameters })).rows;
    });
  };
}

/** A parameter whose value is known only when the query is executed. */
class NamedParameter {
  constructor(readonly name: string) {}
}

const placesOf = <Values extends object>(
  values: Values,
  parameterOf: (name: string, value: unknown) => unknown,
): Places<Values> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, sql`${parameterOf(name, value)}`]),
  ) as Places<Values>;

/** Returns a callback for Kysely's `$call`. It extends the query only if the value is present. */
export const given =
  <Query, Value>(value: Value | undefined, add: (query: Query, value: Value) => Query) =>
  (query: Query): Query =>
    value === undefined ? query : add(query, value);

/** A cache of compiled queries, which executes every query. */
export class CompiledQueries implements QueryCache {
  /** One entry for each prepared query in the code and each set of its parameters. */
  readonly #compiled = new Map<object, Map<string, CompiledQuery>>();

  compiled(build: object, names: string, compile: () => CompiledQuery): CompiledQuery {
    const known = this.#compiled.get(build) ?? new Map<string, CompiledQuery>();
    this.#compiled.set(build, known);
    const query = known.get(names) ?? compile();
    known.set(names, query);
    return query;
  }

  rows<Row>(_build: object, _values: object, execute: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
    return execute();
  }
}

/** Maximum number of rows in the cache. A cache that would exceed this number is cleared to save memory. */
const MOST_ROWS = 10_000;

/** A cache of compiled queries and of their results. It is valid as long as the data does not change. */
class QueryResults implements QueryCache {
  readonly #queries: CompiledQueries;
  /** At most `MOST_ROWS` rows, by query and parameters. */
  readonly #results = new Map<object, Map<string, readonly unknown[]>>();
  #rows = 0;

  constructor(queries: CompiledQueries) {
    this.#queries = queries;
  }

  compiled(build: object, names: string, compile: () => CompiledQuery): CompiledQuery {
    return this.#queries.compiled(build, names, compile);
  }

  async rows<Row>(build: object, values: object, execute: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
    const key = JSON.stringify(values);
    const known = this.#results.get(build)?.get(key);
    if (known) return known as readonly Row[];
    const rows = await execute();
    this.#keep(build, key, rows);
    return rows;
  }

  #keep(build: object, key: string, rows: readonly unknown[]): void {
    // Counts at least one row, because even an empty result takes memory.
    this.#rows += Math.max(rows.length, 1);
    if (this.#rows > MOST_ROWS) {
      this.#results.clear();
      this.#rows = rows.length;
    }
    const results = this.#results.get(build) ?? new Map<string, readonly unknown[]>();
    this.#results.set(build, results);
    // Freezes the rows, because several requests share them.
    results.set(key, rows.map(Object.freeze));
  }
}

/** Query for a number that changes when another connection commits, in this process or a different one. */
const DATA_VERSION = CompiledQuery.raw("pragma data_version") as CompiledQuery<{ data_version: number }>;

/** Shares one cache of query results, but no verdicts, among read transactions until something is written. */
export class SharedResults {
  readonly #queries: CompiledQueries;
  #current: QueryResults | undefined;
  #version: number | undefined;

  constructor(queries: CompiledQueries) {
    this.#queries = queries;
  }

  /**
   * Returns the cache for a read transaction. Call this method before any other query of the transaction. The first
   * query fixes the snapshot that the transaction reads, and the cache must match that snapshot.
   */
  async of(transaction: State): Promise<QueryCache> {
    const { rows } = await transaction.executeQuery(DATA_VERSION);
    const version = rows[0]?.data_version;
    if (!this.#current || version !== this.#version) this.#current = new QueryResults(this.#queries);
    this.#version = version;
    return this.#current;
  }

  /**
   * Clears the cache of query results. Must be called in each write transaction of this connection, because the
   * connection's own writes do not change SQLite's `data_version`.
   */
  forget(): void {
    this.#current = undefined;
  }
}
