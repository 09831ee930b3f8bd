import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "../tools/run";
import { GOALS } from "./goals";
import { type Measurement, verdictOf } from "./measurement";

/** The path of the file with all figures, relative to the root folder. */
export const RESULT = "bench/results.json";

const FILE = join(root, RESULT);

interface Circumstances {
  readonly quick: boolean;
  readonly pulumi: string;
}

/** Writes every figure of every round to a file. Keeps the figures of earlier runs that this run has not measured. */
export function writeResult(measurements: readonly Measurement[], circumstances: Circumstances): void {
  const now = {
    date: new Date().toISOString(),
    cores: availableParallelism(),
    node: process.versions.node,
    ...circumstances,
  };
  const measured = new Set<string>(measurements.map(({ name }) => name));
  const earlier: readonly { readonly name: string }[] = existsSync(FILE)
    ? JSON.parse(readFileSync(FILE, "utf8")).measurements
    : [];
  const result = [
    ...earlier.filter(({ name }) => name in GOALS && !measured.has(name)),
    ...measurements.map((each) => ({ ...each, goal: GOALS[each.name], verdict: verdictOf(each), ...now })),
  ];
  writeFileSync(FILE, `${JSON.stringify({ measurements: result }, null, 2)}\n`);
}
