import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/run";
import { KNOWN, rowOf } from "../reference/sql/oracle/known";

test("docs/reference-api-sql.md lists exactly the known differences from libSQL's own server", () => {
  const page = readFileSync(join(root, "docs/reference-api-sql.md"), "utf8");
  const [, section = ""] = page.split("\n## Compared with libSQL's own server\n");
  const rows = section.split("\n## ")[0]?.match(/^\| (?!Id |---).*$/gm) ?? [];
  expect(rows).toEqual(KNOWN.map(rowOf));
});
