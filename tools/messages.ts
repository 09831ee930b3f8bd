import { globSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { root } from "./run";
import { sourceFileAt } from "./source-file";

/** A text of a message catalogue. A text in one branch of a message stands by itself. */
interface CatalogueText {
  readonly file: string;
  readonly line: number;
  /** The message, or the table of messages, to which the text belongs. */
  readonly name: string;
  /** Whether the message is used outside its catalogue. */
  readonly isExported: boolean;
  /** The text with `{expression}` in place of each value. */
  readonly text: string;
}

const catalogues = (): string[] => globSync("{kit,platform,provider}/**/messages.ts", { cwd: root }).sort();

/** Returns all texts of the message catalogues, of all branches, in the order of the source. */
export function catalogueTexts(): CatalogueText[] {
  return catalogues().flatMap((file) => {
    const source = sourceFileAt(join(root, file));
    const found: CatalogueText[] = [];
    for (const statement of source.statements) {
      const name = nameOf(statement);
      if (name === undefined) continue;
      const isExported = /^export\b/.test(statement.getText(source));
      const visit = (node: ts.Node): void => {
        if (ts.isTypeNode(node)) return;
        const text = textOf(node, source);
        if (text !== undefined) found.push({ file, line: lineOf(node, source), name, isExported, text });
        ts.forEachChild(node, visit);
      };
      visit(statement);
    }
    return found;
  });
}

const lineOf = (node: ts.Node, source: ts.SourceFile): number =>
  source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;

function nameOf(statement: ts.Statement): string | undefined {
  if (ts.isFunctionDeclaration(statement)) return statement.name?.text;
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations[0]?.name.getText() : undefined;
}

function textOf(node: ts.Node, source: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(
    ({ expression, literal }) => `{${shortened(expression, source)}}${literal.text}`,
  );
  return node.head.text + spans.join("");
}

/** Returns an expression as a reader recognizes it: texts within it are listed by themselves. */
function shortened(expression: ts.Expression, source: ts.SourceFile): string {
  const text = expression.getText(source).replace(/\s+/g, " ");
  return /^[\w.]+(\([\w.]*\))?$/.test(text) ? text.replace(/^facts\./, "") : "…";
}

/** A value in a template of a message catalogue. */
interface Value {
  readonly place: string;
  readonly value: string;
}

/**
 * Returns the values in templates that may be neither a text nor a number, and would be printed as `undefined` or
 * `[object Object]`.
 *
 * @param files Paths of the files to look at.
 */
export function unprintableValues(files = catalogues().map((file) => join(root, file))): Value[] {
  const program = ts.createProgram(files, compilerOptions());
  const checker = program.getTypeChecker();
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    if (!source) throw new Error(`TypeScript does not find ${file}`);
    const found: Value[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isTemplateSpan(node) && !isPrintable(checker.getTypeAtLocation(node.expression)))
        found.push({
          place: `${relative(root, file)}:${lineOf(node, source)}`,
          value: node.expression.getText(source),
        });
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return { ...options, incremental: false };
}

const PRINTABLE = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.Never;

const isPrintable = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.every(isPrintable) : (type.flags & PRINTABLE) !== 0;

/**
 * Names of properties and functions whose strings need not be in a `messages.ts` file: descriptions, command-line
 * options, errors that only a bug can cause, and code of another language (`code`).
 */
const NOT_MESSAGES = new Set([
  ...["description", "describe", "describeOutput", "example", "examples", "meta", "word", "values", "fenced"],
  ...["summary", "whyUnused", "purpose", "option", "requiredOption", "argument", "addHelpText", "Option"],
  ...["namedResultType", "shownOnce"],
  ...["Error", "TypeError", "html", "sql", "exec", "code"],
]);

/**
 * Where sentences stay in the markup instead of a `messages.ts` file: the reference API's page, the OpenAPI document, the
 * reference pages and the generated exports. kit/dynamic/sdk.ts is compiled without the rest of the kit.
 */
const DOCUMENTS = /^(platform\/reference\/(page|openapi)\/|kit\/(docs\.ts|dynamic\/(exports|sdk)\.ts))/;

/** Finds sentences of at least four words that are not in a `messages.ts` file. */
export function straySentences(...folders: readonly string[]): { readonly place: string; readonly text: string }[] {
  const files = folders.map((folder) => `${folder}/**/*.ts`);
  return globSync(files, { cwd: root })
    .filter((file) => !/(messages|\.test)\.ts$|^kit\/dist\//.test(file) && !DOCUMENTS.test(file))
    .sort()
    .flatMap((file) => {
      const source = sourceFileAt(join(root, file));
      const found: ReturnType<typeof straySentences> = [];
      const visit = (node: ts.Node): void => {
        if (isDescription(node)) return;
        if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
          const text = node.getText(source).slice(1, -1);
          if (isSentence(text)) found.push({ place: `${file}:${lineOf(node, source)}`, text });
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
      return found;
    });
}

function isDescription(node: ts.Node): boolean {
  // A type is read by authors of resources, in the compiler's errors.
  if (ts.isLiteralTypeNode(node)) return true;
  if (ts.isVariableDeclaration(node)) return node.name.getText().endsWith("_DESCRIPTIONS");
  if (ts.isPropertyAssignment(node)) return NOT_MESSAGES.has(node.name.getText());
  if (ts.isTaggedTemplateExpression(node)) return NOT_MESSAGES.has(node.tag.getText());
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const { expression } = node;
  return NOT_MESSAGES.has((ts.isPropertyAccessExpression(expression) ? expression.name : expression).getText());
}

/** Returns whether a string looks like a sentence. A string that begins with a tag is HTML, not a sentence. */
const isSentence = (text: string): boolean =>
  !text.startsWith("<") &&
  /[a-z]{2,} [a-z`"$]+.* [a-z]{2,}/i.test(text) &&
  text.replaceAll(/\$\{[^}]*\}/g, "x").split(/\s+/).length >= 4;

/**
 * Prints all texts of the message catalogues. With `--stray <folder>...`, prints the sentences in these folders that are
 * not in a `messages.ts` file.
 */
function main([flag, ...folders]: readonly string[]): void {
  if (flag === "--stray") {
    for (const { place, text } of straySentences(...folders)) console.log(place, text);
    return;
  }
  let last = "";
  for (const { file, line, name, text } of catalogueTexts()) {
    if (!/[a-z]{2,} /i.test(text)) continue;
    if (name !== last) console.log(`\n${file}:${line} ${name}`);
    last = name;
    console.log(`  ${text.replaceAll("\n", "\n  ")}`);
  }
}

if (require.main === module) main(process.argv.slice(2));
