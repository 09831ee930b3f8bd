import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Effort } from "./measurement";
import { buildPlugins, type Plugins } from "./plugin/plugins";

/** The settings and plugins with which an area runs the engine. */
export interface Bench extends Effort {
  /** The folder with the Pulumi CLI. */
  readonly bin: string;
  readonly plugins: Plugins;
  /** The folder for all files that the benchmark writes. It is removed when this process ends. */
  readonly folder: string;
}

export async function openBench(bin: string, effort: Effort): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // Ends this process with `exit`, because that also ends its child processes.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  return { ...effort, bin, folder, plugins: await buildPlugins(join(folder, "plugins")) };
}
