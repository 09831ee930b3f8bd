import { join } from "node:path";
import { build } from "esbuild";
import { BUNDLED } from "../../tools/bundling";
import { root } from "../../tools/run";

export interface Programs {
  readonly ours: string;
  readonly alone: string;
  readonly meter: string;
}

/**
 * Builds the programs with the same options as our published server.
 *
 * @param folder The folder for the bundles.
 */
export async function buildPrograms(folder: string): Promise<Programs> {
  const entryPoints = { alone: "bench/reference/alone.ts", meter: "bench/reference/meter.ts" };
  await build({ ...BUNDLED, entryPoints, outdir: folder, format: "cjs" });
  return {
    ours: join(root, "dist/dbplatform.js"),
    alone: join(folder, "alone.js"),
    meter: join(folder, "meter.js"),
  };
}
