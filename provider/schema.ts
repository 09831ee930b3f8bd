import { z } from "zod";
import { secretSettings, settings } from "./config";
import { resources } from "./resources/list";
import type { AnyResource } from "./resources/resource";
import { VERSION } from "./version";

/** The package schema (Pulumi's own format): what SDKs, editors and the registry know of this provider. */
export function packageSchema(): Record<string, unknown> {
  const configuration = propertiesOf(settings, secretSettings);
  return {
    name: "dbplatform",
    displayName: "Database Platform",
    version: VERSION,
    description:
      "Groups of databases, databases, their configuration and scoped API tokens of a database platform, with five-day recovery.",
    keywords: ["pulumi", "kind/native", "category/database", "database"],
    license: "Apache-2.0",
    config: { variables: configuration },
    provider: {
      description: "One organization of the database platform, and the credential to manage it with.",
      inputProperties: configuration,
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
  const inputs = propertiesOf(args);
  for (const [property, mark] of Object.entries(marks))
    if (mark?.replaces && inputs[property]) inputs[property].willReplaceOnChanges = true;
  return {
    description: `${description}\n\n## Import\n\n\`\`\`sh\npulumi import dbplatform:index:${type} <name> <id>\n\`\`\``,
    properties: propertiesOf(state, secret),
    required: requiredOf(state),
    inputProperties: inputs,
    requiredInputs: requiredOf(args),
  };
}

type Property = Record<string, unknown>;

function propertiesOf(object: z.ZodObject, secret: readonly string[] = []): Record<string, Property> {
  return Object.fromEntries(
    Object.entries(object.shape).map(([name, schema]) => [
      name,
      { ...propertyOf(schema), ...(secret.includes(name) ? { secret: true } : {}) },
    ]),
  );
}

/** Of JSON Schema only what Pulumi's format knows. Never `default`: an SDK would send it, and make it managed. */
function propertyOf(schema: z.core.$ZodType): Property {
  const { type, items, additionalProperties, description } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      delete jsonSchema.propertyNames;
    },
  }) as {
    type: string;
    items?: { type: string };
    additionalProperties?: { type: string };
    description?: string;
  };
  return {
    type,
    ...(items ? { items: { type: items.type } } : {}),
    ...(type === "object" ? { additionalProperties: { type: additionalProperties?.type } } : {}),
    ...(description ? { description } : {}),
  };
}

const requiredOf = ({ shape }: z.ZodObject): string[] =>
  Object.entries(shape)
    .filter(([, schema]) => !(schema instanceof z.ZodOptional))
    .map(([name]) => name)
    .sort();
