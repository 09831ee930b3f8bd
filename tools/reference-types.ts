import { dirname, join } from "node:path";
import ts from "typescript";
import * as z from "zod";
import { api } from "../platform/contract/api";
import { Credential } from "../platform/reference/credentials/credential";
import { FaultRule } from "../platform/reference/faults/faults";
import { Seed } from "../platform/reference/seed/seed";
import { root } from "./run";
import { sourceFileAt } from "./source-file";

// A declaration bundler would bring zod's types along or leave seeds without descriptions, and a copy by hand goes stale.

const OPERATIONS = Object.keys(api).map((name) => JSON.stringify(name));

/**
 * Types that our code infers from zod schemas. The published declarations contain these types in full, because users
 * may not have installed zod.
 */
const WRITTEN_OUT: Readonly<Record<string, () => string>> = {
  Operation: () =>
    `/** The name of an operation of the platform's API. */\nexport type Operation =${OPERATIONS.map((name) => `\n  | ${name}`).join("")};\n`,
  Seed: () => aliasOf("Seed", Seed),
  Fault: () => aliasOf("Fault", FaultRule).replace(OPERATIONS.join(" | "), "Operation"),
  Credential: () => aliasOf("Credential", Credential),
};

function aliasOf(name: string, schema: z.ZodType): string {
  const { description, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return `/** ${description} */\nexport type ${name} = ${typeText(rest)};\n`;
}

const START = `/** Starts a reference API in this process. Call \`close\` to stop it. */
export declare function startReferenceApi(options?: ReferenceApiOptions): Promise<ReferenceApi>;
`;

const PUBLIC = join(root, "platform/reference/reference-api.ts");

/** Returns the type declarations of `pulumi-dbplatform/reference`: all exported types, and all types that they use. */
export function referenceTypes(): string {
  const types = new Map<string, string>();
  for (const statement of sourceFileAt(PUBLIC).statements)
    if (isNamedType(statement)) addType(statement.name.text, PUBLIC, types);
  return [START, ...types.values()].join("\n");
}

function addType(name: string, path: string, types: Map<string, string>): void {
  if (types.has(name)) return;
  const source = sourceFileAt(path);
  const declaration = source.statements.filter(isNamedType).find((statement) => statement.name.text === name);
  const writtenOut = WRITTEN_OUT[name];
  if (writtenOut) {
    types.set(name, writtenOut());
    return;
  }
  if (!declaration) {
    const imported = importsOf(source).get(name);
    if (imported) addType(name, imported, types);
    return;
  }
  types.set(
    name,
    `${declaration
      .getFullText()
      .trim()
      .replace(/^((?:\/\*[\s\S]*?\*\/\s*)?)(export )?/, "$1export ")}\n`,
  );
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) addType(node.typeName.text, path, types);
    node.forEachChild(visit);
  };
  visit(declaration);
}

const isNamedType = (statement: ts.Statement): statement is ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
  ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);

function importsOf(source: ts.SourceFile): Map<string, string> {
  const files = new Map<string, string>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const { name } of bindings.elements)
      files.set(name.text, `${join(dirname(source.fileName), statement.moduleSpecifier.text)}.ts`);
  }
  return files;
}

type Schema = z.core.JSONSchema.BaseSchema;

/**
 * Converts a JSON schema to a TypeScript type whose properties have doc comments. Supports only the keywords that our
 * own schemas use.
 */
function typeText(schema: Schema, indent = ""): string {
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
