import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Effort } from "./measurement";
import { buildPlugins, type Plugins } from "./plugin/plugins";

export interface Bench extends Effort {
  readonly bin: string;
  readonly plugins: Plugins;
  readonly folder: string;
}

export async function openBench(bin: string, effort: Effort): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // Without these listeners, the signals would end this process before its `exit` handlers stop the child processes.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  return { ...effort, bin, folder, plugins: await buildPlugins(join(folder, "plugins")) };
}
