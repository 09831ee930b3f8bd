import { appendFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { test, vi } from "vitest";
import { FOUND } from "./found";
import { recordingOf, type SequenceOptions } from "./recording";
import type { SequenceStep } from "./scene";
import { steps } from "./step";
import { UNUSUAL } from "./unusual";

const { RECORD_FILE = "", RECORD_SEQUENCES = "600", RECORD_SEED = "42" } = process.env;

test.runIf(RECORD_FILE)(
  "records what sequences answer, print and send (tools/lab/record.ts)",
  async () => {
    writeFileSync(RECORD_FILE, "");
    // Cached lists never expire, because a slow machine would otherwise send further requests.
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    const record = async (name: string, taken: readonly SequenceStep[], circumstances?: SequenceOptions) =>
      appendFileSync(RECORD_FILE, [`# ${name}`, ...(await recordingOf(taken, circumstances)), ""].join("\n"));
    for (const [name, { taken, ...circumstances }] of Object.entries(UNUSUAL)) await record(name, taken, circumstances);
    for (const [name, taken] of Object.entries(FOUND)) await record(name, taken);
    const random = fc.sample(steps, { numRuns: Number(RECORD_SEQUENCES), seed: Number(RECORD_SEED) });
    for (const [index, taken] of random.entries()) await record(`random ${index}: ${JSON.stringify(taken)}`, taken);
  },
  3_600_000,
);
