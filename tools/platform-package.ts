import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import manifest from "../platform/package.json";
import { ASSETS } from "../platform/reference/assets";
import type { CommandName } from "../platform/reference/command/name";
import { publishedAsset } from "./assets";
import { bundle } from "./bundling";
import { editorSchemas } from "./editor-schemas";
import { licencesOf } from "./licences";
import { referenceTypes } from "./reference-types";
import { nodeCheckFor } from "./release/archives";
import { addressOf, withLinks } from "./release/links";
import { PLATFORM_PACKAGE, publishedManifest } from "./release/package";
import { root } from "./run";

/** Path of the platform's code, relative to `dist`. */
export const PLATFORM_CODE_IN_DIST = "platform/dist";

const folder = join(root, "dist", PLATFORM_CODE_IN_DIST);

const { name } = manifest;

const COMMAND: CommandName = {
  words: name,
  npx: `npx ${name}`,
  client: {
    name: "curl",
    firstCommand: 'curl -H "Authorization: Bearer $DBPLATFORM_API_TOKEN" "$DBPLATFORM_BASE_URL/v1/organizations"',
  },
};

/** The licence files of assets that are published without being bundled. */
const LICENCES = {
  "morphlex.LICENSE": "node_modules/morphlex/LICENSE",
  "redoc.LICENSE": "node_modules/redoc/LICENSE",
  "redoc.standalone.js.LICENSE.txt": "node_modules/redoc/bundles/redoc.standalone.js.LICENSE.txt",
};

/**
 * Writes the platform's package into `dist`, as it is published. The provider's package contains that folder, and its
 * programs load the same code.
 *
 * @param nodeCheck Path of the compiled check of the version of Node.js.
 * @returns What the bundles contain.
 */
export async function buildPlatform(nodeCheck: string): Promise<Metafile> {
  const bundled = await bundle("reference", `dist/${PLATFORM_CODE_IN_DIST}`, {
    "reference-main": "platform/reference/command/main.ts",
    "reference-server": "platform/reference/server.ts",
    "reference-sql-engine": "platform/reference/sql/engine/perform-jobs.ts",
  });
  writeFileSync(
    join(root, PLATFORM_PACKAGE, "package.json"),
    `${JSON.stringify(publishedManifest(described()), null, 2)}\n`,
  );
  writeFileSync(join(root, PLATFORM_PACKAGE, "README.md"), readme());
  copyFileSync(join(root, "LICENSE"), join(root, PLATFORM_PACKAGE, "LICENSE"));
  cpSync(join(root, "platform/image"), join(root, PLATFORM_PACKAGE, "image"), { recursive: true });
  writeFileSync(join(folder, "needed-node.js"), nodeCheckFor(manifest.engines, readFileSync(nodeCheck, "utf8")));
  writeProgram("cli.js", [
    "#!/usr/bin/env node",
    `"use strict";`,
    `require("./needed-node.js").exitUnlessNewEnough("${name}");`,
    `require("./reference-main.js").run(${JSON.stringify(COMMAND)}, require("node:path").join(__dirname, "../.compile-cache"));`,
  ]);
  chmodSync(join(folder, "cli.js"), 0o755);
  writeProgram("index.js", [
    `"use strict";`,
    `require("./needed-node.js").throwUnlessNewEnough("${name}");`,
    // For `import`, Node.js detects the named exports only if the assignment has exactly this form.
    `module.exports = require("./reference-server.js");`,
  ]);
  writeFileSync(join(folder, "LICENCES.txt"), licencesOf([bundled]));
  writeFileSync(join(folder, "index.d.ts"), referenceTypes());
  for (const [name, schema] of Object.entries(editorSchemas()))
    writeFileSync(join(folder, `${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
  mkdirSync(join(folder, "assets"));
  for (const name of Object.keys(ASSETS) as (keyof typeof ASSETS)[])
    writeFileSync(join(folder, "assets", name), publishedAsset(name));
  for (const [name, path] of Object.entries(LICENCES)) copyFileSync(join(root, path), join(folder, "assets", name));
  return bundled;
}

const writeProgram = (file: string, lines: readonly string[]): void =>
  writeFileSync(join(folder, file), `${lines.join("\n")}\n`);

/** Returns the manifest with the address of the repository, which only a release's package.json contains. */
function described(): object {
  const { homepage, repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return { ...manifest, ...(homepage && { homepage, repository: { ...repository, directory: "platform" } }) };
}

/** Returns the page of the package, whose links lead to files of the repository. */
function readme(): string {
  const { homepage: repository, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return withLinks("platform/README.md", readFileSync(join(root, "platform/README.md"), "utf8"), (link) =>
    repository === undefined ? undefined : addressOf(link, { repository, version }, root),
  );
}
