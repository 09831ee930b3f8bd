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

/** Answers of queries in data that do not change, so that nothing is asked twice. */
export class View {
  readonly #answers = new Map<CompiledQuery, Map<string, Promise<unknown>>>();

  once<Answer>(query: CompiledQuery, parameters: readonly unknown[], ask: () => Promise<Answer>): Promise<Answer> {
    const answers = this.#answers.get(query) ?? new Map<string, Promise<unknown>>();
    this.#answers.set(query, answers);
    const key = JSON.stringify(parameters);
    const answer = answers.get(key) ?? ask();
    answers.set(key, answer);
    return answer as Promise<Answer>;
  }
}
