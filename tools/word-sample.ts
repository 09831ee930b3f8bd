import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { root } from "./run";
import { writtenTests } from "./written-tests";

const SIZE = 40;

/** A comment with the line of code below it, or the name of a test. */
interface Text {
  readonly file: string;
  readonly words: string;
  readonly code?: string;
}

/**
 * Prints a random sample of comments and test names for readers to grade: `tsx tools/word-sample.ts <seed>`. Without a
 * seed, prints all comments and test names.
 */
function main([seed]: readonly string[]): void {
  const draw = (texts: readonly Text[]) => (seed === undefined ? [...texts] : drawn(texts, Number(seed)));
  const code = globSync("{kit,platform,provider,sdk,tools,bench,test}/**/*.ts", {
    cwd: root,
    exclude: ["kit/dist/**", "sdk/nodejs/**", "sdk/dynamic-exports.ts"],
  });
  print("comments", draw(code.toSorted().flatMap(commentsIn)));
  print("names of tests", printedByVitest(draw(namesOfTests())));
}

function print(what: string, texts: readonly Text[]): void {
  console.log(`\n## ${texts.length} ${what}\n`);
  for (const [index, { file, words, code }] of texts.entries())
    console.log(`${index + 1}. ${words} (${file})${code === undefined ? "" : `\n   > ${code}`}`);
}

/** Returns the comments of at least three words. Consecutive lines that begin with `//` are one comment. */
function commentsIn(file: string): Text[] {
  const text = readFileSync(join(root, file), "utf8");
  const comments = new Map<number, Text>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of joined(text, ts.getLeadingCommentRanges(text, node.pos) ?? []))
      comments.set(pos, { file, words: wordsOf(text.slice(pos, end)), code: lineAfter(text, end) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return [...comments.values()].filter(({ words }) => /\w+ \w+ \w+/.test(words));
}

function joined(text: string, comments: readonly ts.CommentRange[]): { pos: number; end: number }[] {
  const ranges: { pos: number; end: number; kind: ts.SyntaxKind }[] = [];
  for (const { pos, end, kind } of comments) {
    const last = ranges.at(-1);
    const follows = last && kind === last.kind && /^\n?[ \t]*$/.test(text.slice(last.end, pos));
    if (follows && kind === ts.SyntaxKind.SingleLineCommentTrivia) last.end = end;
    else ranges.push({ pos, end, kind });
  }
  return ranges;
}

/** Returns the text of a comment, without directives to tools, such as `biome-ignore`. */
const wordsOf = (comment: string): string =>
  comment
    .split("\n")
    .filter((line) => !/^\s*\/\/ biome-ignore /.test(line))
    .map((line) => line.replace(/^\s*(\/\*+|\/\/+|\*(?!\/))|\*\/$/g, "").trim())
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();

const lineAfter = (text: string, position: number): string | undefined =>
  text
    .slice(position)
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "" && !/^(\/\/|\/\*|\*([\s/]|$))/.test(line));

/** Returns the names of all tests, each preceded by the names of its groups. */
const namesOfTests = (): Text[] =>
  globSync("test/**/*.test.ts", { cwd: root })
    .toSorted()
    .flatMap((file) =>
      writtenTests(join(root, file)).map(({ titles }) => ({
        file,
        words: titles.map((title) => title ?? "%s").join(" > "),
      })),
    );

const FULL = { ...process.env, TEST_FULL: "1" };
const OUTPUT = { cwd: root, env: FULL, maxBuffer: Number.POSITIVE_INFINITY };

const PLACEHOLDER = /%[sdifjo#]|\$[\w.]+/g;

/** Replaces each name that contains placeholders with the first name that Vitest prints for the test. */
function printedByVitest(tests: readonly Text[]): Text[] {
  const files = new Set(tests.filter(({ words }) => words.match(PLACEHOLDER)).map(({ file }) => file));
  const options = ["--json", "--staticParse=false", "--project=!postgres"];
  const listed = files.size > 0 ? execFileSync("vitest", ["list", ...files, ...options], OUTPUT) : "[]";
  const names = JSON.parse(listed.toString()) as { name: string; file: string }[];
  return tests.map((test) => {
    const literals = test.words.split(PLACEHOLDER).map((literal) => literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    const pattern = new RegExp(`^${literals.join(".*")}$`, "s");
    const first = names.find(({ name, file }) => relative(root, file) === test.file && pattern.test(name));
    return { ...test, words: first?.name ?? test.words };
  });
}

/** Draws a random sample without replacement. With the same texts and seed, the sample is always the same. */
function drawn(texts: readonly Text[], seed: number): Text[] {
  const left = [...texts];
  let state = seed;
  return Array.from({ length: Math.min(SIZE, left.length) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return left.splice(Math.floor((state / 2 ** 32) * left.length), 1)[0] as Text;
  });
}

main(process.argv.slice(2));
