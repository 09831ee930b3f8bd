import { ensurePulumiCli } from "../tools/pulumi-cli/ensure";
import { run } from "../tools/run";
import { lives } from "./areas/lives";
import { starts } from "./areas/starts";
import { type Bench, openBench } from "./bench";
import type { Area, Line } from "./line";
import { writeResult } from "./result";
import { table } from "./table";

/** Who measures what. */
const AREAS: readonly Area<Bench>[] = [starts, lives];

/** Builds, measures everything, and says which goals are met. */
async function main(): Promise<void> {
  const quick = process.argv.includes("--quick");
  const begun = performance.now();
  const { bin, version } = await ensurePulumiCli();
  if ((await run("tsx", ["tools/build.ts"])) !== 0) throw new Error("the build failed");
  const bench = await openBench(bin, { quick, rounds: quick ? 2 : 5 });
  const lines: Line[] = [];
  for (const area of AREAS) lines.push(...(await area(bench)));
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  console.error(`${minutes} minutes; every figure is in ${writeResult(lines, { quick, pulumi: version })}\n`);
  const { text, missed } = table(lines);
  console.log(text);
  if (missed) process.exitCode = 1;
}

main().catch((failure) => {
  console.error(failure);
  process.exit(1);
});
