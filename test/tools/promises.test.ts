import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { promiseProblems, promisesText } from "../../tools/promises";

/** Creates a repository with one docs page, which lists promises, and one test file. */
function repository(page: string, tests: string): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-promises-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["docs", "test"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "test/a.test.ts"), tests);
  writeFileSync(join(folder, "docs/reliability.md"), page);
  return folder;
}

const PAGE = "## What is promised\n\n### No database is lost\n\n- It stays.\n\n### Clear messages\n";

const TESTS = `
  // Promise: Clear messages
  test("names the property", () => {});
  test("is proof of nothing", () => {});
  describe.each([{ type: "Group" }])("a $type", () => {
    // Promise: No database is lost
    // Promise: Clear messages
    test.skipIf(!full).each(cases)("%s takes nothing away", () => {});
    // Promise: Clear messages
    test.skip("is skipped", () => {});
  });
`;

test("the list of promises shows which tests prove each promise", () => {
  const text = promisesText(repository(PAGE, TESTS));
  expect(text.slice(text.indexOf("## "))).toBe(
    [
      "## No database is lost",
      "\n`test/a.test.ts`\n",
      "- a … › … takes nothing away",
      "\n## Clear messages",
      "\n`test/a.test.ts`\n",
      "- names the property",
      "- a … › … takes nothing away\n",
    ].join("\n"),
  );
});

test("accepts a page whose sections all have tests", () => {
  expect(promiseProblems(repository(PAGE, TESTS))).toEqual([]);
});

test("reports a test that names a promise missing from docs/reliability.md", () => {
  expect(promiseProblems(repository("### Clear messages\n", TESTS))).toEqual([
    'test/a.test.ts: docs/reliability.md has no section "No database is lost"',
  ]);
});

test("reports a section that no test covers", () => {
  expect(promiseProblems(repository(`${PAGE}\n### Tokens\n`, TESTS))).toEqual([
    'docs/reliability.md: no test proves "Tokens"',
  ]);
});
