import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { textsOf, writtenTests } from "./written-tests";

const PROMISES_FILE = "docs/reliability.md";

const PROMISE = /^- /;
const PROOF = /^ {2}- \[[^\]]+\]\(\.\.\/(test\/[^)]+\.test\.ts)\): (.+)$/;

/** Placeholders in test titles, which each case of a table fills: `%s`, `$type`. */
const GAP = /%[sdifjo#]|\$\w+/;

/** Returns promises that name no test, and named tests that do not exist. */
export function unprovenPromises(root: string): string[] {
  const lines = readFileSync(join(root, PROMISES_FILE), "utf8").split("\n");
  return lines.flatMap((line, index) => {
    const problem = PROMISE.test(line)
      ? unnamed(lines[index + 1])
      : /^\s+- /.test(line)
        ? unproven(line, root)
        : undefined;
    return problem ? [`${PROMISES_FILE}:${index + 1}: ${problem}`] : [];
  });
}

const unnamed = (next = ""): string | undefined =>
  PROOF.test(next) ? undefined : "this promise names no test in the line below it";

function unproven(line: string, root: string): string | undefined {
  const [, file, name] = PROOF.exec(line) ?? [];
  if (!file || !name) return "this names no test: write `  - [area/file](../test/area/file.test.ts): group > test`";
  const path = join(root, file);
  if (!existsSync(path)) return `${file} is gone`;
  const texts = textsOf(path);
  const found = writtenTests(path).some(({ titles }) => {
    const gaps = gapsFilled(titles, name);
    return gaps?.every((text) => GAP.test(text) || texts.has(text));
  });
  return found ? undefined : `${file} has no test "${name}"`;
}

/** Returns the texts that fill the placeholders of the titles in `name`, or `undefined` if `name` does not match. */
function gapsFilled(titles: readonly (string | undefined)[], name: string): string[] | undefined {
  const all = titles.map((title) => title ?? "%s").join(" > ");
  const fixed = all.split(new RegExp(GAP, "g")).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${fixed.join("(.+?)")}$`).exec(name)?.slice(1);
}
