import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Bench } from "../bench";
import type { Figures } from "../figures";
import type { Programs } from "./programs";

/**
 * How many times each round starts the server. The best result counts, because other processes easily disturb such a
 * short measurement.
 */
const STARTS_A_ROUND = 10;

export async function starts({ folder, rounds }: Bench, { ours, alone }: Programs, figures: Figures): Promise<void> {
  const serve = [ours, "api", "serve", "--json"];
  let files = 0;
  const newFile = () => join(folder, `start-${files++}.db`);
  for (let round = 0; round < rounds; round++) {
    figures.add(
      "reference API: start to ready",
      await fastestStarts(
        () => serve,
        () => [alone],
      ),
    );
    figures.add(
      "reference API: start with an empty file",
      await fastestStarts(
        () => [...serve, "--data", newFile()],
        () => [alone, newFile()],
      ),
    );
  }
}

/** Returns a program with its arguments, before each of its starts. */
type Command = () => readonly string[];

/** Starts two programs alternately, and returns the shortest startup time of each in milliseconds. */
export async function fastestStarts(ours: Command, floor: Command): Promise<Record<"ours" | "floor", number>> {
  const best = { ours: Number.POSITIVE_INFINITY, floor: Number.POSITIVE_INFINITY };
  for (let start = 0; start < STARTS_A_ROUND; start++) {
    best.ours = Math.min(best.ours, await millisecondsOf(ours()));
    best.floor = Math.min(best.floor, await millisecondsOf(floor()));
  }
  return best;
}

/** Returns the time from starting the process to its first line of output, in milliseconds. */
async function millisecondsOf(command: readonly string[]): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  const end = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), end]);
  const milliseconds = performance.now() - begun;
  child.kill();
  await end;
  return milliseconds;
}
