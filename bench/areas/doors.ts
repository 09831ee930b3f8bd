import { join } from "node:path";
import { root } from "../../tools/run";
import type { Bench } from "../bench";
import { MeasuredPlatform } from "../engine/measured-platform";
import { MeasuredStack } from "../engine/measured-stack";
import { Figures } from "../figures";
import type { Line } from "../line";

const COUNT = 500;

/** The hand-written one takes most of a minute. */
const ROUNDS = 2;

/** The same program through three doors, as users run it: with a language host, and every checkpoint. */
export async function doors(bench: Bench): Promise<readonly Line[]> {
  const figures = new Figures();
  if (bench.quick) return [];
  for (let round = 1; round <= ROUNDS; round++) {
    console.error(`round ${round} of ${ROUNDS}: the plugin, the dynamic door, a hand-written dynamic provider`);
    const plugin = await up(bench, "plugin");
    const dynamic = await up(bench, "dynamic");
    const handWritten = await up(bench, "hand-written");
    const what = `up, ${COUNT} databases, as users run it` as const;
    figures.add(`dynamic door against the plugin: ${what}`, { ours: dynamic, floor: plugin });
    figures.add(`dynamic door against a hand-written provider: ${what}`, { ours: dynamic, floor: handWritten });
  }
  return figures.lines();
}

/** Seconds. */
async function up({ folder, bin, plugins }: Bench, door: string): Promise<number> {
  const platform = await MeasuredPlatform.start();
  const stack = await MeasuredStack.create({
    folder,
    bin,
    program: { folder: join(root, "bench/doors"), main: `${door}.ts` },
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
