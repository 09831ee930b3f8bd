import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../tools/run";
import type { Bench } from "../bench";
import { limit } from "../engine/limit";
import { MeasuredPlatform } from "../engine/measured-platform";
import { Figures } from "../figures";
import type { Measurement } from "../measurement";

const COUNT = 1_000;

/** Fewer databases at a limited rate, where a thousand would take at least 100 seconds. */
const LIMITED_COUNT = 100;
const MOST_A_SECOND = 10;

/** Measures how many requests `dbplatform restore` sends to restore many databases, and how long it takes at a limit. */
export async function restorations({ quick }: Bench): Promise<readonly Measurement[]> {
  const figures = new Figures();
  if (quick) return [];
  const platform = await MeasuredPlatform.start();
  try {
    console.error(`${COUNT} deleted databases restored`);
    await deleted(COUNT, platform);
    await restore(platform, platform.ready.url);
    const { length } = await platform.requests();
    figures.add("requests: dbplatform restore, 1,000 databases", { ours: length });
    await atLimitedRate(platform, figures);
  } finally {
    await platform.end();
  }
  return figures.measurements();
}

async function atLimitedRate(platform: MeasuredPlatform, figures: Figures): Promise<void> {
  console.error(`${LIMITED_COUNT} deleted databases at a platform that takes ${MOST_A_SECOND} requests a second`);
  await deleted(LIMITED_COUNT, platform);
  const limited = await limit(platform.ready.url, MOST_A_SECOND);
  try {
    const ours = await restore(platform, limited.url);
    const name = "dbplatform restore, 100 databases, 429 above 10 requests a second";
    figures.add(`${name}: requests`, { ours: limited.asked });
    figures.add(name, { ours, floor: LIMITED_COUNT / MOST_A_SECOND });
  } finally {
    limited.end();
  }
}

/** Leaves only deleted databases on the platform, and an empty journal. */
async function deleted(count: number, platform: MeasuredPlatform): Promise<void> {
  await platform.reset();
  await platform.createDatabases(count);
  await platform.deleteDatabases();
  await platform.requests();
}

/**
 * Runs the command in its own process, as users do, and returns the seconds until it ends.
 *
 * @throws Error if an object is not back.
 */
async function restore({ environment }: MeasuredPlatform, url: string): Promise<number> {
  const begun = performance.now();
  const command = [join(root, "dist/dbplatform.js"), "restore", "--since", "1h", "--yes"];
  const env = { PATH: process.env.PATH, ...environment, DBPLATFORM_BASE_URL: url };
  await promisify(execFile)(process.execPath, command, { env });
  return (performance.now() - begun) / 1000;
}
