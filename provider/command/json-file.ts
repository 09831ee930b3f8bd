import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type * as z from "zod";
import { messageOf } from "../../kit/refusal";

interface Messages {
  unreadable(path: string, reason: string): string;
  invalid(path: string): string;
}

/**
 * Reads a JSON file written by Pulumi. Error messages never quote its content, which may contain secrets.
 *
 * @param path A file; `-` means standard input.
 * @throws Error if the file cannot be read, or its content does not match the schema.
 */
export async function readJsonFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  { unreadable, invalid }: Messages,
): Promise<z.output<Schema>> {
  const content = await contentOf(path).catch((cause: unknown) => {
    throw new Error(unreadable(path, messageOf(cause)), { cause });
  });
  try {
    return schema.parse(JSON.parse(content));
  } catch {
    throw new Error(invalid(path));
  }
}

const contentOf = async (path: string): Promise<string> =>
  decoded(path === "-" ? await buffer(process.stdin) : await readFile(path));

/** Decodes a file. Windows PowerShell writes redirected output as UTF-16 with a byte order mark. */
const decoded = (bytes: Buffer): string =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8").decode(bytes);
