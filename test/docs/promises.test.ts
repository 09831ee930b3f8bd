import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/run";
import { PROMISES } from "../promises";

const page = readFileSync(join(root, "docs/reliability.md"), "utf8");

test("test/promises.ts has every section of promises in docs/reliability.md, and no other", () => {
  expect(Object.keys(PROMISES)).toEqual([...page.matchAll(/^### (.+)$/gm)].map(([, title]) => title));
});

test.each(Object.entries(PROMISES))("existing test files prove the promises under: %s", (_, files) => {
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !file.endsWith(".test.ts") || !existsSync(join(root, file)))).toEqual([]);
});
