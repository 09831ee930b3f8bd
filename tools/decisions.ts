import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const RECORDS = "docs/decisions/*.md";
const CITING = [
  "*.{md,mts,cjs}",
  ".github/**/*.{md,yml}",
  "{bench,docs,examples,kit,platform,provider,sdk,test,tools}/**/*.{md,ts}",
];
const NOT_OURS = ["**/node_modules/**", "sdk/nodejs/**"];

/** Matches the heading of a decision, for example `## 79. A cached list is trusted entry by entry`. */
const HEADING = /^## (\d+)\. \S/;
/**
 * Matches the date and status of a decision, for example `2026-11-21, changed 2026-11-22 · accepted; supersedes
 * decision 8 in part`.
 */
const STATUS = /^\d{4}-\d{2}-\d{2}(, \w+ \d{4}-\d{2}-\d{2})? · (accepted|superseded)/;
/** Matches a space, or a line break with the comment marker of the next line. */
const SPACE = "(?: |\\n[ \\t]*(?:(?:\\*|//|#) )?)";
/** Matches a reference to one or more decisions, for example `decision 79` or `decisions 8, 79 and 90`. */
const CITED = new RegExp("\\bdecisions? \\d+(?:(?:,| and|, and) \\d+)*".replaceAll(" ", SPACE), "gi");

interface Found {
  readonly number: string;
  readonly at: string;
}

/**
 * Returns problems with the decision records: numbers that are used twice, decisions without a date or status, and
 * references to decisions that do not exist.
 */
export function decisionProblems(root: string): string[] {
  const records = textsIn(root, [RECORDS]).flatMap(({ file, text }) =>
    text.split("\n").flatMap((line, index, lines) => {
      const number = HEADING.exec(line)?.[1];
      return number === undefined ? [] : [{ number, at: `${file}:${index + 1}`, next: lines[index + 1] ?? "" }];
    }),
  );
  const first = new Map<string, string>();
  for (const { number, at } of records) if (!first.has(number)) first.set(number, at);
  return [
    ...records
      .filter(({ number, at }) => first.get(number) !== at)
      .map(({ number, at }) => `${at}: decision ${number} is already in ${first.get(number)}`),
    ...records
      .filter(({ next }) => !STATUS.test(next))
      .map(
        ({ number, at }) =>
          `${at}: decision ${number} lacks the line "<date> · accepted" or "<date> · superseded by …"`,
      ),
    ...citations(root)
      .filter(({ number }) => !first.has(number))
      .map(({ number, at }) => `${at}: there is no decision ${number}`),
  ];
}

const citations = (root: string): Found[] =>
  textsIn(root, CITING).flatMap(({ file, text }) =>
    [...text.matchAll(CITED)].flatMap(({ 0: cited, index }) =>
      [...cited.matchAll(/\d+/g)].map(({ 0: number, index: within }) => ({
        number,
        at: `${file}:${text.slice(0, index + within).split("\n").length}`,
      })),
    ),
  );

const textsIn = (root: string, patterns: readonly string[]) =>
  globSync(patterns, { cwd: root, exclude: NOT_OURS })
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
