import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../../tools/run";
import { SKILL_FILE, skillText } from "../../tools/skill";

const textOf = (file: string) => readFileSync(join(root, file), "utf8");

test.each(["AGENTS.md", "CONTRIBUTING.md"])("%s names only commands that exist", (page) => {
  const commands = [...textOf(page).matchAll(/\bnpm (?:run ([\w:-]+)|test\b)/g)].map(([, script = "test"]) => script);
  expect(commands.length).toBeGreaterThan(3);
  const { scripts } = JSON.parse(textOf("package.json"));
  expect(commands.filter((command) => !(command in scripts))).toEqual([]);
});

test("AGENTS.md names only paths that exist", () => {
  const named = [...textOf("AGENTS.md").matchAll(/`([\w.-]+\/[\w./-]*)`|\]\(([^)]+)\)/g)];
  const paths = named.map(([, code, link]) => code ?? link ?? "");
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("the pages about the code name only files that exist", () => {
  const pages = globSync(["CONTRIBUTING.md", "docs/architecture.md", "docs/decisions/*.md", "{bench,kit}/README.md"], {
    cwd: root,
  });
  const ours = /`((?:bench|kit|platform|provider|sdk|test|tools)\/[\w./-]+\.(?:ts|cjs|mjs|yaml))`/g;
  const named = pages.flatMap((page) => [...textOf(page).matchAll(ours)].map(([, file = ""]) => ({ page, file })));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
});

test.each([
  ["AGENTS.md", /\n/g, 80],
  ["README.md", /\n/g, 120],
  ["docs/agents.md", /\n/g, 60],
  ["docs/reference-api.md", /\S+/g, 1_200],
  ["CONTRIBUTING.md", /\S+/g, 1_500],
])("%s stays short", (page, unit, most) => {
  expect(textOf(page).match(unit)?.length).toBeLessThanOrEqual(most);
});

test("the skill has the sections of docs/agents.md, and the front matter that agents read", () => {
  const text = readFileSync(SKILL_FILE, "utf8");
  expect(text).toBe(skillText());
  const [, frontMatter = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  const { name, description, ...others } = parse(frontMatter);
  expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(name).toBe(basename(dirname(SKILL_FILE)));
  expect(description.length).toBeLessThanOrEqual(1024);
  expect(Object.keys(others)).toEqual(["license"]);
  expect(body.match(/^## .*$/gm)).toEqual(["## Rules for the agent", "## What undo brings back"]);
});

test("the skill names pages by their paths in a project that has installed the package", () => {
  const text = readFileSync(SKILL_FILE, "utf8");
  const paths = [...text.matchAll(/`node_modules\/pulumi-dbplatform\/([^`]+)`/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(3);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(text).not.toContain("](");
});
