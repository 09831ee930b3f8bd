import * as z from "zod";
import type { Vocabulary } from "./resource/vocabulary";

/** A property, an item, or a named type, in Pulumi's own format. */
type Described = Record<string, unknown>;

interface ObjectSchema {
  readonly properties: Record<string, Described>;
  readonly required: string[];
}

/** Who gives the values: of `written` ones those that are known are offered, and every other one is taken. */
type Use = "written" | "read";

/** What JSON Schema says of one of our zod schemas, with the metadata that we give. */
interface Json {
  readonly type?: string;
  readonly description?: string;
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Json;
  readonly enum?: readonly string[];
  readonly vocabulary?: Vocabulary;
  /** Makes an object a type with a name of its own. */
  readonly typeName?: string;
}

/** The properties of an object. `secret`: names of those to mark. */
export function objectOf(object: z.ZodObject, use: Use, secret: readonly string[] = []): ObjectSchema {
  const { properties, required } = objectSchema(jsonOf(object), use);
  for (const name of secret) properties[name] = { ...properties[name], secret: true };
  return { properties, required };
}

/** Every type with a name of its own that is in these, by its token. */
export const typesIn = (objects: readonly z.ZodObject[]): Record<string, Described> =>
  Object.fromEntries(objects.flatMap((object) => namedIn(jsonOf(object))));

const jsonOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: "input" }) as Json;

const tokenOf = (name: string): string => `dbplatform:index:${name}`;

const objectSchema = ({ properties = {}, required = [] }: Json, use: Use): ObjectSchema => ({
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, json]) => [
      name,
      { ...typeOf(json, use), ...(json.description ? { description: json.description } : {}) },
    ]),
  ),
  required: [...required].sort(),
});

/** Of JSON Schema only what Pulumi's format knows. Never `default`: an SDK would send it, and make it managed. */
function typeOf(json: Json, use: Use): Described {
  const { type, items, additionalProperties, vocabulary, typeName, enum: closed } = json;
  if (typeName) return { $ref: `#/types/${tokenOf(typeName)}` };
  if (type === undefined) return { $ref: "pulumi.json#/Any" };
  if (items) return { type, items: typeOf(items, use) };
  if (additionalProperties) return { type, additionalProperties: typeOf(additionalProperties, use) };
  if (!vocabulary || use === "read") return { type };
  const known = { type, $ref: `#/types/${tokenOf(vocabulary.name)}` };
  return closed ? known : { oneOf: [{ type }, known] };
}

function namedIn(json: Json): [token: string, type: Described][] {
  const { typeName, vocabulary, description, properties = {}, items, additionalProperties } = json;
  const inside = [...Object.values(properties), items, additionalProperties].flatMap((part) =>
    part ? namedIn(part) : [],
  );
  if (typeName) return [...inside, [tokenOf(typeName), { type: "object", description, ...objectSchema(json, "read") }]];
  if (vocabulary) return [[tokenOf(vocabulary.name), enumeration(vocabulary)]];
  return inside;
}

const enumeration = ({ description, values }: Vocabulary): Described => ({
  type: "string",
  description,
  enum: Object.entries(values).map(([value, meaning]) => ({ name: pascalCase(value), value, description: meaning })),
});

/** `aws-eu-west-1` → `AwsEuWest1` */
const pascalCase = (value: string): string =>
  value.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
