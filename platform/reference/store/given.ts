/** Returns a callback for Kysely's `$call`. It extends the query only if the value is present. */
export const given =
  <Query, Value>(value: Value | undefined, add: (query: Query, value: Value) => Query) =>
  (query: Query): Query =>
    value === undefined ? query : add(query, value);
