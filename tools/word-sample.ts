import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "./run";
import { writtenTests } from "./written-tests";

const SIZE = 40;

/** Prints a random sample of comments and test names, which readers grade: `tsx tools/word-sample.ts <seed>`. */
function main(): void {
  const seed = Number(process.argv[2] ?? 1);
  const code = globSync("{platform,provider,sdk,tools,bench,test}/**/*.ts", {
    cwd: root,
    exclude: ["sdk/nodejs/**", "sdk/dynamic-exports.ts"],
  });
  print("comments", drawn(code.toSorted().flatMap(commentsIn), seed));
  print("names of tests", drawn(namesOfTests(), seed));
}

function print(what: string, texts: readonly string[]): void {
  console.log(`\n## ${texts.length} ${what}\n`);
  for (const [index, text] of texts.entries()) console.log(`${index + 1}. ${text}`);
}

function commentsIn(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const comments = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? [])
      comments.set(
        pos,
        text
          .slice(pos, end)
          .replace(/^\/\*+|\*\/$|^\/\/+/g, "")
          .replace(/\n\s*\*/g, " "),
      );
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return [...comments.values()]
    .filter((words) => /\w+ \w+ \w+/.test(words) && !/biome-ignore|Promise: /.test(words))
    .map((words) => `${words.trim().replace(/\s+/g, " ")} (${file})`);
}

/** Returns the names of all tests, each preceded by the names of its groups. */
const namesOfTests = (): string[] =>
  globSync("test/**/*.test.ts", { cwd: root })
    .toSorted()
    .flatMap((file) => writtenTests(join(root, file)).map(({ titles }) => `${titles.join(" › ")} (${file})`));

/** Draws a random sample without replacement. The same seed and texts always give the same sample. */
function drawn(texts: readonly string[], seed: number): string[] {
  const left = [...texts];
  let state = seed;
  return Array.from({ length: Math.min(SIZE, left.length) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return left.splice(Math.floor((state / 2 ** 32) * left.length), 1)[0] as string;
  });
}

main();
