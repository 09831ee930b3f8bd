import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageSchema } from "../provider/schema";
import { root } from "./run";

export const SCHEMA_FILE = join(root, "schema.json");
export const SDK_FOLDER = join(root, "sdk/nodejs");
/** Path of the file with the hash of the schema from which the SDK was generated. */
export const SDK_HASH_FILE = join(SDK_FOLDER, "schema.sha256");

/** Returns the current text of `schema.json`. */
export function schemaText(): string {
  // Only a release has an address.
  const { homepage }: { readonly homepage?: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const schema = packageSchema();
  return `${JSON.stringify(homepage ? withRepository(schema, homepage) : schema, null, 2)}\n`;
}

/** Returns the schema with the address of the repository, from which Go programs get the SDK. */
function withRepository(schema: Record<string, unknown>, repository: string): Record<string, unknown> {
  const { go, ...others } = schema.language as Record<string, object>;
  const importBasePath = `${repository.replace(/^https:\/\//, "")}/sdk/go/dbplatform`;
  return { ...schema, homepage: repository, repository, language: { ...others, go: { ...go, importBasePath } } };
}

export const hashOf = (text: string): string => `${createHash("sha256").update(text).digest("hex")}\n`;

/** Returns the text of a file, or `undefined` if the file does not exist. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
