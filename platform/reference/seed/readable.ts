import * as z from "zod";

/**
 * A value of which some parts may have the wrong type. A text is `undefined` if it is absent, and `null` if it is not
 * one of the texts that the schema allows by type.
 */
export type Readable<Value> = [Value] extends [string | undefined]
  ? Value | null | undefined
  : Value extends readonly (infer Entry)[]
    ? Readable<Entry>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Readable<Value[Name]> }
      : unknown;

/**
 * Reads a value as far as it has the types of the schema, so that rules about several fields can be checked although
 * the schema reports mistakes elsewhere. An entry that is not an object becomes an entry without fields, and a list that
 * is not a list becomes a list of one such entry.
 */
export const readable = <Schema extends z.ZodType>(schema: Schema, value: unknown) =>
  readLeniently(schema, value) as Readable<z.output<Schema>>;

function readLeniently(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodDefault) return readLeniently(schema.unwrap(), value);
  if (schema instanceof z.ZodOptional) return value === undefined ? undefined : readLeniently(schema.unwrap(), value);
  if (schema instanceof z.ZodArray)
    return (Array.isArray(value) ? value : [undefined]).map((entry) => readLeniently(schema.element, entry));
  if (schema instanceof z.ZodObject) {
    const fields = Object(value) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(schema.shape).map(([name, inner]) => [name, readLeniently(inner, fields[name])]),
    );
  }
  if (schema instanceof z.ZodBoolean || schema instanceof z.ZodNumber)
    return value === undefined || schema.safeParse(value).success ? value : null;
  const isText = typeof value === "string" && !(schema instanceof z.ZodEnum && !schema.options.includes(value));
  return isText || value === undefined ? value : null;
}
