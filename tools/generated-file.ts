import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export const hashOf = (text: string): string => `${createHash("sha256").update(text).digest("hex")}\n`;

/** Returns the contents of a file, or `undefined` if the file does not exist. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
