import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { BUNDLED } from "../../tools/bundling";
import { root } from "../../tools/run";

/** What ours is compared with: plugins that do nothing, by what they are written with. */
export type Floor = "grpc-js" | "Go";

/** Programs that are measured, each ready to be started as the engine starts a plugin. */
export interface Plugins {
  /** Folder for the engine: the plugin as it is published, its use recorded. */
  readonly ours: string;
  /** Folders of the others. Without Go on this machine its floor is left out. */
  readonly floors: Readonly<Partial<Record<Floor, string>>>;
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
    floors: { "grpc-js": place("floor", usage, join(folder, "floor.js")), ...goFloor(join(folder, "plugins/go")) },
    published,
    bare: join(place("bare", join(root, "bench/plugin/bare.cjs")), EXECUTABLE),
  };
}

/** The modules of the Pulumi CLI's build are those that it needs. */
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
