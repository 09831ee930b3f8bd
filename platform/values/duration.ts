const UNITS: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ns: 1e-6,
};

const PART = /(\d+\.?\d*|\.\d+)(ms|us|µs|μs|ns|[wdhms])/g;
const WRITTEN = new RegExp(`^(${PART.source})+$`);

/** What 64 bits of nanoseconds hold, some 292 years. */
const LONGEST_MS = 2 ** 63 / 1e6;

/** Milliseconds of a duration such as `2w1d30m`, with the units w d h m s ms us ns (wire-facts 2.3), or `undefined`. */
export function durationOf(text: string): number | undefined {
  if (!WRITTEN.test(text)) return undefined;
  const parts = [...text.matchAll(PART)].map(([, count, unit]) => Number(count) * (UNITS[unit ?? ""] ?? 0));
  const duration = parts.reduce((sum, part) => sum + part, 0);
  return duration > 0 && duration < LONGEST_MS ? duration : undefined;
}
