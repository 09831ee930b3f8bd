import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Words with which a comment says what bounds a collection. */
const BOUND = /\b(at most|one (entry )?for each|until|limits?)\b/i;

const isEmptyArray = (node: ts.Expression): boolean => ts.isArrayLiteralExpression(node) && node.elements.length === 0;

/** Returns whether an expression is an empty map or set, or an object of such. */
function isEmptyMap(node: ts.Expression): boolean {
  if (ts.isObjectLiteralExpression(node))
    return node.properties.some((property) => ts.isPropertyAssignment(property) && isEmptyMap(property.initializer));
  return ts.isNewExpression(node) && ["Map", "Set"].includes(node.expression.getText()) && !node.arguments?.length;
}

/** Returns whether something may be added to the collection that a field or variable holds. */
function mayGrow({ type, initializer }: ts.PropertyDeclaration | ts.VariableDeclaration): boolean {
  const declared = type?.getText() ?? "";
  if (/^readonly |^Readonly(Map|Set)</.test(declared)) return false;
  if (/^(Map|Set)</.test(declared)) return true;
  return initializer !== undefined && (isEmptyArray(initializer) || isEmptyMap(initializer));
}

/** Returns the collections in a file that outlive a call, because they are a field of a class or belong to the module. */
function collectionsIn(path: string): { place: string; comment: string }[] {
  const text = readFileSync(path, "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const found: { place: string; comment: string }[] = [];
  const note = (node: ts.Node, declaration: ts.PropertyDeclaration | ts.VariableDeclaration) => {
    if (!mayGrow(declaration)) return;
    const comments = ts.getLeadingCommentRanges(text, node.pos) ?? [];
    const comment = comments.map(({ pos, end }) => text.slice(pos, end).replace(/[\s*/]+/g, " ")).join(" ");
    found.push({ place: `${path} ${declaration.name.getText()}`, comment });
  };
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement))
      for (const declaration of statement.declarationList.declarations) note(statement, declaration);
    if (ts.isClassDeclaration(statement))
      for (const member of statement.members) if (ts.isPropertyDeclaration(member)) note(member, member);
  }
  return found;
}

test("a comment says what bounds each collection that outlives a call", () => {
  const paths = globSync("{kit,provider,platform}/**/*.ts");
  const found = paths.flatMap(collectionsIn);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ comment }) => !BOUND.test(comment)).map(({ place }) => place)).toEqual([]);
});
