/** The environment variable with the outputs of each type, as JSON, with which a provider that does nothing answers. */
export const OUTPUTS = "BENCH_OUTPUTS";
