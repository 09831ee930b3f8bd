import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { transformSync } from "esbuild";
import { ASSETS } from "../platform/reference/assets";
import { root } from "./run";

/**
 * Returns a static file of the reference API as it is published: our own without comments and spaces, that of a library
 * without the link to its source map, which is not published.
 */
export function publishedAsset(name: keyof typeof ASSETS): string {
  const path = ASSETS[name];
  const text = readFileSync(join(root, path), "utf8");
  if (path.startsWith("node_modules/")) return text.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, "\n");
  return transformSync(text, { loader: extname(path) === ".css" ? "css" : "js", minify: true }).code;
}
