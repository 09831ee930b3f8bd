/** Whether this run is `npm run test:full`, which includes slow tests that rarely find anything. */
export const full = process.env.TEST_FULL !== undefined;

/** Seed of random sequences. `TEST_SEED=<integer>` repeats a run. */
export const seeded = process.env.TEST_SEED === undefined ? {} : { seed: Number(process.env.TEST_SEED) };
