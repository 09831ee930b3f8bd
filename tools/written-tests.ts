import { readFileSync } from "node:fs";
import ts from "typescript";

/** A test as it is written in the source, so that a table of cases counts as one test. */
export interface WrittenTest {
  /**
   * The titles of the groups and of the test in the source code, for example "the restored %s". A computed title is
   * `undefined`.
   */
  readonly titles: readonly (string | undefined)[];
  readonly texts: readonly string[];
}

/** Returns all tests of a file except skipped tests (`skip`, `todo`). */
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
    const here = {
      titles: [...within.titles, titleOf(title)],
      texts: [...within.texts, ...texts],
    };
    if (call.chain[0] !== "describe") tests.push(here);
    for (const part of rest) visit(part, here);
  };
  visit(sourceOf(file), { titles: [], texts: [] });
  return tests;
}

const sourceOf = (file: string) => ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);

/** Parses a call such as `test(…)` or `describe.each(table)(…)`. */
function callOf(node: ts.Node) {
  if (!ts.isCallExpression(node)) return undefined;
  const chain = chainOf(node.expression);
  if (!["test", "it", "describe"].includes(chain[0] ?? "")) return undefined;
  const table = ts.isCallExpression(node.expression) ? node.expression.arguments : [];
  return { chain, table: [...table], arguments: [...node.arguments] };
}

/** Returns the names in a chain of calls: `test.skipIf(full).each(table)` gives test, skipIf and each. */
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
