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
])("a promise that names the test `%s` is proven", (name) => {
  expect(problemsOf("- A promise.", proof(name), "", "Prose.")).toEqual([]);
});

test.each([
  ["a test of another name", proof("a database > is kept"), /has no test "a database > is kept"/],
  ["a case that is gone", proof("a database > a timeout takes nothing away"), /has no test/],
  ["a test that is skipped", proof("a database > is painted"), /has no test/],
  ["what is no test", proof("a database > is kept (always) > is no test"), /has no test/],
  ["a file that is gone", proof("a database > is kept (always)", "test/b.test.ts"), /test\/b\.test\.ts is gone/],
  ["something in another form", "  - a.test.ts: a database > is kept (always)", /write ` {2}- \[/],
])("a promise that names %s is reported with its line", (_, line, problem) => {
  const problems = problemsOf("- A promise.", proof("a database > is kept (always)"), line);
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(problems[0]).toMatch(/^3: /);
});

test("a promise that names no test is reported with its line", () => {
  expect(problemsOf("", "- A promise.", "- Another.", proof("a database > is kept (always)"))).toEqual([
    "2: this promise names no test in the line below it",
  ]);
});
