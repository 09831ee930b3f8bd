import type { Bench } from "../bench";
import { Figures } from "../figures";
import type { Measurement } from "../measurement";
import { startPlugin } from "../plugin/start";

/** A start is short and disturbed by anything, so there are many of them. */
const STARTS_A_ROUND = 10;

/** Our plugin and the least that a plugin has to load. */
export async function starts({ plugins, rounds }: Bench): Promise<readonly Measurement[]> {
  console.error(`${rounds * STARTS_A_ROUND} starts`);
  const figures = new Figures();
  for (let start = 0; start < rounds * STARTS_A_ROUND; start++) {
    const ours = await startPlugin(plugins.published);
    const floor = await startPlugin(plugins.bare);
    figures.add("start, spawn to port line", { ours: ours.milliseconds, floor: floor.milliseconds });
    figures.add("memory after the port line", { ours: ours.megabytes, floor: floor.megabytes });
  }
  return figures.measurements();
}
