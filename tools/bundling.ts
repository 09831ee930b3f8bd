import type { BuildOptions } from "esbuild";
import { root } from "./run";

/** The build options of all published bundles, and of the programs that the benchmark compares with them. */
export const BUNDLED = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  logLevel: "warning",
} as const satisfies BuildOptions;
