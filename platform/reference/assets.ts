import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Static files, by their paths in this repository; in the package they lie beside the bundle. */
export const ASSETS = {
  "docs.js": "platform/reference/openapi/docs.js",
  "docs.css": "platform/reference/openapi/docs.css",
  "page.css": "platform/reference/page/page.css",
  "live.js": "platform/reference/page/live.js",
  "redoc.standalone.js": "node_modules/redoc/bundles/redoc.standalone.js",
} as const;

/** Returns the text of the file. */
export function asset(name: keyof typeof ASSETS): string {
  const packed = join(__dirname, "assets", name);
  return readFileSync(existsSync(packed) ? packed : join(__dirname, "../..", ASSETS[name]), "utf8");
}
