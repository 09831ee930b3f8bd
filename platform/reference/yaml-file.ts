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
import { ourWords } from "./form-problem";
import { mistakesOf } from "./mistakes-of";

/** A mistake and where it begins in the file. */
interface Placed {
  readonly offset: number;
  readonly text: string;
}

/** The content of a YAML (or JSON) file. Throws with every mistake in it, each at its line. */
export async function readYaml<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  what: string,
): Promise<z.output<Schema>> {
  const lines = new LineCounter();
  const document = parseDocument(await read(path, what), { lineCounter: lines, prettyErrors: false });
  const refuse = (mistakes: readonly Placed[]): Error => {
    const inOrder = mistakes.toSorted((one, other) => one.offset - other.offset);
    return new Error(inOrder.map(({ offset, text }) => `${path}:${lines.linePos(offset).line}: ${text}`).join("\n"));
  };

  const ofYaml = document.errors.map(({ pos, message }) => ({ offset: pos[0], text: message }));
  if (document.errors.some(({ code }) => code !== "DUPLICATE_KEY")) throw refuse(ofYaml);

  const leadingNowhere = cutAliases(document);
  const { data, error } = schema.safeParse(unfolded(document, path), { error: ourWords });
  const ofContent = error ? mistakesOf(error).map((each) => ({ ...each, ...placeOf(document, each.path) })) : [];
  const mistakes = [
    ...ofYaml,
    ...[...leadingNowhere.values()],
    ...ofContent.filter(({ value }) => !leadingNowhere.has(value)),
  ];
  if (mistakes.length > 0) throw refuse(mistakes);
  return data as z.output<Schema>;
}

async function read(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new Error(`the ${what} file ${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Puts nothing in the place of each alias of an anchor that there is not, so that the rest can be looked at. */
function cutAliases(document: Document): Map<unknown, Placed> {
  const cut = new Map<unknown, Placed>();
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document)) return;
      const nothing = new Scalar(null);
      cut.set(nothing, { offset: alias.range?.[0] ?? 0, text: `no anchor "${alias.source}" stands before the alias` });
      return nothing;
    },
  });
  return cut;
}

/** Aliases are followed only here, and may lead to too much. */
function unfolded(document: Document, path: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    throw new Error(`${path}: ${messageOf(cause)}`, { cause });
  }
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Where the key or the entry at the path begins, or the nearest one around it; and its value. */
function placeOf(document: Document, path: readonly PropertyKey[]): { offset: number; value: unknown } {
  let offset = offsetOf(document.contents) ?? 0;
  let value: unknown = document.contents;
  for (const step of path) {
    const [begin, inside] = within(isAlias(value) ? value.resolve(document) : value, String(step));
    offset = offsetOf(begin) ?? offset;
    value = inside;
  }
  return { offset, value };
}

/** Of what a key or an index leads to, with what it begins and what it is. The last of two equal keys counts. */
function within(node: unknown, step: string): [begin?: unknown, value?: unknown] {
  if (isSeq(node)) return [node.items[Number(step)], node.items[Number(step)]];
  if (!isMap(node)) return [];
  const pair = node.items.findLast(({ key }) => String(isScalar(key) ? key.value : key) === step);
  return [pair?.key, pair?.value];
}

const offsetOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
