import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Endpoint } from "../../contract/endpoint";
import { refuse } from "../messages";
import type { ApiError } from "../refusal";
import { assertStorableText } from "./storable-text";

/** The largest accepted JSON body in bytes. The specification names no limit (§8). */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The maximum depth of nested JSON, so that no recursion over a body overflows the stack. */
export const MAX_BODY_DEPTH = 32;

/** The largest accepted upload in bytes, because a file is held in memory while it is parsed. */
const MAX_FILE_BYTES = 64 * MAX_BODY_BYTES;

/** Returns the maximum size of an operation's body in bytes. */
export const largestBody = ({ consumes }: Pick<Endpoint, "consumes">): number =>
  consumes === "multipart" ? MAX_FILE_BYTES : MAX_BODY_BYTES;

/** Reads a body. Returns `undefined` as soon as the body exceeds the limit. */
export async function readBodyBytes(incoming: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Keeps the stream open, because destroying it would also destroy the socket that the response still needs.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the parts of a `multipart/form-data` body by name, or `undefined` if the body is of another type. */
export async function parseFormBody(bytes: Buffer, type: string | undefined): Promise<Form | undefined> {
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { "Content-Type": type ?? "" } }).formData();
    return Object.fromEntries(form);
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    return undefined;
  }
}

export type Form = Readonly<Record<string, File | string>>;

/**
 * Decodes a body as UTF-8. Decoding is strict, because lenient decoding would store names with characters that nobody
 * sent.
 */
export const decodeBody = (bytes: Buffer): string | ApiError =>
  isUtf8(bytes) ? bytes.toString() : refuse.bodyNotUtf8();

/**
 * Parses JSON and converts all keys to lower case, because some calls of the official clients capitalize keys
 * (wire-facts 0).
 */
export const parseJsonBody = (text: string): unknown => withLowerCaseKeys(parseJson(text), 0);

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw refuse.bodyNotJson(lineAndColumn(jsonErrorOffset(text, thrown as SyntaxError), text));
  }
}

function withLowerCaseKeys(value: unknown, depth: number): unknown {
  if (typeof value === "string") assertStorableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_BODY_DEPTH) throw refuse.bodyTooDeep({ depth: MAX_BODY_DEPTH });
  if (Array.isArray(value)) return value.map((each) => withLowerCaseKeys(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key.toLowerCase(), withLowerCaseKeys(each, depth + 1)]),
  );
}

/**
 * Returns the position of a JSON error. `JSON.parse` seldom reports the position. Its messages cannot be shown to
 * users, because they quote the text, which may contain a secret.
 */
function jsonErrorOffset(text: string, { message }: SyntaxError): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  if (!hasUnexpectedToken(text)) return text.length;
  // Finds the invalid JSON token by binary search: a prefix that ends before this token is incomplete, but not invalid.
  let [unfinished, wrong] = [0, text.length];
  while (wrong - unfinished > 1) {
    const middle = (unfinished + wrong) >> 1;
    if (hasUnexpectedToken(text.slice(0, middle))) wrong = middle;
    else unfinished = middle;
  }
  return unfinished;
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (thrown) {
    return (thrown as SyntaxError).message.startsWith("Unexpected token");
  }
}

function lineAndColumn(offset: number, text: string): { line: number; column: number } {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
