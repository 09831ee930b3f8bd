import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build, type Metafile, transform } from "esbuild";
import { ASSETS } from "../platform/reference/assets";
import { PARTS } from "../provider/command/main";
import { publishedAsset } from "./assets";
import { BUNDLED, COMPACT } from "./bundling";
import { editorSchemas } from "./editor-schemas";
import { licencesOf } from "./licences";
import { referenceTypes } from "./reference-types";
import { root } from "./run";

/**
 * The published libraries and their bundles. A library checks the version of Node.js before it loads its bundle, because
 * an old version could not even parse the bundle.
 */
const LIBRARIES = { "dynamic-host": "dynamic-host-main", reference: "reference-server" };

const PUBLISHED = { ...BUNDLED, outdir: "dist", metafile: true } as const satisfies BuildOptions;

/** The licence files of assets that are published without being bundled. */
const LICENCES = {
  "morphlex.LICENSE": "node_modules/morphlex/LICENSE",
  "redoc.LICENSE": "node_modules/redoc/LICENSE",
  "redoc.standalone.js.LICENSE.txt": "node_modules/redoc/bundles/redoc.standalone.js.LICENSE.txt",
};

const HOST_TYPES = `import type { dynamic } from "@pulumi/pulumi";

/** Dynamic providers, by resource type. */
export declare const providers: Readonly<Record<string, dynamic.ResourceProvider>>;

/** Returns whether the value of an argument is a secret, by resource type and name of the argument. */
export declare const secretArguments: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>>;

/** Functions, by name. They run in the calling process. */
export declare const functions: Readonly<Record<string, (args: object, settings: object) => Promise<object>>>;

/** Returns digests of the settings that environment variables of the calling process supply, except secret ones. */
export declare const environment: () => Readonly<Record<string, string>>;

/** Returns whether the thrown error is a failure that its message explains; any other error is a defect. */
export declare const isExpected: (thrown: unknown) => thrown is Error;
`;

async function main(): Promise<void> {
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const provider = await bundle("provider", {
    plugin: "provider/plugin.ts",
    "dynamic-host-main": "provider/dynamic-host.ts",
    "command-main": "provider/command/main.ts",
  });
  const reference = await bundle("reference", {
    "reference-main": "platform/reference/command/main.ts",
    "reference-server": "platform/reference/server.ts",
    "reference-sql-engine": "platform/reference/sql/engine/perform-jobs.ts",
  });
  writeCommand();
  for (const [name, main] of Object.entries(LIBRARIES)) writeLibrary(name, main);
  writeFileSync(join(root, "dist/LICENCES.txt"), licencesOf([provider, reference]));
  writeFileSync(join(root, "dist/dynamic-host.d.ts"), HOST_TYPES);
  writeFileSync(join(root, "dist/reference.d.ts"), referenceTypes());
  for (const [name, schema] of Object.entries(editorSchemas()))
    writeFileSync(join(root, `dist/${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
  mkdirSync(join(root, "dist/assets"));
  for (const name of Object.keys(ASSETS) as (keyof typeof ASSETS)[])
    writeFileSync(join(root, "dist/assets", name), publishedAsset(name));
  for (const [name, path] of Object.entries(LICENCES)) copyFileSync(join(root, path), join(root, "dist/assets", name));
  execFileSync("tsc", ["-p", "sdk/tsconfig.json"], { cwd: root, stdio: "inherit" });
  // The published SDK reads its version from its package.json. That file contains only the version: if it named the
  // plugin, Pulumi would try to download the plugin.
  const { version } = JSON.parse(readFileSync(join(root, "sdk/nodejs/package.json"), "utf8"));
  writeFileSync(join(root, "dist/sdk/nodejs/package.json"), `${JSON.stringify({ version })}\n`);
}

/** Writes the command `dbplatform`, which loads only the part that its arguments name. */
function writeCommand(): void {
  const path = join(root, "dist/dbplatform.js");
  const lines = [
    "#!/usr/bin/env node",
    `"use strict";`,
    `require("./sdk/needed-node.js").exitUnlessNewEnough("dbplatform");`,
    `const [first, ...others] = process.argv.slice(2);`,
    `const words = (first === "help" ? others.slice(0, 1) : [first, ...others].filter((word) => word !== "help")).join(" ") + " ";`,
    `const part = ${JSON.stringify(Object.keys(PARTS))}.find((name) => words.startsWith(name + " "));`,
    `if (part === undefined && words.startsWith("api ")) require("./reference-main.js");`,
    `else require("./command-main.js").runDbplatform(part);`,
  ];
  writeFileSync(path, `${lines.join("\n")}\n`);
  chmodSync(path, 0o755);
}

function writeLibrary(name: string, main: string): void {
  const check = `require("./sdk/needed-node.js").throwUnlessNewEnough("pulumi-dbplatform/${name}");`;
  // For `import`, Node.js detects the named exports only if the assignment has exactly this form.
  writeFileSync(join(root, `dist/${name}.js`), `"use strict";\n${check}\nmodule.exports = require("./${main}.js");\n`);
}

/**
 * Bundles several programs. Code that the programs share or load lazily goes into chunks whose names begin with
 * `prefix`. The bundles are first built as ES modules, because esbuild can split only ES modules.
 */
async function bundle(prefix: string, entryPoints: Record<string, string>): Promise<Metafile> {
  const options = { ...PUBLISHED, entryPoints, chunkNames: `${prefix}-[name]-[hash]` } as const;
  const { metafile, outputFiles } = await build({ ...options, format: "esm", splitting: true, write: false });
  mkdirSync(join(root, "dist"), { recursive: true });
  for (const { path, text } of outputFiles) {
    // Dynamic imports are also converted to CommonJS, so that Node.js need not start its loader for ES modules.
    const supported = { "dynamic-import": false };
    const target = BUNDLED.target;
    const { code } = await transform(text, { format: "cjs", platform: "node", target, supported, ...COMPACT });
    writeFileSync(path, code);
  }
  return metafile;
}

void main();
