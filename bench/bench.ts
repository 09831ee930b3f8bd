import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lazy } from "../platform/contract/lazy";
import { recordedOutputs } from "./engine/recorded-outputs";
import type { Effort } from "./measurement";
import { buildPlugins, type Plugins } from "./plugin/plugins";
import { buildPrograms, type Programs } from "./reference/programs";

export interface Bench extends Effort {
  readonly bin: string;
  readonly plugins: Plugins;
  readonly folder: string;
  /** Builds the programs of the reference API on the first call. */
  readonly referencePrograms: () => Promise<Programs>;
  /** Records what the plugin over grpc-js returns, on the first call: a JSON object with the resource types as keys. */
  readonly outputs: () => Promise<string>;
}

export async function openBench(bin: string, effort: Effort): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // Without these listeners, the signals would end this process before its `exit` handlers stop the child processes.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  const plugins = await buildPlugins(join(folder, "plugins"));
  return {
    ...effort,
    bin,
    folder,
    plugins,
    referencePrograms: lazy(() => buildPrograms(join(folder, "reference"))),
    outputs: lazy(() => recordedOutputs({ bin, folder, plugins })),
  };
}
