import * as z from "zod";
import { type AnyResource, listInputsOf } from "./definition";
import { importDocs } from "./docs";
import type { Vocabulary } from "./field";
import type { AnyFunction } from "./function";
import type { Provider } from "./provider";
import { messageOf } from "./refusal";

/**
 * Returns the package schema in Pulumi's format, which SDKs, editors and Pulumi's registry read.
 *
 * @param functions The provider's functions.
 * @param examples Examples in Markdown, by name of the resource or function.
 */
export function packageSchema(
  { name, version, about = {}, settings: { schema: settings, secrets, description: ofSettings }, resources }: Provider,
  functions: readonly AnyFunction[] = [],
  examples: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  const types = new SchemaTypes(name);
  const { displayName, description, keywords, publisher, license, validateCredentialsOnNew, downloadUrl, language } =
    about;
  return {
    name,
    displayName,
    version,
    description,
    keywords,
    publisher,
    license,
    ...(validateCredentialsOnNew ? { validateCredentialsOnNew } : {}),
    ...(downloadUrl === undefined ? {} : { pluginDownloadURL: downloadUrl }),
    // Settings have no enum types here, because SDKs would parse a setting with an enum type as JSON.
    config: { variables: types.objectOf(settings, "read", secrets).properties },
    types: {
      ...types.typesIn([settings, ...[...resources, ...functions].map(({ args }) => args)], "written"),
      ...types.typesIn(
        functions.map(({ result }) => result),
        "read",
      ),
    },
    provider: {
      description: ofSettings,
      inputProperties: types.objectOf(settings, "written", secrets).properties,
    },
    resources: Object.fromEntries(
      resources.map((resource) => [
        types.tokenOf(resource.type),
        resourceSchema(types, resource, examples[resource.type]),
      ]),
    ),
    functions: Object.fromEntries(
      functions.map((definition) => [
        types.tokenOf(definition.name),
        functionSchema(types, definition, examples[definition.name]),
      ]),
    ),
    // Without either, Pulumi's generators leave the version out of an SDK, and the engine refuses that SDK.
    ...(language === undefined ? { meta: { supportPack: true } } : { language }),
  };
}

function resourceSchema(types: SchemaTypes, resource: AnyResource, example: string | undefined) {
  const { args, state, properties } = resource;
  const listInputs = listInputsOf(resource);
  const inputs = types.objectOf(args, "written");
  const outputs = types.objectOf(state, "read", properties.shownOnce);
  for (const { name, onChange, isAlwaysSecret } of properties.inputs) {
    const [input, output] = [inputs.properties[name], outputs.properties[name]];
    if (onChange === "replace" && input) input.willReplaceOnChanges = true;
    for (const one of [input, output]) if (isAlwaysSecret && one) one.secret = true;
  }
  return {
    description: describedInSchema(resource.description, example, [
      "## Import",
      importDocs(types.tokenOf(resource.type), resource),
    ]),
    properties: outputs.properties,
    required: outputs.required,
    inputProperties: inputs.properties,
    requiredInputs: inputs.required,
    ...(listInputs ? { listInputs: { type: "object", ...types.objectOf(listInputs, "written") } } : {}),
  };
}

const describedInSchema = (description: string, example = "", sections: readonly string[] = []): string =>
  [description, example, ...sections].filter(Boolean).join("\n\n");

function functionSchema(types: SchemaTypes, { description, args, result }: AnyFunction, example: string | undefined) {
  const inputs = types.objectOf(args, "written");
  return {
    description: describedInSchema(description, example),
    ...(Object.keys(inputs.properties).length > 0 ? { inputs } : {}),
    outputs: types.objectOf(result, "read"),
  };
}

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
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Json[];
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
class SchemaTypes {
  /** @param provider Name of the provider, the prefix of its tokens. */
  constructor(private readonly provider: string) {}

  /**
   * Returns the schema of an object's properties.
   *
   * @param secret Names of the properties to mark as secret.
   */
  objectOf(object: z.ZodObject, use: Use, secret: readonly string[] = []): ObjectSchema {
    const { properties, required } = this.#objectSchema(jsonSchemaOf(object), use);
    for (const name of secret) properties[name] = { ...properties[name], secret: true };
    return { properties, required };
  }

  /** Returns all named types in the given objects, by Pulumi token. */
  typesIn(objects: readonly z.ZodObject[], use: Use): Record<string, Described> {
    return Object.fromEntries(objects.flatMap((object) => this.#namedIn(jsonSchemaOf(object), use)));
  }

  tokenOf(name: string): string {
    return `${this.provider}:index:${name}`;
  }

  #objectSchema({ properties = {}, required = [] }: Json, use: Use): ObjectSchema {
    return {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, json]) => [
          name,
          {
            ...namingSchemaProperty(name, () => this.#typeOf(json, use)),
            ...(json.description ? { description: json.description } : {}),
          },
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
    const choices = schemaChoices(json);
    if (choices.length > 1) return { oneOf: choices.map((choice) => this.#typeOf(choice, use)) };
    if (choices[0] && choices[0] !== json) return this.#typeOf({ ...json, ...choices[0], anyOf: undefined }, use);
    if (type === undefined) return { $ref: "pulumi.json#/Any" };
    if (json.properties) throw new Error('the type of an object needs a name: add .meta({ typeName: "…" })');
    if (items) return { type, items: this.#typeOf(items, use) };
    if (additionalProperties) return { type, additionalProperties: this.#typeOf(additionalProperties, use) };
    if (!vocabulary || use === "read") return { type };
    const known = { type, $ref: `#/types/${this.tokenOf(vocabulary.name)}` };
    return closed || vocabulary.isClosed ? known : { oneOf: [{ type }, known] };
  }

  #namedIn(json: Json, use: Use): [token: string, type: Described][] {
    const { typeName, vocabulary, description, properties = {}, items, additionalProperties, anyOf = [] } = json;
    const inside = [...Object.values(properties), items, additionalProperties, ...anyOf].flatMap((part) =>
      part ? this.#namedIn(part, use) : [],
    );
    if (typeName)
      return [...inside, [this.tokenOf(typeName), { type: "object", description, ...this.#objectSchema(json, use) }]];
    if (vocabulary) return [[this.tokenOf(vocabulary.name), enumeration(vocabulary)]];
    return inside;
  }
}

function jsonSchemaOf(object: z.ZodObject): Json {
  const convert = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" }) as Json;
  try {
    return convert(object);
  } catch (cause) {
    for (const [name, schema] of Object.entries<z.ZodType>(object.shape))
      namingSchemaProperty(name, () => convert(schema));
    throw cause;
  }
}

/** Adds the name of the property to an error. Only a mistake of the provider's author causes one. */
function namingSchemaProperty<T>(property: string, convert: () => T): T {
  try {
    return convert();
  } catch (cause) {
    throw new Error(`property \`${property}\`: ${messageOf(cause)}`, { cause });
  }
}

/** Returns the types that a value can have. `null` is none of them, because programs leave such a property out. */
function schemaChoices(json: Json): readonly Json[] {
  const { type, anyOf } = json;
  const choices = anyOf ?? (Array.isArray(type) ? type.map((one: string) => ({ ...json, type: one })) : [json]);
  return choices.filter((choice) => choice.type !== "null");
}

const enumeration = ({ description, values, deprecated = {} }: Vocabulary): Described => ({
  type: "string",
  description,
  enum: Object.entries(values).map(([value, meaning]) => ({
    name: pascalCase(value),
    value,
    description: meaning,
    ...(deprecated[value] === undefined ? {} : { deprecationMessage: deprecated[value] }),
  })),
});

const pascalCase = (value: string): string =>
  value.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
