import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { BUNDLED } from "../../tools/bundling";
import { root } from "../../tools/run";

export interface Plugins {
  /** Folder with a build of our plugin that records its CPU time and memory. */
  readonly ours: string;
  /** Folder of the plugin over grpc-js that only sends the requests of its resources. */
  readonly floor: string;
  /** Path of our plugin's executable as published. Unlike `ours`, it does not record its CPU time and memory. */
  readonly published: string;
  /** Path of a program that loads only the modules that every grpc-js plugin needs. */
  readonly bare: string;
}

const EXECUTABLE = "pulumi-resource-dbplatform";

/**
 * Builds the plugins with the same options as our published plugin.
 *
 * @param folder The folder for the bundles.
 */
export async function buildPlugins(folder: string): Promise<Plugins> {
  await build({
    ...BUNDLED,
    entryPoints: { floor: "bench/plugin/floor.ts", usage: "bench/plugin/usage.ts" },
    outdir: folder,
    format: "cjs",
  });
  const published = join(root, EXECUTABLE);
  const place = (name: string, ...programs: readonly string[]): string => {
    const plugin = join(folder, "plugins", name);
    mkdirSync(plugin, { recursive: true });
    writeFileSync(join(plugin, "PulumiPlugin.yaml"), "runtime: nodejs\n");
    const loading = programs.map((program) => `require(${JSON.stringify(program)});\n`);
    writeFileSync(join(plugin, EXECUTABLE), `#!/usr/bin/env node\n"use strict";\n${loading.join("")}`);
    chmodSync(join(plugin, EXECUTABLE), 0o755);
    return plugin;
  };
  const usage = join(folder, "usage.js");
  return {
    ours: place("ours", usage, published),
    floor: place("floor", usage, join(folder, "floor.js")),
    published,
    bare: join(place("bare", join(root, "bench/plugin/bare.cjs")), EXECUTABLE),
  };
}
