import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Effort } from "./measurement";
import { buildPlugins, type Plugins } from "./plugin/plugins";

/** The tools and folders of areas that run the engine. */
export interface Bench extends Effort {
  /** The folder with the Pulumi CLI. */
  readonly bin: string;
  readonly plugins: Plugins;
  /** The folder of everything that the benchmark writes; removed when this process ends. */
  readonly folder: string;
}

export async function openBench(bin: string, effort: Effort): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // Ends by `exit`, because that also ends the child processes.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  return { ...effort, bin, folder, plugins: await buildPlugins(join(folder, "plugins")) };
}
