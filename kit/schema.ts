import type { AnyResource } from "./definition";
import { listInputsOf } from "./definition";
import type { AnyFunction } from "./function";
import type { Provider } from "./provider";
import { SchemaTypes } from "./schema-types";

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
  const { displayName, description, keywords, publisher, license, downloadUrl, language } = about;
  return {
    name,
    displayName,
    version,
    description,
    keywords,
    publisher,
    license,
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
  const { args, state, traits } = resource;
  const listInputs = listInputsOf(resource);
  const inputs = types.objectOf(args, "written");
  const outputs = types.objectOf(state, "read", resource.shownOnce);
  for (const [property, { requiresReplace, writeOnly } = {}] of Object.entries(traits)) {
    const [input, output] = [inputs.properties[property], outputs.properties[property]];
    if (requiresReplace && input) input.willReplaceOnChanges = true;
    for (const one of [input, output]) if (writeOnly && one) one.secret = true;
  }
  return {
    description: describedInSchema(resource.description, example, [
      "## Import",
      importingOf(types.tokenOf(resource.type), resource),
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

/**
 * Returns Markdown that explains how to import a resource of this type.
 *
 * @param token The resource's type, for example `notes:index:Note`.
 */
export function importingOf(token: string, { importing, unimportable }: AnyResource): string {
  if (!importing && unimportable !== undefined) return unimportable;
  const { name, id, description } = importing ?? { name: "example", id: "<id>", description: "" };
  return describedInSchema(description, fenced("sh", `$ pulumi import ${token} ${name} ${id}`));
}

export const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

function functionSchema(types: SchemaTypes, { description, args, result }: AnyFunction, example: string | undefined) {
  const inputs = types.objectOf(args, "written");
  return {
    description: describedInSchema(description, example),
    ...(Object.keys(inputs.properties).length > 0 ? { inputs } : {}),
    outputs: types.objectOf(result, "read"),
  };
}
