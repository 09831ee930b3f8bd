import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Paths of the static files in this repository. In the published package, the files are beside the bundle. */
export const ASSETS = {
  "docs.js": "platform/reference/openapi/docs.js",
  "docs.css": "platform/reference/openapi/docs.css",
  "page.css": "platform/reference/page/page.css",
  "live.js": "platform/reference/page/live.mjs",
  "morphlex.min.js": "node_modules/morphlex/dist/morphlex.min.js",
  "redoc.standalone.js": "node_modules/redoc/bundles/redoc.standalone.js",
} as const;

export function asset(name: keyof typeof ASSETS): string {
  const packed = join(__dirname, "assets", name);
  return readFileSync(existsSync(packed) ? packed : join(__dirname, "../..", ASSETS[name]), "utf8");
}
