import { z } from "zod";
import { secretSettings, settings } from "./config";
import { resources } from "./resources/list";
import type { AnyResource } from "./resources/resource";
import type { Vocabulary } from "./resources/vocabulary";
import { VERSION } from "./version";

/** The package schema (Pulumi's own format): what SDKs, editors and the registry know of this provider. */
export function packageSchema(): Record<string, unknown> {
  const written = [settings, ...resources.map(({ args }) => args)];
  return {
    name: "dbplatform",
    displayName: "Database Platform",
    version: VERSION,
    description:
      "Groups of databases, databases, their configuration and scoped API tokens of a database platform, with five-day recovery.",
    keywords: ["pulumi", "kind/native", "category/database", "database"],
    license: "Apache-2.0",
    config: { variables: propertiesOf(settings, secretSettings, plainTypeOf) },
    types: Object.fromEntries(written.flatMap(vocabulariesOf).map(enumeration)),
    provider: {
      description: "One organization of the database platform, and the credential to manage it with.",
      inputProperties: propertiesOf(settings, secretSettings, typeOf),
    },
    resources: Object.fromEntries(
      resources.map((resource) => [`dbplatform:index:${resource.type}`, resourceSchema(resource)]),
    ),
    language: {
      nodejs: {
        packageName: "pulumi-dbplatform",
        pluginName: "dbplatform",
        respectSchemaVersion: true,
      },
    },
  };
}

function resourceSchema({ type, description, args, state, marks, secret = [] }: AnyResource) {
  const inputs = propertiesOf(args, [], typeOf);
  for (const [property, mark] of Object.entries(marks))
    if (mark?.replaces && inputs[property]) inputs[property].willReplaceOnChanges = true;
  return {
    description: `${description}\n\n## Import\n\n\`\`\`sh\npulumi import dbplatform:index:${type} <name> <id>\n\`\`\``,
    properties: propertiesOf(state, secret, plainTypeOf),
    required: requiredOf(state),
    inputProperties: inputs,
    requiredInputs: requiredOf(args),
  };
}

type Property = Record<string, unknown>;

function propertiesOf(
  object: z.ZodObject,
  secret: readonly string[],
  type: (json: Json) => Property,
): Record<string, Property> {
  return Object.fromEntries(
    Object.entries(object.shape).map(([name, schema]) => {
      const { description, ...json } = jsonOf(schema);
      const property = { ...type(json), ...(description ? { description } : {}) };
      return [name, secret.includes(name) ? { ...property, secret: true } : property];
    }),
  );
}

interface Json {
  readonly type: string;
  readonly description?: string;
  readonly items?: Json;
  readonly additionalProperties?: Json;
  readonly enum?: readonly string[];
  readonly vocabulary?: Vocabulary;
}

const jsonOf = (schema: z.core.$ZodType): Json => z.toJSONSchema(schema, { io: "input" }) as Json;

/** Of JSON Schema only what Pulumi's format knows. Never `default`: an SDK would send it, and make it managed. */
function typeOf(json: Json): Property {
  const { type, items, vocabulary, enum: closed } = json;
  if (items) return { type, items: typeOf(items) };
  if (!vocabulary) return plainTypeOf(json);
  const known = { type, $ref: `#/types/${tokenOf(vocabulary)}` };
  return closed ? known : { oneOf: [{ type }, known] };
}

/** For what is read, not written: SDKs would take a setting of an enumerated type for JSON. */
function plainTypeOf({ type, items, additionalProperties }: Json): Property {
  if (items) return { type, items: plainTypeOf(items) };
  if (additionalProperties) return { type, additionalProperties: plainTypeOf(additionalProperties) };
  return { type };
}

const tokenOf = ({ name }: Vocabulary): string => `dbplatform:index:${name}`;

function vocabulariesOf(object: z.ZodObject): Vocabulary[] {
  return Object.values(object.shape).flatMap((schema) => {
    const { vocabulary, items } = jsonOf(schema);
    return vocabulary ?? items?.vocabulary ?? [];
  });
}

const enumeration = (vocabulary: Vocabulary) => [
  tokenOf(vocabulary),
  {
    type: "string",
    description: vocabulary.description,
    enum: Object.entries(vocabulary.values).map(([value, description]) => ({
      name: pascalCase(value),
      value,
      description,
    })),
  },
];

/** `aws-eu-west-1` → `AwsEuWest1` */
const pascalCase = (value: string): string =>
  value.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/g, (_, first: string) => first.toUpperCase());

const requiredOf = ({ shape }: z.ZodObject): string[] =>
  Object.entries(shape)
    .filter(([, schema]) => !(schema instanceof z.ZodOptional))
    .map(([name]) => name)
    .sort();
