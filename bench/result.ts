import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { root } from "../tools/run";
import { GOALS } from "./goals";
import { type Measurement, verdictOf } from "./measurement";

const FILE = join(root, "bench/results.json");

interface Circumstances {
  readonly quick: boolean;
  readonly pulumi: string;
}

/** Writes every figure of every round to a file, and returns the path of the file. */
export function writeResult(measurements: readonly Measurement[], circumstances: Circumstances): string {
  const result = {
    date: new Date().toISOString(),
    cores: availableParallelism(),
    node: process.versions.node,
    ...circumstances,
    measurements: measurements.map((each) => ({ ...each, goal: GOALS[each.name], verdict: verdictOf(each) })),
  };
  writeFileSync(FILE, `${JSON.stringify(result, null, 2)}\n`);
  return relative(process.cwd(), FILE);
}
