import type { Bench } from "../bench";
import { limit } from "../engine/limit";
import { MeasuredPlatform } from "../engine/measured-platform";
import { MeasuredStack } from "../engine/measured-stack";
import { databases } from "../engine/programs";
import type { Measurement } from "../measurement";

const MOST_A_SECOND = 10;

/** Measures how many requests an update sends, and how long it takes, when the platform limits the request rate. */
export async function limits({ folder, bin, plugins, quick }: Bench): Promise<readonly Measurement[]> {
  if (quick) return [];
  console.error(`500 databases at a platform that takes ${MOST_A_SECOND} requests a second`);
  const platform = await MeasuredPlatform.start();
  const limited = await limit(platform.ready.url, MOST_A_SECOND);
  const environment = { ...platform.environment, DBPLATFORM_BASE_URL: limited.url };
  const program = databases(500);
  const stack = await MeasuredStack.create({
    folder,
    bin,
    program,
    plugin: plugins.ours,
    environment,
    checkpoints: false,
  });
  try {
    const { seconds } = await stack.up();
    return [
      { name: "up, 500 databases, 429 above 10 requests a second: requests", ours: [limited.asked] },
      { name: "up, 500 databases, 429 above 10 requests a second", ours: [seconds], floor: [500 / MOST_A_SECOND] },
    ];
  } finally {
    stack.remove();
    limited.end();
    await platform.end();
  }
}
