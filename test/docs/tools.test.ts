import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/run";
import { rowOf, TOOLS } from "../clients/tools";

test("docs/reference-api-sql.md lists the tools with the versions that the tests install", () => {
  const page = readFileSync(join(root, "docs/reference-api-sql.md"), "utf8");
  const [, section = ""] = page.split("\n## Tools\n");
  const rows = section.split("\n## ")[0]?.match(/^\| (?!Tool ).*$/gm) ?? [];
  expect(rows).toEqual(TOOLS.map(rowOf));
});
