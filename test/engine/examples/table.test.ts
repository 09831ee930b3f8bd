import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../tools/run";

const folder = join(root, "examples");

test("lists exactly the existing examples in the table of examples", () => {
  const table = readFileSync(join(folder, "README.md"), "utf8");
  const listed = [...table.matchAll(/^\| \[([a-z-]+)\]\(\1\) \|/gm)].map(([, name]) => name);
  const there = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(listed.sort()).toEqual(there.map(({ name }) => name).sort());
});
