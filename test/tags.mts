import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

const root = join(import.meta.dirname, "..");

/** Tests of one unit stand beside it; those that cross borders are in `test`. */
export const TEST_FILES = "{bench,kit,platform,provider,test}/**/*.test.ts";

/** A tag for each section of promises in docs/reliability.md, by the section's anchor. */
export const PROMISES = [...readFileSync(join(root, "docs/reliability.md"), "utf8").matchAll(/^### (.+)$/gm)].map(
  ([, title = ""]) => ({ name: title.toLowerCase().replaceAll(" ", "-"), description: title }),
);

/** The tags of each test file, as its comments `// @module-tag <tag>` give them to vitest. */
export const TAGS_OF_FILES: ReadonlyMap<string, readonly string[]> = new Map(
  globSync(TEST_FILES, { cwd: root }).map((file) => [
    file.replaceAll(sep, "/"),
    [...readFileSync(join(root, file), "utf8").matchAll(/^\/\/ @module-tag (.+)$/gm)].map(([, tag = ""]) => tag),
  ]),
);
