import type { BuildOptions } from "esbuild";
import { root } from "./run";

/** How everything is bundled that is published, or compared with what is. */
export const BUNDLED = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  logLevel: "warning",
} as const satisfies BuildOptions;
