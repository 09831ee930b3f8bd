const UNITS: Readonly<Record<string, bigint>> = {
  w: 604_800_000_000_000n,
  d: 86_400_000_000_000n,
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ns: 1n,
};

const PART = /(\d+\.?\d*|\.\d+)(ms|us|µs|μs|ns|[wdhms])/g;
const WRITTEN = new RegExp(`^(${PART.source})+$`);

/** The longest valid duration in milliseconds: 2^63 nanoseconds, which is about 292 years. */
const LONGEST_MS = 2 ** 63 / 1e6;

/**
 * Converts a duration such as `2w1d30m` to milliseconds. The units are w d h m s ms us ns (wire-facts 2.3). Returns
 * `undefined` for any other string.
 */
export function durationOf(text: string): number | undefined {
  if (!WRITTEN.test(text)) return undefined;
  const parts = [...text.matchAll(PART)].map(([, count = "", unit = ""]) => nanosecondsOf(count, UNITS[unit] ?? 0n));
  const duration = Number(parts.reduce((sum, part) => sum + part, 0n)) / 1e6;
  return duration > 0 && duration < LONGEST_MS ? duration : undefined;
}

/**
 * Returns a whole number of nanoseconds, because the platform counts nanoseconds. With floating-point numbers, 1.1
 * hours would be longer than 66 minutes.
 */
function nanosecondsOf(count: string, unit: bigint): bigint {
  const [whole = "", fraction = ""] = count.split(".");
  return (BigInt(whole + fraction) * unit) / 10n ** BigInt(fraction.length);
}
