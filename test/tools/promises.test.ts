import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { unprovenPromises } from "../../tools/promises";

const TESTS = `
  const cases = { "a reset": 1, "a hang": 2 };
  describe("a database", () => {
    test("is kept (always)", () => expect(/x/.test("is no test")).toBe(true));
    test.skipIf(!full).each(Object.entries(cases))("%s takes nothing away", () => {});
    test.skip("is painted", () => {});
  });
  describe.each([{ type: "Group" }])("a $type", () => {
    for (const verb of ["made", "deleted"]) test(\`is \${verb} once\`, () => {});
  });
`;

/** Returns the problems of a page with these lines, given the tests above. */
function problemsOf(...lines: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-promises-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["docs", "test"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "test/a.test.ts"), TESTS);
  writeFileSync(join(folder, "docs/reliability.md"), lines.join("\n"));
  return unprovenPromises(folder).map((problem) => problem.replace("docs/reliability.md:", ""));
}

const proof = (name: string, file = "test/a.test.ts") => `  - [a](../${file}): ${name}`;

test.each([
  "a database > is kept (always)",
  "a database > a reset takes nothing away",
  "a database > %s takes nothing away",
  "a Group > is deleted once",
])("accepts a promise that names the test `%s`", (name) => {
  expect(problemsOf("- A promise.", proof(name), "", "Prose.")).toEqual([]);
});

test.each([
  ["a test of another name", proof("a database > is kept"), /has no test "a database > is kept"/],
  ["a missing case", proof("a database > a timeout takes nothing away"), /has no test/],
  ["a skipped test", proof("a database > is painted"), /has no test/],
  ["a call that is not a test", proof("a database > is kept (always) > is no test"), /has no test/],
  ["a missing file", proof("a database > is kept (always)", "test/b.test.ts"), /test\/b\.test\.ts is gone/],
  ["a test in another form", "  - a.test.ts: a database > is kept (always)", /write ` {2}- \[/],
])("reports the line of a promise that names %s", (_, line, problem) => {
  const problems = problemsOf("- A promise.", proof("a database > is kept (always)"), line);
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(problems[0]).toMatch(/^3: /);
});

test("reports the line of a promise that names no test", () => {
  expect(problemsOf("", "- A promise.", "- Another.", proof("a database > is kept (always)"))).toEqual([
    "2: this promise names no test in the line below it",
  ]);
});
