/** Whether this is `npm run test:full`, which has time for what finds less per second. */
export const full = process.env.TEST_FULL !== undefined;

/** The seed of random sequences, to repeat a run: `TEST_SEED=<integer>`. */
export const seeded = process.env.TEST_SEED === undefined ? {} : { seed: Number(process.env.TEST_SEED) };
