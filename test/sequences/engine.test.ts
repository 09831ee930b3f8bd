import fc from "fast-check";
import { expect, test } from "vitest";
import { full, seeded } from "../full";
import { engineDriver } from "./engine-driver";
import { FOUND } from "./found";
import { nothingSeen, play } from "./law";
import { steps } from "./step";

/** Always the same few take always as many engine runs. */
const EXTENT = full ? { numRuns: 300, ...seeded } : { numRuns: 5, seed: 13 };

test("after any steps an update succeeds or is rightly refused, and a second update changes nothing", async () => {
  const seen = nothingSeen();
  await fc.assert(
    fc.asyncProperty(steps, (taken) => play(taken, { open: engineDriver, seen })),
    // What it fails at is made smaller where that costs less: by the same steps driving the lifecycle.
    { ...EXTENT, endOnFailure: true },
  );
  console.log(`${EXTENT.numRuns} sequences on the engine:`, seen);
  expect(seen.runs).toBeGreaterThan(EXTENT.numRuns);
}, 14_400_000);

test.skipIf(!full).each(Object.entries(FOUND))("%s", async (_, taken) => {
  await play(taken, { open: engineDriver, seen: nothingSeen() });
});
