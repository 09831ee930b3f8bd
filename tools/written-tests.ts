import ts from "typescript";
import { sourceFileAt } from "./source-file";

/**
 * Returns the texts of each test in a file except skipped tests (`skip`, `todo`): its titles, and those of its groups,
 * with the values in their tables.
 */
export function textsOfTests(file: string): string[][] {
  const tests: string[][] = [];
  const visit = (node: ts.Node, within: readonly string[]): void => {
    const call = callOf(node);
    if (!call) {
      ts.forEachChild(node, (child) => visit(child, within));
      return;
    }
    const [title, ...rest] = call.arguments;
    if (!title || call.chain.some((part) => part === "skip" || part === "todo")) return;
    const here = [...within, ...[...call.table, title].flatMap(textsIn)];
    if (call.chain[0] !== "describe") tests.push(here);
    for (const part of rest) visit(part, here);
  };
  visit(sourceFileAt(file), []);
  return tests;
}

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
