import type { BuildOptions } from "esbuild";
import { root } from "./run";

/** Build options of every published bundle, and of the programs that the benchmark compares with them. */
export const BUNDLED = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  logLevel: "warning",
} as const satisfies BuildOptions;
