import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { decisionProblems } from "../../tools/decisions";
import { root } from "../../tools/run";

/** Returns what `decisionProblems` reports for a repository with the given files and a record of decision 7. */
function problemsOf(files: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-decisions-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries({ "docs/decisions/a.md": record(7), ...files })) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return decisionProblems(folder);
}

const record = (number: number, status = "2026-11-21, changed 2026-11-22 · accepted") =>
  `# Decisions\n\n## ${number}. A title\n${status}\n`;
const cite = (...numbers: number[]) => `// Why: decision${numbers.length > 1 ? "s" : ""} ${numbers.join(" and ")}.\n`;

test("accepts a citation of an existing decision", () => {
  expect(problemsOf({ "provider/a.ts": cite(7), "docs/b.md": cite(7) })).toEqual([]);
});

test.each(["platform/a.ts", "test/a/b.test.ts", "docs/a.md", "CONTRIBUTING.md", "vitest.config.mts"])(
  "reports a citation of a missing decision in %s",
  (path) => {
    expect(problemsOf({ [path]: `\n${cite(7, 8)}` })).toEqual([`${path}:2: there is no decision 8`]);
  },
);

test("reports the line of the decision number if a citation spans two lines", () => {
  const files = {
    "docs/b.md": "See decisions 7 and\n9.\n",
    "platform/a.ts": "/**\n * The reason (decision\n * 8).\n */\n",
  };
  expect(problemsOf(files)).toEqual(["docs/b.md:2: there is no decision 9", "platform/a.ts:3: there is no decision 8"]);
});

test("ignores citations in generated files", () => {
  expect(problemsOf({ "sdk/nodejs/a.ts": cite(8) })).toEqual([]);
});

test("reports a decision number that is used twice, even in two files", () => {
  expect(problemsOf({ "docs/decisions/b.md": record(7) })).toEqual([
    "docs/decisions/b.md:3: decision 7 is already in docs/decisions/a.md:3",
  ]);
});

test.each(["", "accepted", "2026-11-21 · perhaps"])("reports a decision with the invalid status line %j", (status) => {
  expect(problemsOf({ "docs/decisions/b.md": record(9, status) })).toEqual([
    expect.stringMatching(/^docs\/decisions\/b\.md:3: decision 9 lacks the line/),
  ]);
});

test("finds no problem in the decision records", () => {
  expect(decisionProblems(root)).toEqual([]);
});
