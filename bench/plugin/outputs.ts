/** Name of the environment variable with the outputs that the provider that does nothing returns, as JSON by type. */
export const OUTPUTS = "BENCH_OUTPUTS";
