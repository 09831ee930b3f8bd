import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { textsOf, writtenTests } from "./written-tests";

const PROMISES_FILE = "docs/reliability.md";

const PROMISE = /^- /;
const PROOF = /^ {2}- \[[^\]]+\]\(\.\.\/(test\/[^)]+\.test\.ts)\): (.+)$/;

/** What fills a title's gaps in each case of its table: `%s`, `$type`. */
const GAP = /%[sdifjo#]|\$\w+/;

/** Promises that name no test, and tests that they name and that are gone. */
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

/** What the name says in the gaps of the titles; `undefined` where it says something else between them. */
function gapsFilled(titles: readonly (string | undefined)[], name: string): string[] | undefined {
  const all = titles.map((title) => title ?? "%s").join(" > ");
  const fixed = all.split(new RegExp(GAP, "g")).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${fixed.join("(.+?)")}$`).exec(name)?.slice(1);
}
