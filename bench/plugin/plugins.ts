import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { BUNDLED } from "../../tools/bundling";
import { root } from "../../tools/run";

/** Programs that are measured, each ready to be started as the engine starts a plugin. */
export interface Plugins {
  /** Folders for the engine: the plugin as it is published, and the one that does nothing, their use recorded. */
  readonly ours: string;
  readonly floor: string;
  /** The executable files themselves, nothing added: ours, and one that only loads what every plugin needs. */
  readonly published: string;
  readonly bare: string;
}

const EXECUTABLE = "pulumi-resource-dbplatform";

/** @param folder Gets the bundles; they are made as ours is. */
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
