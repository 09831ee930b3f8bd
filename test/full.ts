import fc from "fast-check";

/** Whether this run is `npm run test:full`, which includes slow tests that rarely find a defect. */
export const full = process.env.TEST_FULL !== undefined;

/** The seed of random sequences. Set `TEST_SEED=<integer>` to repeat a run. */
export const seeded = process.env.TEST_SEED === undefined ? {} : { seed: Number(process.env.TEST_SEED) };

/**
 * Prints each value for which the property fails before fast-check shrinks it, because shrinking can take long, and an
 * interrupted run must not lose the counterexample.
 */
export const printingFailures =
  <T>(property: (value: T) => Promise<void>) =>
  async (value: T): Promise<void> => {
    try {
      await property(value);
    } catch (failure) {
      console.log(`Failed with ${fc.stringify(value)}\n${failure instanceof Error ? failure.message : failure}`);
      throw failure;
    }
  };
