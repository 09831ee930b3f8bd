/** Environment variable with the outputs that the do-nothing provider returns, as JSON by resource type. */
export const OUTPUTS = "BENCH_OUTPUTS";
