/**
 * Defers the creation of a schema until it is first needed, and creates it only once. A process uses few schemas of the
 * contract, and creating all of them would slow down its startup.
 */
export function lazy<Schema>(create: () => Schema): () => Schema {
  let schema: Schema | undefined;
  return () => {
    schema ??= create();
    return schema;
  };
}
