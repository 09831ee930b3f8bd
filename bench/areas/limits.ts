import type { Bench } from "../bench";
import { limit } from "../engine/limit";
import { MeasuredPlatform } from "../engine/measured-platform";
import { StackProcess } from "../engine/stack-process";
import type { Measurement } from "../measurement";

const MOST_A_SECOND = 10;

/** Measures how many requests an update sends, and how long it takes, when the platform limits the request rate. */
export async function limits({ folder, bin, plugins, quick }: Bench): Promise<readonly Measurement[]> {
  if (quick) return [];
  console.error(`500 databases at a platform that takes ${MOST_A_SECOND} requests a second`);
  const platform = await MeasuredPlatform.start();
  const limited = await limit(platform.ready.url, MOST_A_SECOND);
  const environment = { ...platform.environment, DBPLATFORM_BASE_URL: limited.url };
  const stack = await StackProcess.create({
    folder,
    bin,
    count: 500,
    configured: false,
    plugin: plugins.ours,
    environment,
    checkpoints: false,
  });
  try {
    const { seconds } = await stack.run("up");
    return [
      { name: "up, 500 databases, 429 above 10 requests a second: requests", ours: [limited.asked] },
      { name: "up, 500 databases, 429 above 10 requests a second", ours: [seconds], floor: [500 / MOST_A_SECOND] },
    ];
  } finally {
    await stack.remove();
    limited.end();
    await platform.end();
  }
}
