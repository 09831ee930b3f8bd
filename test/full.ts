/** Whether this is `npm run test:full`, which has time for what finds less per second. */
export const full = process.env.TEST_FULL !== undefined;
