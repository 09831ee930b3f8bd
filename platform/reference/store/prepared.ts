import { type Compilable, type Expression, sql } from "kysely";
import type { State } from "./schema";

/**
 * SQL placeholders for the parameters of a query, by parameter name. With placeholders, a compiled query can be
 * executed repeatedly with different values. An omitted optional parameter has no placeholder.
 */
export type Places<Values> = { readonly [Name in keyof Values]: Place<Values[Name]> };

type Place<Value> = undefined extends Value ? Expression<Exclude<Value, undefined>> | undefined : Expression<Value>;

/**
 * Returns a function that executes a query with the given values. The query is compiled only once, because compiling
 * takes longer than executing (decision 82).
 */
export function prepared<Values extends object, Row>(
  build: (state: State, places: Places<Values>) => Compilable<Row>,
): (state: State, values: Values) => Promise<readonly Row[]> {
  return async (state, values) => {
    const { session } = state;
    if (!session)
      return (
        await state.executeQuery(
          build(
            state,
            placesOf(values, (_name, value) => value),
          ),
        )
      ).rows;
    const ask = async () => {
      const given = Object.entries(values).filter(([, value]) => value !== undefined);
      const query = session.queries.get(build, given.map(([name]) => name).join(), () =>
        build(
          state,
          placesOf(values, (name) => new Named(name)),
        ).compile(),
      );
      const parameters = query.parameters.map((parameter) =>
        parameter instanceof Named ? values[parameter.name as keyof Values] : parameter,
      );
      return (await state.executeQuery<Row>({ ...query, parameters })).rows;
    };
    return session.view?.once(build, values, ask) ?? ask();
  };
}

/** A parameter whose value is known only when the query is executed. */
class Named {
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
