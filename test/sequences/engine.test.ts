// @module-tag more
// @module-tag no-database-is-lost
// @module-tag failures-and-interruptions

import fc from "fast-check";
import { expect, test } from "vitest";
import { full, printingFailures, seeded } from "../full";
import { engineDriver } from "./engine-driver";
import { FOUND } from "./found";
import { nothingSeen, play } from "./law";
import { steps } from "./step";

/** Uses a fixed seed, except in full runs, so that the number of engine runs does not vary. */
const EXTENT = full ? { numRuns: 30, ...seeded } : { numRuns: 5, seed: 13 };

test("after any sequence of steps, an update succeeds or is rightly refused, and the preview after it is empty", async () => {
  const seen = nothingSeen();
  await fc.assert(
    fc.asyncProperty(
      steps,
      printingFailures((taken) => play(taken, { open: engineDriver, seen })),
    ),
    // Turns off shrinking, which would be slow here. lifecycle.test.ts shrinks failures on the faster fake engine.
    { ...EXTENT, endOnFailure: true },
  );
  console.log(`${EXTENT.numRuns} sequences on the engine:`, seen);
  expect(seen.runs).toBeGreaterThan(EXTENT.numRuns);
}, 14_400_000);

test.skipIf(!full).each(Object.entries(FOUND))("regression: %s", async (_, taken) => {
  await play(taken, { open: engineDriver, seen: nothingSeen() });
});
