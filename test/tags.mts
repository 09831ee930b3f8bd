import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

const root = join(import.meta.dirname, "..");

/** Returns the test files with a comment `// @module-tag <tag>`, by which vitest gives all tests of a file the tag. */
export const filesWithTag = (tag: string): string[] =>
  globSync("test/**/*.test.ts", { cwd: root })
    .filter((file) => tagsOf(file).includes(tag))
    .map((file) => file.replaceAll(sep, "/"));

const tagsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), "utf8").matchAll(/^\/\/ @module-tag (.+)$/gm)].map(([, tag = ""]) => tag);
