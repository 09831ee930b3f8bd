import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { API_COMMAND, PARTS } from "../provider/command/main";
import { bundle } from "./bundling";
import { licencesOf } from "./licences";
import { buildPlatform, PLATFORM_CODE_IN_DIST } from "./platform-package";
import { emptyPlatform } from "./release/package";
import { root } from "./run";

/**
 * The published libraries and their bundles. A library checks the version of Node.js before it loads its bundle, because
 * an old version could not even parse the bundle.
 */
const LIBRARIES = { "dynamic-host": "dynamic-host-main", reference: `${PLATFORM_CODE_IN_DIST}/reference-server` };

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
  // An interrupted `npm pack -w platform` has left the published manifest in the place of the package's own.
  emptyPlatform(root);
  rmSync(join(root, "dist"), { recursive: true, force: true });
  execFileSync("tsc", ["-p", "sdk/tsconfig.json"], { cwd: root, stdio: "inherit" });
  const provider = await bundle("provider", "dist", {
    plugin: "provider/plugin.ts",
    "dynamic-host-main": "provider/dynamic-host.ts",
    "command-main": "provider/command/main.ts",
  });
  const platform = await buildPlatform(join(root, "dist/sdk/needed-node.js"));
  writeCommand();
  for (const [name, main] of Object.entries(LIBRARIES)) writeLibrary(name, main);
  writeFileSync(join(root, "dist/LICENCES.txt"), licencesOf([provider, platform]));
  writeFileSync(join(root, "dist/dynamic-host.d.ts"), HOST_TYPES);
  writeFileSync(join(root, "dist/reference.d.ts"), `export * from "./${PLATFORM_CODE_IN_DIST}/index.js";\n`);
  // Pages and seeds name them here.
  for (const name of ["seed.schema.json", "faults.schema.json"])
    copyFileSync(join(root, "dist", PLATFORM_CODE_IN_DIST, name), join(root, "dist", name));
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
    `if (part === undefined && words.startsWith("api ")) require("./${PLATFORM_CODE_IN_DIST}/reference-main.js").run(${JSON.stringify(API_COMMAND)}, require("node:path").join(__dirname, "../.compile-cache"));`,
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

void main();
