import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/run";
import { stories } from "../engine/docs/stories";
import { blocksOf, type CodeBlock, commandsIn, isShown, pages } from "./blocks";
import { NOT_RUN, READ } from "./unplayed";

const textOf = (path: string) => readFileSync(join(root, path), "utf8");

const blocks = pages.flatMap(blocksOf);
const examples = globSync("examples/**/*.{ts,yaml}", { cwd: root }).map(textOf);
const unplayed = [...READ, ...NOT_RUN];
const isIn =
  ({ page, text }: CodeBlock) =>
  (entry: (typeof unplayed)[number]) =>
    entry.page === page && text.startsWith(entry.beginning);

/** Returns whether a test runs, compiles or reads a block. */
function isTested(block: CodeBlock): boolean {
  const { page, language, text } = block;
  const story = stories[page];
  return (
    unplayed.some(isIn(block)) ||
    (["sh", "console", ""].includes(language) && story !== undefined) ||
    Object.keys(story?.files ?? {}).includes(language) ||
    // The test "compiles every code example in the docs" covers all TypeScript blocks.
    language === "typescript" ||
    examples.some((file) => file.includes(text))
  );
}

test.each(pages)("every command, output and program in %s is tested, or listed as untested with a reason", (page) => {
  const untested = blocksOf(page).filter((block) => !isTested(block));
  expect(untested.map(({ text }) => text)).toEqual([]);
});

test.each(unplayed)("$page contains the block that is listed as untested: $beginning", (entry) => {
  expect(blocks.filter((block) => isIn(block)(entry))).not.toEqual([]);
});

test.each(READ)("$test tests the docs block that begins with `$beginning`", ({ test, by }) => {
  expect(textOf(test)).toContain(by);
});

test.each(NOT_RUN)(
  "the reason for not running a docs block refers only to existing test files: $beginning",
  ({ reason }) => {
    for (const [path] of reason.matchAll(/test\/[\w/.-]*\w/g)) expect(existsSync(join(root, path))).toBe(true);
  },
);

test("reads commands and their outputs from indented and fenced blocks", () => {
  const page = "docs/adopt.md";
  const console = "$ list --all\none\ntwo\n$ nothing\n";
  const commands = commandsIn([
    { page, language: "sh", text: "first\nsecond\n" },
    { page, language: "", text: "output\n" },
    { page, language: "yaml", text: "a: b\n" },
    { page, language: "console", text: console },
  ]);
  expect(commands).toEqual([
    { command: "first" },
    { command: "second", output: "…\noutput\n…\n" },
    { command: "list --all", output: "one\ntwo\n" },
    { command: "nothing", output: "" },
  ]);
});

test.each([
  ["all lines of the output", true, "one\ntwo\n", "one\ntwo\n"],
  ["all lines of the output but the last", false, "one\n", "one\ntwo\n"],
  ["all lines of the output but the first", false, "two\n", "one\ntwo\n"],
  ["`…` in place of the first line of the output", true, "…\ntwo\n", "one\ntwo\n"],
  ["`…` before and after a line of the output", true, "…\none\n…\n", "zero\none\ntwo\n"],
  ["the lines of the output in a different order", false, "…\ntwo\n…\none\n…\n", "one\ntwo\n"],
  ["a time that differs from the output", true, "at 2026-11-20 16:44 UTC\n", "at 2027-01-01 00:00 UTC  \n"],
  [
    "an id that differs from the output",
    true,
    "id 434bbb71-2167-4e71-aa7d-939dcae6902b\n",
    "id 0eb771dd-6906-11ee-8553-eaa7715aeaf2\n",
  ],
  ["a name that differs from the output", false, "orders-58d6a3c\n", "invoices-58d6a3c\n"],
])("if a page shows %s, `isShown` returns %s", (_what, same, shown, output) => {
  expect(isShown(shown, output)).toBe(same);
});
