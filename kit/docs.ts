import type { AnyResource } from "./definition";
import type { AnyFunction } from "./function";

interface Property {
  readonly type?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly items?: Property;
  readonly additionalProperties?: Property;
  readonly oneOf?: readonly Property[];
  readonly willReplaceOnChanges?: boolean;
  readonly secret?: boolean;
}

type Properties = Readonly<Record<string, Property>>;

interface NamedType {
  readonly enum?: readonly { readonly value: string }[];
  readonly properties?: Properties;
}

interface Schema {
  readonly types: Readonly<Record<string, NamedType>>;
  readonly resources: Readonly<
    Record<string, { properties: Properties; inputProperties: Properties; requiredInputs: readonly string[] }>
  >;
  readonly functions: Readonly<
    Record<
      string,
      { inputs?: { properties: Properties; required: readonly string[] }; outputs: { properties: Properties } }
    >
  >;
  readonly name: string;
  readonly config: { readonly variables: Properties };
}

/**
 * Returns the sections of a resource's reference page that follow from its definition: its inputs, its outputs and how
 * to import it.
 *
 * @param schema The package schema.
 */
export function resourceDocs(schema: Record<string, unknown>, resource: AnyResource): string[] {
  const whole = schema as unknown as Schema;
  const token = tokenInDocs(whole, resource.type);
  const { inputProperties = {}, properties = {}, requiredInputs } = whole.resources[token] ?? {};
  const outputs = Object.fromEntries(Object.entries(properties).filter(([name]) => !(name in inputProperties)));
  return [
    "## Inputs",
    propertyTable(inputProperties, whole, requiredInputs),
    "## Outputs",
    "All inputs are also outputs, with the platform's values where it has them.",
    propertyTable(outputs, whole),
    "## Import",
    importDocs(token, resource),
  ];
}

/** Returns the sections of a function's reference page that follow from its definition: its arguments and its result. */
export function functionDocs(schema: Record<string, unknown>, { name }: Pick<AnyFunction, "name">): string[] {
  const whole = schema as unknown as Schema;
  const { inputs, outputs } = whole.functions[tokenInDocs(whole, name)] ?? {};
  return [
    ...(inputs ? ["## Arguments", propertyTable(inputs.properties, whole, inputs.required)] : []),
    "## Result",
    propertyTable(outputs?.properties ?? {}, whole),
  ];
}

/** Returns a table of the provider's settings. */
export function settingsDocs(schema: Record<string, unknown>): string {
  const whole = schema as unknown as Schema;
  return propertyTable(whole.config.variables, whole);
}

/** Returns a table of resources or functions, with links to their pages and the first sentences of their descriptions. */
export function summaryDocs(items: readonly { readonly name: string; readonly description: string }[]): string {
  const rows = items.map(({ name, description }) => `| [${name}](${name}.md) | ${firstSentenceInDocs(description)} |`);
  return ["| | |", "|---|---|", ...rows].join("\n");
}

const firstSentenceInDocs = (description: string): string => /^.*?[.](?= |$)/s.exec(description)?.[0] ?? description;

const tokenInDocs = ({ name: provider }: Schema, name: string): string => `${provider}:index:${name}`;

function propertyTable(properties: Properties, schema: Schema, required: readonly string[] = []): string {
  const rows = Object.entries(properties).map(([name, property]) => {
    const marks = [
      ...(required.includes(name) ? ["**required**"] : []),
      ...(property.willReplaceOnChanges ? ["a change replaces"] : []),
      ...(property.secret ? ["secret"] : []),
    ];
    const notes = marks.length > 0 ? ` (${marks.join(", ")})` : "";
    return `| \`${name}\`${notes} | ${typeInDocs(property, schema)} | ${inTableCell(property.description ?? "")}${fieldsInDocs(property, schema)} |`;
  });
  return ["| Name | Type | |", "|---|---|---|", ...rows].join("\n");
}

const inTableCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function typeInDocs(property: Property, schema: Schema): string {
  if (property.oneOf) return "string";
  if (property.$ref) return namedTypeInDocs(property.$ref, schema)?.enum ? "string" : "object";
  if (property.type === "array") return `list of ${typeInDocs(property.items ?? {}, schema)}`;
  if (property.type === "object") return `map of ${typeInDocs(property.additionalProperties ?? {}, schema)}`;
  return property.type ?? "any";
}

/** Returns text that lists an enumeration's values or an object's fields, for the end of a property's description. */
function fieldsInDocs(property: Property, schema: Schema): string {
  const references = [property, property.items ?? {}, ...(property.oneOf ?? []), ...(property.items?.oneOf ?? [])];
  const types = references.flatMap(({ $ref }) => ($ref ? [namedTypeInDocs($ref, schema)] : []));
  return types
    .map((type) => {
      if (type?.enum) return ` Known values: ${type.enum.map(({ value }) => `\`${value}\``).join(", ")}.`;
      const fields = Object.entries(type?.properties ?? {}).map(
        ([name, field]) => `<br>\`${name}\` (${typeInDocs(field, schema)}): ${inTableCell(field.description ?? "")}`,
      );
      return fields.join("");
    })
    .join("");
}

const namedTypeInDocs = (reference: string, { types }: Schema): NamedType | undefined =>
  types[reference.replace("#/types/", "")];

/**
 * Returns Markdown that explains how to import a resource of this type.
 *
 * @param token The resource's type, for example `notes:index:Note`.
 */
export function importDocs(token: string, { importing, unimportable }: AnyResource): string {
  if (!importing && unimportable !== undefined) return unimportable;
  const { name, id, description } = importing ?? { name: "example", id: "<id>", description: "" };
  return [description, fenced("sh", `$ pulumi import ${token} ${name} ${id}`)].filter(Boolean).join("\n\n");
}

export const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
