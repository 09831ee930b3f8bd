import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "./run";
import { SPECIFICATION, UNPROVABLE } from "./specification";

/** Sections of the specification that no test names, and marks in the names of tests that are no section. */
export function unprovenSections(): string[] {
  const marks = globSync("test/**/*.test.ts", { cwd: root }).flatMap((file) =>
    namesIn(join(root, file)).flatMap((name) => marksIn(name).map((mark) => ({ mark, file }))),
  );
  const proven = new Set(marks.map(({ mark }) => mark));
  const unproven = Object.entries(SPECIFICATION).filter(([section]) => !proven.has(section) && !UNPROVABLE[section]);
  const unknown = marks.filter(({ mark }) => !(mark in SPECIFICATION) || mark in UNPROVABLE);
  return [
    ...unproven.map(([section, title]) => `§${section} (${title}) has no test`),
    ...unknown.map(({ mark, file }) => `§${mark} in ${file} is no section that a test could prove`),
  ];
}

const marksIn = (name: string): string[] =>
  [...name.matchAll(/§(\d+(?:\.\d+)*(?: (?:rule|row) \d+)?|\S*)/g)].map(([, mark = ""]) => mark);

/** The names of tests and groups of tests, those in their tables among them. */
function namesIn(file: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && startsATest(node.expression)) {
      const table = ts.isCallExpression(node.expression) ? node.expression.arguments : [];
      for (const part of [...table, ...node.arguments.slice(0, 1)]) names.push(...textsIn(part));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest));
  return names;
}

/** `test`, `describe.each(…)` and the like. */
function startsATest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return ["test", "it", "describe"].includes(callee.text);
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return startsATest(callee.expression);
  return false;
}

function textsIn(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) return [node.text];
  const texts: string[] = [];
  ts.forEachChild(node, (child) => {
    texts.push(...textsIn(child));
  });
  return texts;
}
