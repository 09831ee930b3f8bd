import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { BUNDLED } from "../../tools/bundling";
import { root } from "../../tools/run";

/** The baseline plugins that our plugin is compared with. The grpc-js plugin only sends requests, and Go does nothing. */
export type Floor = "grpc-js" | "Go";

export interface Plugins {
  /** Folder with a build of our plugin that records its CPU time and memory. */
  readonly ours: string;
  /** Folders of the baseline plugins. The Go plugin is missing if Go is not installed. */
  readonly floors: Readonly<Partial<Record<Floor, string>>>;
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
    floors: {
      "grpc-js": place("floor", usage, join(folder, "floor.js")),
      ...goFloor(join(folder, "plugins/go")),
    },
    published,
    bare: join(place("bare", join(root, "bench/plugin/bare.cjs")), EXECUTABLE),
  };
}

/** Builds the Go plugin. Its modules were already downloaded when the Pulumi CLI was built. */
function goFloor(folder: string): { readonly Go?: string } {
  mkdirSync(folder, { recursive: true });
  const { status, error } = spawnSync(
    "go",
    ["build", "-ldflags=-s -w", "-o", join(folder, EXECUTABLE), join(root, "bench/plugin/floor.go")],
    {
      cwd: join(root, "tools/pulumi-cli"),
      env: { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOWORK: "off" },
      stdio: "inherit",
    },
  );
  if (status === 0) return { Go: folder };
  console.error(`left out: the floor in Go (${error ? "there is no Go on this machine" : "it could not be built"})`);
  return {};
}
