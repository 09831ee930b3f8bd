/** Environment variable with the outputs for a provider that does nothing: JSON, by type. */
export const OUTPUTS = "BENCH_OUTPUTS";
