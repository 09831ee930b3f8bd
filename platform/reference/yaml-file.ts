import { readFile } from "node:fs/promises";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { ourWords } from "./form-problem";
import { issueText } from "./issue-text";

/** A YAML (or JSON) file. */
export async function readYaml<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  what: string,
): Promise<z.output<Schema>> {
  const lines = new LineCounter();
  const document = parseDocument(await read(path, what), { lineCounter: lines });
  if (document.errors.length > 0)
    throw new Error(document.errors.map(({ message }) => `${path}: ${message}`).join("\n"));

  const { data, error } = schema.safeParse(unfolded(document, path), { error: ourWords });
  if (!error) return data;
  const mistakes = error.issues.map((issue) => ({ line: lineOf(document, issue.path, lines), text: issueText(issue) }));
  mistakes.sort((one, other) => one.line - other.line);
  throw new Error(mistakes.map(({ line, text }) => `${path}:${line}: ${text}`).join("\n"));
}

async function read(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new Error(`the ${what} file ${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Aliases are followed only here, and may lead nowhere, or to too much. */
function unfolded(document: Document, path: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    throw new Error(`${path}: ${messageOf(cause)}`, { cause });
  }
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Of the value at the path, or of the nearest one around it. */
function lineOf(document: Document, path: readonly PropertyKey[], lines: LineCounter): number {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  return path.length === 0 ? 1 : lineOf(document, path.slice(0, -1), lines);
}
