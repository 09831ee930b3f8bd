import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/run";

const textOf = (file: string) => readFileSync(join(root, file), "utf8");

test.each(["AGENTS.md", "CONTRIBUTING.md"])("%s names only commands that exist", (page) => {
  const commands = [...textOf(page).matchAll(/\bnpm (?:run ([\w:-]+)|test\b)/g)].map(([, script = "test"]) => script);
  expect(commands.length).toBeGreaterThan(5);
  const { scripts } = JSON.parse(textOf("package.json"));
  expect(commands.filter((command) => !(command in scripts))).toEqual([]);
});

test("AGENTS.md names only paths that exist", () => {
  const named = [...textOf("AGENTS.md").matchAll(/`([\w.-]+\/[\w./-]*)`|\]\(([^)]+)\)/g)];
  const paths = named.map(([, code, link]) => code ?? link ?? "");
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each([
  ["AGENTS.md", /\n/g, 80],
  ["CONTRIBUTING.md", /\S+/g, 1_500],
])("%s stays short", (page, unit, most) => {
  expect(textOf(page).match(unit)?.length).toBeLessThanOrEqual(most);
});
