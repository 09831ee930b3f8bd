/** Whether this run is `npm run test:full`, which includes slow tests that rarely find a defect. */
export const full = process.env.TEST_FULL !== undefined;

/** The seed of random sequences. Set `TEST_SEED=<integer>` to repeat a run. */
export const seeded = process.env.TEST_SEED === undefined ? {} : { seed: Number(process.env.TEST_SEED) };
