import { functions } from "../provider/functions/list";
import { resources } from "../provider/resources/list";
import { DOWNLOAD_URL, KEYWORDS, VERSION } from "../provider/version";
import type { AnyResource } from "./resource/definition";
import type { AnyFunction } from "./resource/function";
import { listInputsOf } from "./resource/listing";
import { objectOf, typesIn } from "./schema-types";
import { secretSettings, settings } from "./settings";

/**
 * Returns the package schema in Pulumi's format, which SDKs, editors and Pulumi's registry read.
 *
 * @param examples Examples in Markdown, by name of the resource or function.
 */
export function packageSchema(examples: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  return {
    name: "dbplatform",
    displayName: "Database Platform",
    version: VERSION,
    description:
      "Groups of databases, databases, their configuration and scoped API tokens of a database platform, with five-day recovery.",
    keywords: KEYWORDS,
    publisher: "The pulumi-dbplatform authors",
    license: "Apache-2.0",
    ...(DOWNLOAD_URL === undefined ? {} : { pluginDownloadURL: DOWNLOAD_URL }),
    // Settings have no enum types here, because SDKs would parse a setting with an enum type as JSON.
    config: { variables: objectOf(settings, "read", secretSettings).properties },
    types: {
      ...typesIn([settings, ...[...resources, ...functions].map(({ args }) => args)], "written"),
      ...typesIn(
        functions.map(({ result }) => result),
        "read",
      ),
    },
    provider: {
      description: "One organization of the database platform, and the credential to manage it with.",
      inputProperties: objectOf(settings, "written", secretSettings).properties,
    },
    resources: Object.fromEntries(
      resources.map((resource) => [
        `dbplatform:index:${resource.type}`,
        resourceSchema(resource, examples[resource.type]),
      ]),
    ),
    functions: Object.fromEntries(
      functions.map((definition) => [
        `dbplatform:index:${definition.name}`,
        functionSchema(definition, examples[definition.name]),
      ]),
    ),
    language: {
      nodejs: {
        packageName: "pulumi-dbplatform",
        pluginName: "dbplatform",
        respectSchemaVersion: true,
      },
      python: { respectSchemaVersion: true, pyproject: { enabled: true } },
      go: { respectSchemaVersion: true },
      csharp: {
        respectSchemaVersion: true,
        namespaces: { dbplatform: "DbPlatform" },
        packageReferences: { Pulumi: "3.*" },
      },
      java: { buildFiles: "gradle" },
    },
  };
}

function resourceSchema(resource: AnyResource, example: string | undefined) {
  const { args, state, traits } = resource;
  const listInputs = listInputsOf(resource);
  const inputs = objectOf(args, "written");
  const outputs = objectOf(state, "read", resource.shownOnce);
  for (const [property, { requiresReplace, writeOnly } = {}] of Object.entries(traits)) {
    const [input, output] = [inputs.properties[property], outputs.properties[property]];
    if (requiresReplace && input) input.willReplaceOnChanges = true;
    for (const one of [input, output]) if (writeOnly && one) one.secret = true;
  }
  return {
    description: described(resource.description, example, ["## Import", importingOf(resource)]),
    properties: outputs.properties,
    required: outputs.required,
    inputProperties: inputs.properties,
    requiredInputs: inputs.required,
    ...(listInputs ? { listInputs: { type: "object", ...objectOf(listInputs, "written") } } : {}),
  };
}

const described = (description: string, example = "", sections: readonly string[] = []): string =>
  [description, example, ...sections].filter(Boolean).join("\n\n");

/** Returns Markdown that explains how to import a resource of this type. */
export function importingOf({ type, importing, unimportable = "" }: AnyResource): string {
  if (!importing) return unimportable;
  const { name, id, description } = importing;
  return [description, fenced("sh", `$ pulumi import dbplatform:index:${type} ${name} ${id}`)].join("\n\n");
}

export const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

function functionSchema({ description, args, result }: AnyFunction, example: string | undefined) {
  const inputs = objectOf(args, "written");
  return {
    description: described(description, example),
    ...(Object.keys(inputs.properties).length > 0 ? { inputs } : {}),
    outputs: objectOf(result, "read"),
  };
}
