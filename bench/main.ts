import { ensurePulumiCli } from "../tools/pulumi-cli/ensure";
import { run } from "../tools/run";
import { doors } from "./areas/doors";
import { growth } from "./areas/growth";
import { limits } from "./areas/limits";
import { lives } from "./areas/lives";
import { reference } from "./areas/reference";
import { requests } from "./areas/requests";
import { starts } from "./areas/starts";
import { type Bench, openBench } from "./bench";
import { GOALS } from "./goals";
import type { Area, Line } from "./line";
import { writeResult } from "./result";
import { table } from "./table";

/** Who measures what. */
const AREAS: readonly Area<Bench>[] = [starts, requests, lives, limits, doors, growth, reference];

/** Builds, measures everything, and says which goals are met. */
async function main(): Promise<void> {
  const quick = process.argv.includes("--quick");
  const begun = performance.now();
  const { bin, version } = await ensurePulumiCli();
  if ((await run("tsx", ["tools/build.ts"])) !== 0) throw new Error("the build failed");
  const bench = await openBench(bin, { quick, rounds: quick ? 2 : 3 });
  const lines: Line[] = [];
  for (const area of AREAS) lines.push(...(await area(bench)));
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  console.error(`${minutes} minutes; every figure is in ${writeResult(lines, { quick, pulumi: version })}\n`);
  const left = quick ? [] : unmeasured(lines);
  for (const name of left) console.log(`not measured: ${name}`);
  const { text, missed } = table(lines);
  console.log(text);
  if (missed || left.length > 0) process.exitCode = 1;
}

/** A line that nobody measures would be a goal that nobody misses. */
function unmeasured(lines: readonly Line[]): string[] {
  const measured = new Set<string>(lines.map(({ name }) => name));
  return Object.keys(GOALS).filter((name) => !measured.has(name));
}

main().catch((failure) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exit(1);
});
