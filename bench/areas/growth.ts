import type { Bench } from "../bench";
import { MeasuredPlatform } from "../engine/measured-platform";
import { StackProcess } from "../engine/stack-process";
import { Figures } from "../figures";
import type { Measurement } from "../measurement";

const ROUNDS = 2;

interface Cost {
  readonly requests: number;
  /** CPU time used by the plugin, in seconds. */
  readonly seconds: number;
}

/** Measures whether the plugin's requests and CPU time grow faster than the number of databases. */
export async function growth(bench: Bench): Promise<readonly Measurement[]> {
  const figures = new Figures();
  if (bench.quick) return [];
  for (let round = 1; round <= ROUNDS; round++) {
    console.error(`round ${round} of ${ROUNDS}: 100, 1,000 and 2,000 databases`);
    const few = await costs(bench, 100);
    const more = await costs(bench, 1000);
    const most = await costs(bench, 2000);
    for (const command of ["up", "preview"] as const) {
      const [low, middle, high] = [few[command], more[command], most[command]];
      figures.add(`growth: requests of ${command}, 2,000 databases`, { ours: high.requests });
      figures.add(`growth: processor time of one more database, ${command}, above 1,000 against below`, {
        ours: milliseconds(high, middle) / 1000,
        floor: milliseconds(middle, low) / 900,
      });
    }
  }
  return figures.measurements();
}

const milliseconds = (more: Cost, less: Cost): number => (more.seconds - less.seconds) * 1000;

async function costs({ folder, bin, plugins }: Bench, count: number): Promise<Record<"up" | "preview", Cost>> {
  const platform = await MeasuredPlatform.start();
  const { environment } = platform;
  const stack = await StackProcess.create({
    folder,
    bin,
    count,
    configured: false,
    plugin: plugins.ours,
    environment,
    checkpoints: false,
  });
  const cost = async (command: "up" | "preview"): Promise<Cost> => {
    const { plugin } = await stack.run(command);
    return { requests: (await platform.requests()).length, seconds: plugin.seconds };
  };
  try {
    return { up: await cost("up"), preview: await cost("preview") };
  } finally {
    await stack.remove();
    await platform.end();
  }
}
