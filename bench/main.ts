import { ensurePulumiCli } from "../tools/pulumi-cli/ensure";
import { aliases } from "./areas/aliases";
import { growth } from "./areas/growth";
import { lifecycles } from "./areas/lifecycles";
import { limits } from "./areas/limits";
import { migrations } from "./areas/migrations";
import { reference, snapshotsOfRows } from "./areas/reference";
import { requests } from "./areas/requests";
import { restorations } from "./areas/restorations";
import { starts } from "./areas/starts";
import { variants } from "./areas/variants";
import { type Bench, openBench } from "./bench";
import { GOALS } from "./goals";
import { type Area, type Measurement, measuredUndisturbed } from "./measurement";
import { RESULT, writeResult } from "./result";
import { table } from "./table";

const AREAS: Readonly<Record<string, readonly Area<Bench>[]>> = {
  starts: [starts],
  requests: [requests],
  lifecycles,
  limits: [limits],
  restorations: [restorations],
  migrations: [migrations],
  variants: [variants],
  growth: [growth],
  aliases: [aliases],
  reference,
  snapshots: [snapshotsOfRows],
};

/** Builds everything, runs all measurements or those of the given areas, and reports which goals are met. */
async function main(): Promise<void> {
  const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const wrong = names.filter((name) => !(name in AREAS));
  if (wrong.length > 0) throw new Error(`no area ${wrong.join(", ")}; there are ${Object.keys(AREAS).join(", ")}`);
  const quick = process.argv.includes("--quick");
  const begun = performance.now();
  const { bin, version } = await ensurePulumiCli();
  const bench = await openBench(bin, { quick, rounds: quick ? 2 : 3 });
  const measurements: Measurement[] = [];
  for (const [name, areas] of Object.entries(AREAS))
    for (const area of names.length === 0 || names.includes(name) ? areas : []) {
      measurements.push(...(await measuredUndisturbed(area, bench)));
      // After each area, because a run takes long and may be interrupted.
      writeResult(measurements, { quick, pulumi: version });
    }
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  console.error(`${minutes} minutes; every figure is in ${RESULT}\n`);
  const left = quick || names.length > 0 ? [] : unmeasured(measurements);
  for (const name of left) console.log(`not measured: ${name}`);
  const { text, missed } = table(measurements);
  console.log(text);
  if (missed || left.length > 0) process.exitCode = 1;
}

/** Returns the names of goals that were not measured. Without this check, they would count as met. */
function unmeasured(measurements: readonly Measurement[]): string[] {
  const measured = new Set<string>(measurements.map(({ name }) => name));
  return Object.keys(GOALS).filter((name) => !measured.has(name));
}

main().catch((failure) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exit(1);
});
