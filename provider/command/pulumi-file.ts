import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type * as z from "zod";
import { messageOf } from "../../kit/refusal";
import type { Facts } from "../facts";
import { unreadableFile } from "./messages";

interface Expected {
  /** The content that the file should have, for example `state`. */
  readonly content: string;
  /** Reports that the file contains something else. */
  invalid(facts: Facts<"file">): string;
}

/**
 * Reads a JSON file written by Pulumi. Error messages never quote its content, which may contain secrets.
 *
 * @param file Path of the file; `-` means standard input.
 * @throws Error if the file cannot be read, or its content does not match the schema.
 */
export async function readJsonFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  { content, invalid }: Expected,
): Promise<z.output<Schema>> {
  const text = await readText(file).catch((cause: unknown) => {
    throw new Error(unreadableFile({ content, file, reason: messageOf(cause) }), { cause });
  });
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new Error(invalid({ file }));
  }
}

const readText = async (file: string): Promise<string> =>
  decodeText(file === "-" ? await buffer(process.stdin) : await readFile(file));

/** Decodes a file. Windows PowerShell writes redirected output as UTF-16 with a byte order mark. */
const decodeText = (bytes: Buffer): string =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8").decode(bytes);
