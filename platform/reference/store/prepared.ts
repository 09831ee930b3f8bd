import type { Compilable, CompiledQuery, DialectAdapter } from "kysely";
import type { State } from "./schema";
import { viewOf } from "./view";

/**
 * A query that is put together once and then only given its values: putting it together takes longer than answering it
 * (decision 82).
 * `build` may ask which of the values are undefined, and nothing else of them: others stand in their places.
 */
export function prepared<Values extends object, Row>(
  build: (state: State, values: Values) => Compilable<Row>,
): (state: State, values: Values) => Promise<readonly Row[]> {
  /** By the names of the values that it is given. */
  const known = new WeakMap<DialectAdapter, Map<string, CompiledQuery>>();

  function queryFor(state: State, values: Values): CompiledQuery {
    const { adapter } = state.getExecutor();
    const queries = known.get(adapter) ?? new Map<string, CompiledQuery>();
    known.set(adapter, queries);
    let form = "";
    for (const name in values) if (values[name] !== undefined) form += `${name} `;
    const query = queries.get(form) ?? build(state, placesOf(values)).compile();
    queries.set(form, query);
    return query;
  }

  return async (state, values) => {
    // A plugin changes what is put together.
    if (state.getExecutor().plugins.length > 0) return (await state.executeQuery(build(state, values))).rows;
    const query = queryFor(state, values);
    const parameters = query.parameters.map((value) =>
      value instanceof Place ? values[value.name as keyof Values] : value,
    );
    const ask = async () => (await state.executeQuery<Row>({ ...query, parameters })).rows;
    return viewOf(state)?.once(query, parameters, ask) ?? ask();
  };
}

/** Where a value will stand. */
class Place {
  constructor(readonly name: string) {}
}

const placesOf = <Values extends object>(values: Values): Values =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => [name, new Place(name)]),
  ) as Values;
