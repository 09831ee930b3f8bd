import type { Bench } from "../bench";
import { Figures } from "../figures";
import type { Measurement } from "../measurement";
import { type Start, startPlugin } from "../plugin/start";

/**
 * How many times each round starts the plugin. The best result counts, because other processes easily disturb such a
 * short measurement.
 */
const STARTS_A_ROUND = 10;

/** Compares our plugin's startup with that of a program that loads only the modules that every grpc-js plugin needs. */
export async function starts({ plugins, rounds }: Bench): Promise<readonly Measurement[]> {
  console.error(`${rounds * STARTS_A_ROUND} starts`);
  const figures = new Figures();
  for (let round = 0; round < rounds; round++) {
    const [ours, floor]: [Start[], Start[]] = [[], []];
    for (let start = 0; start < STARTS_A_ROUND; start++) {
      ours.push(await startPlugin(plugins.published));
      floor.push(await startPlugin(plugins.bare));
    }
    for (const [name, of] of [
      ["start, spawn to port line, against bare grpc-js", "milliseconds"],
      ["memory when loaded, against bare grpc-js", "megabytes"],
    ] as const)
      figures.add(name, { ours: best(ours, of), floor: best(floor, of) });
  }
  return figures.measurements();
}

const best = (starts: readonly Start[], of: keyof Start): number => Math.min(...starts.map((start) => start[of]));
