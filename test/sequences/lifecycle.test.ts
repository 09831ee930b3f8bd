// @module-tag more
// @module-tag no-database-is-lost

import fc from "fast-check";
import { expect, test } from "vitest";
import { full, printingFailures, seeded } from "../full";
import { fakeEngineDriver } from "./fake-engine-driver";
import { FOUND } from "./found";
import { nothingSeen, play } from "./law";
import { recordingOf } from "./recording";
import { steps } from "./step";
import { ID, UNUSUAL } from "./unusual";

const SEQUENCES = full ? 2_000 : 40;
/** Minimum number of kinds of refusals in random sequences: about half the smallest number observed so far. */
const FEWEST_KINDS = full ? 9 : 3;

test.each(Object.entries(FOUND))("regression: %s", async (_, taken) => {
  await play(taken, { open: async (stage) => fakeEngineDriver(stage), seen: nothingSeen(), rehearses: true });
});

test.each(Object.entries(UNUSUAL))(
  "is refused and then succeeds: %s",
  async (_, { taken, refusal, ...circumstances }) => {
    const lines = await recordingOf(taken, circumstances);
    const refused = lines.filter((line) => line.startsWith('not empty, refused: ["'));
    expect(refused.join("\n").replace(/<id \d+>/g, ID)).toContain(refusal);
    expect(lines.at(-1)).toBe("held");
  },
);

test("after any sequence of steps, an update succeeds or is rightly refused, and its preview refuses nothing more", async () => {
  const seen = nothingSeen();
  await fc.assert(
    fc.asyncProperty(
      steps,
      printingFailures((taken) =>
        play(taken, { open: async (stage) => fakeEngineDriver(stage), seen, rehearses: true }),
      ),
    ),
    { numRuns: SEQUENCES, ...seeded },
  );
  console.log(`${SEQUENCES} sequences driving the lifecycle:`, seen);
  // Requires several kinds of refusals, because a test with few refusals would prove too little.
  expect(Object.keys(seen.refusals).length).toBeGreaterThanOrEqual(FEWEST_KINDS);
}, 3_600_000);
