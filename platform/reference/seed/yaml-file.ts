import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  visit,
} from "yaml";
import type { z } from "zod";
import { messageOf } from "../refusal";
import { describeIssue } from "../requests/form-problem";
import { TYPES } from "../requests/messages";
import {
  aliasesTooLarge,
  anchorMissing,
  duplicate,
  fileEmpty,
  fileNotUtf8,
  fileUnreadable,
  NESTED_TOO_DEEPLY,
  SECOND_DOCUMENT,
  YAML_OBJECT,
} from "./messages";
import { mistakesOf } from "./mistakes";

interface PlacedMistake {
  readonly offset: number;
  readonly text: string;
}

/** Reads a YAML (or JSON) file. Throws one error that lists every mistake in the file with its line. */
export async function readYaml<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  what: string,
): Promise<z.output<Schema>> {
  const lines = new LineCounter();
  const text = await readText(path, what);
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const refuse = (mistakes: readonly PlacedMistake[]): Error => {
    const inOrder = mistakes.toSorted((one, other) => one.offset - other.offset);
    const sentences = inOrder.map(({ offset, text }) => `${path}:${lines.linePos(offset).line}: ${text}`);
    // The YAML library reports each unclosed bracket of a line with the same sentence.
    return new Error([...new Set(sentences)].join("\n"));
  };

  const ofYaml = syntaxMistakes(document, text);
  if (document.errors.some(({ code }) => code !== "DUPLICATE_KEY")) throw refuse(ofYaml);

  if (document.contents === null) throw new Error(fileEmpty({ content: what, file: path }));

  const leadingNowhere = cutAliases(document);
  const { data, error } = schema.safeParse(unfoldedAliases(document, path), { error: describeYamlIssue });
  const ofContent = error ? mistakesOf(error).map((each) => ({ ...each, ...placeIn(document, each.path) })) : [];
  const mistakes = [
    ...ofYaml,
    ...[...leadingNowhere.values()],
    ...ofContent.filter(({ value }) => !leadingNowhere.has(value)),
  ];
  if (mistakes.length > 0) throw refuse(mistakes);
  return data as z.output<Schema>;
}

/** Describes mistakes in terms of YAML instead of JSON, because people write these files in YAML. */
const describeYamlIssue: z.core.$ZodErrorMap = (issue) =>
  String(describeIssue(issue)).replaceAll(String(TYPES.object), YAML_OBJECT);

async function readText(path: string, what: string): Promise<string> {
  const bytes = await readFile(path).catch((cause) => {
    throw new Error(fileUnreadable({ content: what, file: path, reason: messageOf(cause) }), { cause });
  });
  if (!isUtf8(bytes)) throw new Error(fileNotUtf8({ file: path }));
  return bytes.toString();
}

/**
 * Returns the syntax errors in the file. Replaces the YAML library's messages if only programmers would understand
 * them. Reports excessive nesting only once.
 */
function syntaxMistakes({ errors }: Document.Parsed, text: string): PlacedMistake[] {
  const tooDeep = errors.findLast(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (tooDeep) return [{ offset: tooDeep.pos[0], text: NESTED_TOO_DEEPLY }];
  return errors.map(({ code, pos: [offset], message }) => {
    if (code === "DUPLICATE_KEY") return { offset, text: duplicate({ kind: "key", text: keyAt(text, offset) }) };
    if (code === "MULTIPLE_DOCS") return { offset, text: SECOND_DOCUMENT };
    return { offset, text: message };
  });
}

/** Returns the key as written, without quotation marks. */
const keyAt = (text: string, offset: number): string =>
  /^(?:"([^"\n]*)"|'([^'\n]*)'|([^\s:,[\]{}]+))/
    .exec(text.slice(offset))
    ?.slice(1)
    .find((key) => key !== undefined) ?? "";

/** Sets each alias without an anchor to `null`, so that the rest of the file can be checked. */
function cutAliases(document: Document): Map<unknown, PlacedMistake> {
  const cut = new Map<unknown, PlacedMistake>();
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document)) return;
      const nothing = new Scalar(null);
      cut.set(nothing, { offset: alias.range?.[0] ?? 0, text: anchorMissing({ alias: alias.source }) });
      return nothing;
    },
  });
  return cut;
}

/** Resolves the aliases. Throws if aliases of aliases expand to too much data. */
function unfoldedAliases(document: Document, path: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    if (cause instanceof ReferenceError) throw new Error(aliasesTooLarge({ file: path }), { cause });
    throw new Error(`${path}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Returns the value at a path, and the offset of its key or entry. If the path does not exist, the offset is that of
 * the nearest enclosing key or entry.
 */
function placeIn(document: Document, path: readonly PropertyKey[]): { offset: number; value: unknown } {
  let offset = nodeOffset(document.contents) ?? 0;
  let value: unknown = document.contents;
  for (const step of path) {
    const [begin, inside] = nodeWithin(isAlias(value) ? value.resolve(document) : value, String(step));
    offset = nodeOffset(begin) ?? offset;
    value = inside;
  }
  return { offset, value };
}

/**
 * Returns the node where an entry begins, and the entry's value. A map entry begins with its key, and a list entry with
 * its value. If a key occurs twice, the last occurrence counts.
 */
function nodeWithin(node: unknown, step: string): [begin?: unknown, value?: unknown] {
  if (isSeq(node)) return [node.items[Number(step)], node.items[Number(step)]];
  if (!isMap(node)) return [];
  const pair = node.items.findLast(({ key }) => String(isScalar(key) ? key.value : key) === step);
  return [pair?.key, pair?.value];
}

const nodeOffset = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
