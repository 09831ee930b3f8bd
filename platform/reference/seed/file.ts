import { readFile } from "node:fs/promises";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { Seed } from "./seed";

/** The seed in a YAML (or JSON) file. Every mistake is told with its line. */
export async function readSeed(path: string): Promise<Seed> {
  const lines = new LineCounter();
  const document = parseDocument(await textOf(path), { lineCounter: lines });
  const [error] = document.errors;
  if (error) throw new Error(`${path}: ${error.message}`);

  const content = contentOf(document, path);
  const { error: invalid } = Seed.safeParse(content);
  if (!invalid) return content as Seed;
  const problems = invalid.issues.map(
    (issue) =>
      `${path}:${lineOf(document, issue.path, lines)}: ${[...issue.path.map(String), issue.message].join(": ")}`,
  );
  throw new Error(problems.join("\n"));
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new Error(`the seed file ${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Aliases are followed only here, and may lead nowhere, or to too much. */
function contentOf(document: Document, path: string): unknown {
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
