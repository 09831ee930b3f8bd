/** Environment variable with the outputs that a provider that does nothing returns: JSON, by type. */
export const OUTPUTS = "BENCH_OUTPUTS";
