export const OUTPUTS = "BENCH_OUTPUTS";
