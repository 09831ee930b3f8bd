import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { ASSETS } from "../platform/reference/assets";
import { editorSchemas } from "../platform/reference/command/editor-schemas";
import { bundle } from "./bundling";
import { licencesOf } from "./licences";
import { referenceTypes } from "./reference-types";
import { root } from "./run";

/** Folder of the platform's code in `dist`. The package of the provider contains the platform's. */
export const CODE = "platform/dist";

const folder = join(root, "dist", CODE);

/** The licence files of assets that are published without being bundled. */
const LICENCES = {
  "redoc.LICENSE": "node_modules/redoc/LICENSE",
  "redoc.standalone.js.LICENSE.txt": "node_modules/redoc/bundles/redoc.standalone.js.LICENSE.txt",
};

/** Builds the platform's code, and returns what the bundles contain. */
export async function buildPlatform(): Promise<Metafile> {
  const bundled = await bundle("reference", `dist/${CODE}`, {
    "reference-main": "platform/reference/command/main.ts",
    "reference-server": "platform/reference/server.ts",
    "reference-sql-engine": "platform/reference/sql/engine/perform-jobs.ts",
  });
  writeFileSync(join(folder, "LICENCES.txt"), licencesOf([bundled]));
  writeFileSync(join(folder, "index.d.ts"), referenceTypes());
  for (const [name, schema] of Object.entries(editorSchemas()))
    writeFileSync(join(folder, `${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
  mkdirSync(join(folder, "assets"));
  for (const [name, path] of Object.entries({ ...ASSETS, ...LICENCES })) {
    if (name.endsWith(".js")) writeFileSync(join(folder, "assets", name), withoutSourceMap(path));
    else copyFileSync(join(root, path), join(folder, "assets", name));
  }
  return bundled;
}

/** Returns the text of a script without the link to its source map, which is not published. */
const withoutSourceMap = (path: string): string =>
  readFileSync(join(root, path), "utf8").replace(/\n\/\/# sourceMappingURL=\S*\s*$/, "\n");
