import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OLDER_LOCATION } from "../../provider/resources/group/messages";
import { LANGUAGES } from "../../tools/examples";
import { schema as packageSchema } from "../../tools/schema";

const schema = packageSchema();

interface Described {
  readonly description?: string;
  readonly default?: unknown;
}
interface ResourceSchema {
  readonly description: string;
  readonly properties: Record<string, Described & { secret?: boolean }>;
  readonly required: string[];
  readonly inputProperties: Record<string, Described & { willReplaceOnChanges?: boolean }>;
  readonly requiredInputs: string[];
}
const resources = Object.entries(schema.resources as Record<string, ResourceSchema>);

test.each(resources)(
  "the resource %s describes every property in complete sentences, and sets no defaults",
  (_, resource) => {
    const { properties, inputProperties } = resource;
    for (const [name, { description, default: value }] of Object.entries({ ...properties, ...inputProperties })) {
      expect(description, name).toMatch(/^[A-Z`].*\.$/s);
      expect(value, name).toBeUndefined();
    }
    // Every argument must also be a property of the state.
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(inputProperties)));
  },
);

test.each(resources)("the resource %s describes what a change replaces, and what is lost", (type, resource) => {
  const replacing = Object.entries(resource.inputProperties).filter(([, property]) => property.willReplaceOnChanges);
  for (const [name, { description }] of replacing) {
    expect(description, name).toMatch(/replace|a new token is issued/);
    if (type.endsWith(":Database") || type.endsWith(":Group"))
      expect(description, name).toMatch(/new ones? without (its|their) data\./);
  }
});

interface ObjectSchema {
  readonly description?: string;
  readonly properties?: Record<string, Described & { secret?: boolean }>;
}
const functions = Object.entries(
  schema.functions as Record<string, { description: string; inputs?: ObjectSchema; outputs: ObjectSchema }>,
);
const types = schema.types as Record<string, ObjectSchema>;

test.each([
  ...functions.map(([name, { description, inputs, outputs }]): [string, ObjectSchema] => [
    name,
    { description, properties: { ...inputs?.properties, ...outputs.properties } },
  ]),
  ...Object.entries(types),
])(
  "describes %s in complete sentences, and marks none of its properties secret",
  (_, { description, properties = {} }) => {
    expect(description).toMatch(/^[A-Z`][^\n]*\.(\n|$)/);
    for (const [name, property] of Object.entries(properties)) {
      expect(property.description, name).toMatch(/^[A-Z`].*\.$/s);
      expect(property.secret, name).toBeUndefined();
    }
  },
);

test("defines exactly the types that the schema references", () => {
  const named = new Set([...JSON.stringify(schema).matchAll(/#\/types\/([\w:]+)/g)].map(([, token]) => token));
  expect([...named].sort()).toEqual(Object.keys(types).sort());
});

test("marks properties that are secret, are required, or cause a replacement when changed", () => {
  const [database, apiToken] = ["Database", "ApiToken"].map(
    (type) => Object.fromEntries(resources)[`dbplatform:index:${type}`],
  );
  expect(database?.requiredInputs).toEqual(["group"]);
  expect(database?.required).toEqual(expect.arrayContaining(["dbId", "group", "hostname", "name", "organizationId"]));
  expect(apiToken?.requiredInputs).toEqual([]);
  expect(apiToken?.properties.token).toMatchObject({ type: "string", secret: true });
  const replacing = Object.entries(apiToken?.inputProperties ?? {}).filter(
    ([, property]) => property.willReplaceOnChanges,
  );
  expect(replacing.map(([name]) => name).sort()).toEqual(["group", "keepers", "name", "scopes"]);
  expect(schema.config).toMatchObject({ variables: { apiToken: { secret: true } } });
});

test("every resource has an Import section, with an import command if the resource can be imported", () => {
  const described = resources.map(([token, { description }]) => [token.split(":").at(-1), description] as const);
  const without = described.filter(([, description]) => !description.includes("pulumi import")).map(([type]) => type);
  expect(without).toEqual(["DatabaseMigrations", "DatabaseToken", "GroupToken"]);
  for (const [, description] of described) expect(description).toContain("## Import\n\n");
});

test("Pulumi's registry offers the examples in exactly the languages that the schema names, and in YAML", () => {
  const { nodejs, ...others } = schema.language as Record<string, object>;
  expect(nodejs).toBeDefined();
  expect(Object.keys(LANGUAGES)).toEqual(["typescript", ...Object.keys(others), "yaml"]);
});

test("the schema has the same version as the SDK and the packages", () => {
  const versionOf = (path: string) => JSON.parse(readFileSync(path, "utf8")).version;
  expect(versionOf("package.json")).toBe(schema.version);
  expect(versionOf("platform/package.json")).toBe(schema.version);
  expect(versionOf("sdk/nodejs/package.json")).toBe(schema.version);
});

test("editors mark exactly the locations of three letters as deprecated", () => {
  const types = schema.types as Record<string, { readonly enum?: readonly Record<string, string>[] }>;
  const words = types["dbplatform:index:Location"]?.enum ?? [];
  expect(words.map(({ value }) => value)).toContain("ams");
  for (const { value = "", deprecationMessage } of words)
    expect(deprecationMessage, value).toBe(/^[a-z]{3}$/.test(value) ? OLDER_LOCATION : undefined);
});
