import * as z from "zod";
import type { Vocabulary } from "./field";

type Described = Record<string, unknown>;

interface ObjectSchema {
  readonly properties: Record<string, Described>;
  readonly required: string[];
}

/**
 * Whether programs write the values or only read them. The schema suggests known values only where programs write them.
 */
type Use = "written" | "read";

/** A JSON Schema as zod generates it, with the provider's own metadata. */
interface Json {
  readonly type?: string;
  readonly description?: string;
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Json;
  readonly enum?: readonly string[];
  readonly vocabulary?: Vocabulary;
  readonly typeName?: string;
}

/** Converts zod schemas to the types of a provider's package schema. */
export class SchemaTypes {
  /** @param provider Name of the provider, the prefix of its tokens. */
  constructor(private readonly provider: string) {}

  /**
   * Returns the schema of an object's properties.
   *
   * @param secret Names of the properties to mark as secret.
   */
  objectOf(object: z.ZodObject, use: Use, secret: readonly string[] = []): ObjectSchema {
    const { properties, required } = this.#objectSchema(jsonOf(object), use);
    for (const name of secret) properties[name] = { ...properties[name], secret: true };
    return { properties, required };
  }

  /** Returns all named types in the given objects, by Pulumi token. */
  typesIn(objects: readonly z.ZodObject[], use: Use): Record<string, Described> {
    return Object.fromEntries(objects.flatMap((object) => this.#namedIn(jsonOf(object), use)));
  }

  tokenOf(name: string): string {
    return `${this.provider}:index:${name}`;
  }

  #objectSchema({ properties = {}, required = [] }: Json, use: Use): ObjectSchema {
    return {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, json]) => [
          name,
          { ...this.#typeOf(json, use), ...(json.description ? { description: json.description } : {}) },
        ]),
      ),
      required: [...required].sort(),
    };
  }

  /**
   * Converts a JSON Schema to Pulumi's format, dropping keywords that the format does not support. Also drops
   * `default`, because SDKs would send the default value, which would make an omitted property managed.
   */
  #typeOf(json: Json, use: Use): Described {
    const { type, items, additionalProperties, vocabulary, typeName, enum: closed } = json;
    if (typeName) return { $ref: `#/types/${this.tokenOf(typeName)}` };
    if (type === undefined) return { $ref: "pulumi.json#/Any" };
    if (items) return { type, items: this.#typeOf(items, use) };
    if (additionalProperties) return { type, additionalProperties: this.#typeOf(additionalProperties, use) };
    if (!vocabulary || use === "read") return { type };
    const known = { type, $ref: `#/types/${this.tokenOf(vocabulary.name)}` };
    return closed ? known : { oneOf: [{ type }, known] };
  }

  #namedIn(json: Json, use: Use): [token: string, type: Described][] {
    const { typeName, vocabulary, description, properties = {}, items, additionalProperties } = json;
    const inside = [...Object.values(properties), items, additionalProperties].flatMap((part) =>
      part ? this.#namedIn(part, use) : [],
    );
    if (typeName)
      return [...inside, [this.tokenOf(typeName), { type: "object", description, ...this.#objectSchema(json, use) }]];
    if (vocabulary) return [[this.tokenOf(vocabulary.name), enumeration(vocabulary)]];
    return inside;
  }
}

const jsonOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: "input" }) as Json;

const enumeration = ({ description, values }: Vocabulary): Described => ({
  type: "string",
  description,
  enum: Object.entries(values).map(([value, meaning]) => ({ name: pascalCase(value), value, description: meaning })),
});

const pascalCase = (value: string): string =>
  value.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
