import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Bench } from "../bench";
import type { Figures } from "../figures";
import type { Programs } from "./programs";

/**
 * Number of times that each round starts the server. The best result counts, because a measurement this short is easily
 * disturbed by other processes.
 */
export const STARTS_A_ROUND = 10;

export async function starts({ rounds }: Bench, { ours, alone }: Programs, figures: Figures): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const [mine, its]: [number[], number[]] = [[], []];
    for (let start = 0; start < STARTS_A_ROUND; start++) {
      mine.push(await millisecondsOf(ours, "serve", "--json"));
      its.push(await millisecondsOf(alone));
    }
    figures.add("reference API: start to ready", { ours: Math.min(...mine), floor: Math.min(...its) });
  }
}

/** Returns the time from starting the process to its first line of output, in milliseconds. */
export async function millisecondsOf(...command: readonly string[]): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  const end = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), end]);
  const milliseconds = performance.now() - begun;
  child.kill();
  await end;
  return milliseconds;
}
