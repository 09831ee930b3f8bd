import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageSchema } from "../provider/schema";
import { root } from "./run";

export const SCHEMA_FILE = join(root, "schema.json");
export const SDK_FOLDER = join(root, "sdk/nodejs");
export const SDK_HASH_FILE = join(SDK_FOLDER, "schema.sha256");

export function schemaText(): string {
  // Takes the address from package.json, where only a release has one.
  const { homepage }: { readonly homepage?: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return `${JSON.stringify({ ...packageSchema(), ...(homepage && { homepage, repository: homepage }) }, null, 2)}\n`;
}

export const hashOf = (text: string): string => `${createHash("sha256").update(text).digest("hex")}\n`;

export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
