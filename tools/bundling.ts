import type { BuildOptions } from "esbuild";
import { root } from "./run";

/** Options that make the download smaller, but keep names and line breaks, so that stack traces stay readable. */
export const COMPACT = { minifyWhitespace: true, minifySyntax: true, lineLimit: 120 } as const satisfies BuildOptions;

/** The build options of all published bundles, and of the programs that the benchmark compares with them. */
export const BUNDLED = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  ...COMPACT,
  // Leaves out that the library for WebSockets uses native packages if they happen to be installed.
  define: { "process.env.WS_NO_BUFFER_UTIL": '"1"', "process.env.WS_NO_UTF_8_VALIDATE": '"1"' },
  logLevel: "warning",
} as const satisfies BuildOptions;
