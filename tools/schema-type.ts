import type { z } from "zod";

type Schema = z.core.JSONSchema.BaseSchema;

/**
 * Converts a JSON schema to a TypeScript type whose properties have doc comments. Supports only the keywords that our
 * own schemas use.
 */
export function typeText(schema: Schema, indent = ""): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => typeText(choice as Schema, indent)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type }, indent)).join(" | ");
  if (schema.type === "array") return listText(typeText(schema.items as Schema, indent));
  if (schema.type === "object") return objectText(schema, indent);
  if (schema.type === "integer") return "number";
  return schema.type ?? "unknown";
}

const listText = (item: string): string => `readonly ${item.includes(" | ") ? `(${item})` : item}[]`;

function objectText({ properties, required = [] }: Schema, indent: string): string {
  if (!properties) return "Readonly<Record<string, unknown>>";
  const inner = `${indent}  `;
  const lines = Object.entries(properties as Record<string, Schema>).flatMap(([name, schema]) => [
    ...(schema.description === undefined ? [] : [`${inner}/** ${schema.description}${defaultText(schema)} */`]),
    `${inner}${name}${required.includes(name) ? "" : "?"}: ${typeText(schema, inner)};`,
  ]);
  return `{\n${lines.join("\n")}\n${indent}}`;
}

const defaultText = (schema: Schema): string =>
  schema.default === undefined ? "" : ` Left out: \`${JSON.stringify(schema.default)}\`.`;
