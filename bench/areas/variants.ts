import { join } from "node:path";
import { root } from "../../tools/run";
import type { Bench } from "../bench";
import { MeasuredPlatform } from "../engine/measured-platform";
import { MeasuredStack } from "../engine/measured-stack";
import { Figures } from "../figures";
import type { Measurement } from "../measurement";

const COUNT = 500;

/** Only two rounds, because each run takes about twenty seconds. */
const ROUNDS = 2;

/**
 * Measures one program with the plugin and with dynamic providers. The engine runs as in everyday use, with a language
 * host and all checkpoints.
 */
export async function variants(bench: Bench): Promise<readonly Measurement[]> {
  const figures = new Figures();
  if (bench.quick) return [];
  for (let round = 1; round <= ROUNDS; round++) {
    console.error(`round ${round} of ${ROUNDS}: the plugin and dynamic providers`);
    const plugin = await up(bench, "plugin");
    const dynamic = await up(bench, "dynamic");
    figures.add("dynamic providers, up of 500 as users run it, against the plugin", { ours: dynamic, floor: plugin });
  }
  return figures.measurements();
}

/** Returns how long `pulumi up` takes, in seconds. */
async function up({ folder, bin, plugins }: Bench, variant: string): Promise<number> {
  const platform = await MeasuredPlatform.start();
  const stack = await MeasuredStack.create({
    folder,
    bin,
    program: { folder: join(root, "bench/variants"), main: `${variant}.ts` },
    plugin: plugins.ours,
    environment: platform.environment,
    config: { count: String(COUNT) },
    checkpoints: true,
  });
  try {
    return (await stack.up()).seconds;
  } finally {
    stack.remove();
    await platform.end();
  }
}
