import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as adopt from "../../provider/adopt/messages";
import { root } from "../../tools/run";
import { editor } from "../schema/editor";
import { brokenLinksIn, linksIn } from "./links";

const _pages = globSync("{*.md,{docs,examples}/**/*.md}", { cwd: root, exclude: ["**/node_modules/**"] });
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** Returns the parts of a message that do not vary. */
const fixedParts = (text: string) => text.split("…");

const sources = globSync("{provider,platform/client,platform/values,sdk}/**/*.ts", { cwd: root }).map(textOf);
const engines = [
  "no resource plugin",
  "missing required configuration key",
  "Refreshed resource is in an",
  "the stack is currently locked",
  "Attempting to deploy",
];

const quoted = [...textOf("docs/troubleshooting.md").matchAll(/^### `(.*)`$/gm)]
  .map(([, text = ""]) => text)
  .filter((text) => !engines.some((start) => text.startsWith(start)));

test.each(quoted)("quotes only messages that the sources contain: %s", (text) => {
  const parts = fixedParts(text);
  expect(sources.some((source) => parts.every((part) => source.includes(part)))).toBe(true);
});

test.each([
  adopt.unlistedTypes(["DatabaseToken", "GroupToken", "SigningKeyRotation"], adopt.UNLISTED),
  adopt.secretWithoutValue("token", "ApiToken"),
  adopt.pendingRestorations(1),
  adopt.writtenImportFile("import.json", 7),
])("documents the output of dbplatform-adopt: %s", (text) => {
  expect(textOf("docs/adopt.md").split("\n")).toContain(text);
});

test("links only to existing pages and headings", () => {
  expect(linksIn(root).length).toBeGreaterThan(20);
  expect(brokenLinksIn(root)).toEqual([]);
});

test.each(["docs/_index.md", "docs/installation-configuration.md"])(
  "%s has the front matter that Pulumi's registry requires",
  (page) => {
    expect(textOf(page)).toMatch(/^---\ntitle: \S.*\nmeta_desc: \S.*\nlayout: package\n---\n/);
  },
);

test("compiles every code example in the docs", () => {
  const pieces = globSync("docs/*.md", { cwd: root, exclude: ["docs/{dynamic,reference-api}.md"] }).flatMap((page) =>
    [...textOf(page).matchAll(/^```typescript\n(.*?)^```$/gms)].map(([, piece = ""]) => piece),
  );
  expect(pieces.length).toBeGreaterThan(3);
  const program = pieces.map((piece) => `{\n${piece.replaceAll(/^import .*$|^export /gm, "")}\n}`);
  const before = `import * as dbplatform from "../../sdk/nodejs";
    declare const orders: dbplatform.Database;
    declare const production: dbplatform.Group;`;
  expect(editor([before, ...program].join("\n")).problems).toEqual([]);
});
