import { readFileSync } from "node:fs";
import ts from "typescript";

/** A test as its file says it; one with a table of cases is one. */
export interface WrittenTest {
  /** Its groups' titles and its own, as they stand: "the restored %s"; `undefined` where the title is computed. */
  readonly titles: readonly (string | undefined)[];
  /** Every text of its call and its groups' calls up to the titles, so those in their tables too. */
  readonly texts: readonly string[];
}

/** The tests of a file, without those that never run (`skip`, `todo`). */
export function writtenTests(file: string): WrittenTest[] {
  const tests: WrittenTest[] = [];
  const visit = (node: ts.Node, within: WrittenTest): void => {
    const call = callOf(node);
    if (!call) {
      ts.forEachChild(node, (child) => visit(child, within));
      return;
    }
    const [title, ...rest] = call.arguments;
    if (!title || call.chain.some((part) => part === "skip" || part === "todo")) return;
    const texts = [...call.table, title].flatMap(textsIn);
    const here = { titles: [...within.titles, titleOf(title)], texts: [...within.texts, ...texts] };
    if (call.chain[0] !== "describe") tests.push(here);
    for (const part of rest) visit(part, here);
  };
  visit(sourceOf(file), { titles: [], texts: [] });
  return tests;
}

/** Every text and number in a file: what the cases of a table, wherever it stands, are called by. */
export const textsOf = (file: string): ReadonlySet<string> => new Set(textsIn(sourceOf(file)));

const sourceOf = (file: string) => ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);

/** `test(…)`, `describe.each(table)(…)` and the like. */
function callOf(node: ts.Node) {
  if (!ts.isCallExpression(node)) return undefined;
  const chain = chainOf(node.expression);
  if (!["test", "it", "describe"].includes(chain[0] ?? "")) return undefined;
  const table = ts.isCallExpression(node.expression) ? node.expression.arguments : [];
  return { chain, table: [...table], arguments: [...node.arguments] };
}

/** `test.skipIf(full).each(table)` → test, skipIf, each. */
function chainOf(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isCallExpression(callee)) return chainOf(callee.expression);
  if (!ts.isPropertyAccessExpression(callee)) return [];
  const before = chainOf(callee.expression);
  return before.length > 0 ? [...before, callee.name.text] : [];
}

function titleOf(title: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(title)) return title.text;
  if (!ts.isTemplateExpression(title)) return undefined;
  return title.head.text + title.templateSpans.map(({ literal }) => `%s${literal.text}`).join("");
}

function textsIn(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isNumericLiteral(node)) return [node.text];
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name))
    return [node.name.text, ...textsIn(node.initializer)];
  const texts: string[] = [];
  ts.forEachChild(node, (child) => {
    texts.push(...textsIn(child));
  });
  return texts;
}
