import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageSchema } from "../kit/schema";
import { version } from "../package.json";
import { functions } from "../provider/functions/list";
import { dbplatform } from "../provider/provider";
import { exampleInSchema, examples } from "./examples";
import { root } from "./run";

export const SCHEMA_FILE = join(root, "schema.json");
export const SDK_FOLDER = join(root, "sdk/nodejs");
/** The exports of the SDK for dynamic providers. */
export const DYNAMIC_EXPORTS_FILE = join(root, "sdk/dynamic-exports.ts");
export const SDK_HASH_FILE = join(SDK_FOLDER, "schema.sha256");

/** Returns the package schema. @param examples Examples in Markdown, by name of the resource or function. */
export const schema = (examples?: Readonly<Record<string, string>>): Record<string, unknown> =>
  packageSchema(dbplatform, functions, examples);

export function schemaText(): string {
  return schemaTextWith(
    Object.fromEntries(Object.entries(examples()).map(([name, example]) => [name, exampleInSchema(example)])),
  );
}

/** Returns the schema without examples as text. The program that converts the examples reads this schema. */
export const schemaTextWithoutExamples = (): string => schemaTextWith({});

/** Returns the address of the repository. Only a release's package.json contains it. */
function repository(): string | undefined {
  const { homepage }: { readonly homepage?: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return homepage;
}

function schemaTextWith(examples: Readonly<Record<string, string>>): string {
  const [address, plain] = [repository(), schema(examples)];
  return `${JSON.stringify(address ? withRepository(plain, address) : plain, null, 2)}\n`;
}

/**
 * Returns the schema with the repository's address. From there, Go programs load the SDK, web pages load the logo, and
 * `pulumi new` shows the page about the settings.
 */
function withRepository(schema: Record<string, unknown>, repository: string): Record<string, unknown> {
  const { go, ...others } = schema.language as Record<string, object>;
  const importBasePath = `${repository.replace(/^https:\/\//, "")}/sdk/go/dbplatform`;
  const logoUrl = `${repository}/raw/v${version}/docs/logo.svg`;
  return {
    ...schema,
    homepage: repository,
    repository,
    logoUrl,
    configurationDocsUrl: `${repository}/blob/v${version}/docs/installation-configuration.md`,
    language: { ...others, go: { ...go, importBasePath } },
  };
}
