import fc from "fast-check";
import * as z from "zod";

/**
 * Generates values for a schema of the contract. Some values are invalid, because the generator ignores the schema's
 * custom checks.
 */
export function arbitraryOf(schema: z.core.$ZodType, key: string, pool: (key: string) => fc.Arbitrary<unknown>): Value {
  const of = (inner: z.core.$ZodType, name = key) => arbitraryOf(inner, name, pool);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      const fields = Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, of(field, name)]));
      const requiredKeys = Object.keys(fields).filter((name) => !isOptional(def.shape[name]));
      const required = Object.fromEntries(requiredKeys.map((name) => [name, fields[name] ?? fc.constant(null)]));
      // Often omits optional fields, because a body with many optional fields is rarely valid.
      return fc.oneof(fc.record(required), fc.record(fields, { requiredKeys }));
    }
    case "array":
      return fc.array(of(def.element), { maxLength: 3 });
    case "record":
      return fc.dictionary(fc.string({ maxLength: 5 }), of(def.valueType), { maxKeys: 2 });
    case "union":
      return fc.oneof(...def.options.map((option) => of(option)));
    case "enum":
      return fc.constantFrom(...Object.values(def.entries));
    case "literal":
      return fc.constantFrom(...def.values);
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.oneof(fc.nat(1_000_000), fc.integer({ min: -2, max: 2 }), fc.double());
    case "optional":
    case "default":
    case "prefault":
      return of(def.innerType);
    case "nullable":
      return fc.option(of(def.innerType), { freq: 4 });
    case "pipe":
      return of(def.in);
    case "string":
      return pool(key);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

type Value = fc.Arbitrary<unknown>;

const isOptional = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && z.safeParse(schema, undefined).success;
