import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageSchema } from "../provider/schema";
import { root } from "./run";

export const SCHEMA_FILE = join(root, "schema.json");
export const SDK_FOLDER = join(root, "sdk/nodejs");
/** Says which schema the SDK was made from. */
export const SDK_HASH_FILE = join(SDK_FOLDER, "schema.sha256");

/** `schema.json` as it should be now. */
export const schemaText = (): string => `${JSON.stringify(packageSchema(), null, 2)}\n`;

export const hashOf = (text: string): string => `${createHash("sha256").update(text).digest("hex")}\n`;

/** The text of a file, or nothing. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
