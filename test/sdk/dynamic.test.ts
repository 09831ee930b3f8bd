import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { functions, providers } from "../../provider/dynamic-host";
import { root } from "../../tools/run";

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}
interface ResourceSchema extends ObjectSchema {
  readonly inputProperties: Readonly<Record<string, unknown>>;
  readonly requiredInputs: readonly string[];
}
interface FunctionSchema {
  readonly inputs?: ObjectSchema;
  readonly outputs: ObjectSchema;
}
interface Schema {
  readonly resources: Readonly<Record<string, ResourceSchema>>;
  readonly functions: Readonly<Record<string, FunctionSchema>>;
  readonly types: Readonly<Record<string, { readonly enum?: unknown }>>;
}

const schema: Schema = require("../../schema.json");
const byName = <T>(entries: Readonly<Record<string, T>>): [name: string, T][] =>
  Object.entries(entries).map(([token, entry]) => [token.slice(token.lastIndexOf(":") + 1), entry]);
const schemaResources = byName(schema.resources);
const schemaFunctions = byName(schema.functions);

const SDK = join(root, "sdk/dynamic.ts");
const PLUGIN_SDK = join(root, "sdk/nodejs/index.ts");
const sdkConfig = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, "sdk/tsconfig.json"), ts.sys.readFile).config,
  ts.sys,
  join(root, "sdk"),
);
const program = ts.createProgram([SDK, PLUGIN_SDK], sdkConfig.options);
const checker = program.getTypeChecker();

function exportsOf(path: string): ReadonlyMap<string, ts.Symbol> {
  const file = program.getSourceFile(path);
  const symbol = file && checker.getSymbolAtLocation(file);
  if (!symbol) throw new Error(`${path} exports nothing`);
  return new Map(checker.getExportsOfModule(symbol).map((each) => [each.name, each]));
}

const exported = exportsOf(SDK);
const plugin = exportsOf(PLUGIN_SDK);

function exportOf(exports: ReadonlyMap<string, ts.Symbol>, name: string): ts.Symbol {
  const symbol = exports.get(name);
  if (!symbol) throw new Error(`there is no export ${name}`);
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

const valueType = (name: string): ts.Type => checker.getTypeOfSymbol(exportOf(exported, name));
const exportedType = (name: string): ts.Type => checker.getDeclaredTypeOfSymbol(exportOf(exported, name));
const pluginType = (name: string): ts.Type => checker.getDeclaredTypeOfSymbol(exportOf(plugin, name));
const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const propertiesOf = (type: ts.Type): string[] =>
  checker
    .getPropertiesOfType(type)
    .map(({ name, flags }) => (flags & ts.SymbolFlags.Optional ? `${name}?` : name))
    .sort();

const expectedProperties = (properties: object = {}, required: readonly string[] = []): string[] =>
  Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .sort();

function parameterOf(signature: ts.Signature | undefined, index: number): ts.Type | undefined {
  const parameter = signature?.getParameters()[index];
  return parameter && checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
}

const answerOf = (signature: ts.Signature | undefined): ts.Type | undefined => {
  const returned = signature?.getReturnType();
  return returned && (returned.aliasTypeArguments ?? checker.getTypeArguments(returned as ts.TypeReference))[0];
};

/** Asserts that two types are identical. If they differ, the failure message names them. */
function expectSameType(actual: ts.Type | undefined, expected: ts.Type): void {
  const nameOf = (type: ts.Type | undefined) => type && checker.typeToString(type);
  expect(nameOf(actual)).toBe(nameOf(expected));
  expect(actual === expected, `another ${nameOf(expected)}`).toBe(true);
}

test("the dynamic SDK exports exactly the schema's resources, functions and types", () => {
  const enums = byName(schema.types).filter(([, type]) => type.enum);
  const functionExports = schemaFunctions.flatMap(([name, { inputs }]) => {
    const type = capitalized(name);
    return [name, `${name}Output`, `${type}Result`, ...(inputs ? [`${type}Args`, `${type}OutputArgs`] : [])];
  });
  const demanded = [
    ...schemaResources.flatMap(([name]) => [name, `${name}Args`]),
    ...functionExports,
    ...enums.map(([name]) => name),
    ...["types", "Provider", "ProviderArgs", "Options", "FunctionOptions"],
  ];
  expect([...exported.keys()].sort()).toEqual(demanded.sort());
});

test.each(schemaResources)(
  "the dynamic resource %s has the same arguments and outputs as the plugin resource",
  (name, described) => {
    const [created] = valueType(name).getConstructSignatures();
    expectSameType(parameterOf(created, 1), pluginType(`${name}Args`));
    expectSameType(exportedType(`${name}Args`), pluginType(`${name}Args`));
    expectSameType(exportedType(name), pluginType(name));
    const { inputProperties, requiredInputs, properties = {} } = described;
    expect(propertiesOf(exportedType(`${name}Args`))).toEqual(expectedProperties(inputProperties, requiredInputs));
    const instance = created && propertiesOf(created.getReturnType());
    expect(instance).toEqual(expect.arrayContaining(Object.keys(properties)));
  },
);

test.each(schemaFunctions)(
  "the dynamic %s has the same arguments and result as the plugin function",
  (name, described) => {
    const type = capitalized(name);
    const forms = { [name]: `${type}Args`, [`${name}Output`]: `${type}OutputArgs` };
    for (const [form, args] of Object.entries(forms)) {
      const [asked] = valueType(form).getCallSignatures();
      expectSameType(answerOf(asked), pluginType(`${type}Result`));
      expect(asked?.getParameters().length, form).toBe(described.inputs ? 2 : 1);
      if (!described.inputs) continue;
      expectSameType(parameterOf(asked, 0), pluginType(args));
      const { properties, required } = described.inputs;
      expect(propertiesOf(pluginType(args)), form).toEqual(expectedProperties(properties, required));
    }
    const { properties, required } = described.outputs;
    expect(propertiesOf(pluginType(`${type}Result`))).toEqual(expectedProperties(properties, required));
  },
);

test("the dynamic provider host serves exactly the schema's resources and functions", () => {
  expect(Object.keys(providers).sort()).toEqual(schemaResources.map(([name]) => name).sort());
  expect(Object.keys(functions).sort()).toEqual(schemaFunctions.map(([name]) => name).sort());
});
