import type { BuildOptions } from "esbuild";
import { root } from "./run";

/** Saves a tenth of what is downloaded. Names and lines stay, so that stack traces can be read (decision 139). */
export const COMPACT = { minifyWhitespace: true, minifySyntax: true, lineLimit: 120 } as const satisfies BuildOptions;

/** The build options of all published bundles, and of the programs that the benchmark compares with them. */
export const BUNDLED = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  ...COMPACT,
  logLevel: "warning",
} as const satisfies BuildOptions;
