import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { Refusal } from "../kit/refusal";
import { CASES, EXAMPLES } from "./message-facts";
import { root } from "./run";

/** A message for users, rendered with example values of its facts. */
interface PrintedMessage {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

export async function printedMessages(): Promise<PrintedMessage[]> {
  const files = globSync("{kit,platform,provider}/**/messages.ts", { cwd: root }).sort();
  const printed: PrintedMessage[] = [];
  for (const file of files)
    for (const [name, value] of Object.entries((await import(join(root, file))) as object))
      printed.push(...rendered(file, name, value));
  return printed;
}

function rendered(file: string, name: string, value: unknown): PrintedMessage[] {
  if (typeof value === "string") return [{ file, name, text: value }];
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([part, inner]) => rendered(file, `${name}.${part}`, inner));
  if (typeof value !== "function" || !hasFacts(file)) return [];
  return [...new Set(textsOf(name, value as Message))].map((text) => ({ file, name, text }));
}

/** Returns whether the functions of a file take facts. In other files, a function is not a message. */
const hasFacts = (file: string): boolean => /from "[^"]*\/facts"/.test(readFileSync(join(root, file), "utf8"));

type Message = (facts: never) => unknown;
type Chosen = Readonly<Record<string, unknown>>;

/** Renders a message with each combination of the example values of the facts that it reads. */
export function textsOf(name: string, message: Message): string[] {
  return (CASES[name] ?? [{}]).flatMap((chosen: Chosen) => textsWith(chosen, name, message));
}

/** Renders a message with these facts and, for the first other fact that it reads, with each example of that fact. */
function textsWith(facts: Chosen, name: string, message: Message): string[] {
  const observed = new Proxy(facts, {
    get: (_, fact: string) => {
      if (fact in facts) return facts[fact];
      throw new UnknownFact(fact);
    },
    // A spread would copy only the facts that are known already, and leave out all others.
    ownKeys: () => {
      throw new Error(`${name} spreads its facts; pass each by name, so that its examples are printed`);
    },
  });
  try {
    const text = textOf(message(observed as never));
    if (/\bundefined\b/.test(text)) throw new Error(`${name} prints an undefined fact: ${text}`);
    return [text];
  } catch (thrown) {
    if (!(thrown instanceof UnknownFact)) throw thrown;
    const { fact } = thrown;
    const values = EXAMPLES[fact];
    if (!values) throw new Error(`tools/message-facts.ts has no example of "${fact}" in ${name}`);
    return values.flatMap((value) => textsWith({ ...facts, [fact]: value }, name, message));
  }
}

class UnknownFact extends Error {
  constructor(readonly fact: string) {
    super(fact);
  }
}

function textOf(result: unknown): string {
  if (typeof result === "string") return result;
  if (result instanceof Error) return `${"status" in result ? `${result.status} ` : ""}${result.message}`;
  const { tried, answer, reason, message, advice } = result as Record<string, string | undefined>;
  const fact = answer ?? reason ?? message ?? JSON.stringify(result);
  return new Refusal("invalid", { answer: fact, advice, tried }).message;
}

/**
 * Names of properties and functions whose strings need not be in a `messages.ts` file: descriptions, command-line
 * options, errors that only a bug can cause, and code of another language (`code`).
 */
const NOT_MESSAGES = new Set([
  ...["description", "describe", "describeOutput", "example", "examples", "meta", "word", "values", "fenced"],
  ...["summary", "whyUnused", "purpose", "option", "requiredOption", "argument", "addHelpText", "Option"],
  ...["namedResultType", "shownOnce", "defineWhileDeleted"],
  ...["Error", "TypeError", "html", "sql", "exec", "code"],
]);

/**
 * Where sentences stay in the markup instead of a `messages.ts` file: the reference API's page, the OpenAPI document, the
 * reference pages and the generated exports. The fake engine in kit/laws repeats the sentences of Pulumi's engine, and
 * kit/dynamic/sdk.ts is compiled without the rest of the kit (decision 198).
 */
const DOCUMENTS = /^(platform\/reference\/(page|openapi)\/|kit\/(laws\/|docs\.ts|dynamic\/(exports|sdk)\.ts))/;

/** Finds sentences of at least four words that are not in a `messages.ts` file. */
export function straySentences(...folders: readonly string[]): { readonly place: string; readonly text: string }[] {
  const files = folders.map((folder) => `${folder}/**/*.ts`);
  return globSync(files, { cwd: root })
    .filter((file) => !/messages\.ts$|^kit\/dist\//.test(file) && !DOCUMENTS.test(file))
    .sort()
    .flatMap((file) => {
      const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
      const found: ReturnType<typeof straySentences> = [];
      const visit = (node: ts.Node): void => {
        if (isDescription(node)) return;
        if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
          const text = node.getText(source).slice(1, -1);
          const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
          if (isSentence(text)) found.push({ place: `${file}:${line + 1}`, text });
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
 * Prints all messages for users. With `--stray <folder>...`, prints the sentences in these folders that are not in a
 * `messages.ts` file.
 */
async function main([flag, ...folders]: readonly string[]): Promise<void> {
  if (flag === "--stray") {
    for (const { place, text } of straySentences(...folders)) console.log(place, text);
    return;
  }
  let last = "";
  for (const { file, name, text } of await printedMessages()) {
    if (file !== last) console.log(`\n${file}`);
    last = file;
    console.log(`  ${name}\n      ${text.replaceAll("\n", "\n      ")}`);
  }
}

if (require.main === module) void main(process.argv.slice(2));
