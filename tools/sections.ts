import { globSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run";
import { SPECIFICATION, UNPROVABLE } from "./specification";
import { writtenTests } from "./written-tests";

/**
 * Returns sections of the specification that no test name mentions, and references in test names to sections that do
 * not exist.
 */
export function unprovenSections(): string[] {
  const marks = globSync("test/**/*.test.ts", { cwd: root }).flatMap((file) => {
    const texts = writtenTests(join(root, file)).flatMap((test) => test.texts);
    return [...new Set(texts)].flatMap((text) => marksIn(text).map((mark) => ({ mark, file })));
  });
  const proven = new Set(marks.map(({ mark }) => mark));
  const unproven = Object.entries(SPECIFICATION).filter(([section]) => !proven.has(section) && !UNPROVABLE[section]);
  const unknown = marks.filter(({ mark }) => !(mark in SPECIFICATION) || mark in UNPROVABLE);
  return [
    ...unproven.map(([section, title]) => `§${section} (${title}) has no test`),
    ...unknown.map(({ mark, file }) => `§${mark} in ${file} is no section that a test could prove`),
  ];
}

const marksIn = (name: string): string[] =>
  [...name.matchAll(/§(\d+(?:\.\d+)*(?: (?:rule|row) \d+)?|\S*)/g)].map(([, mark = ""]) => mark);
