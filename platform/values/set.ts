/** Returns whether two lists contain the same items, regardless of order and duplicates. */
export const sameSet = <T>(
  one: readonly T[],
  other: readonly T[],
  same: (a: T, b: T) => boolean = (a, b) => a === b,
): boolean =>
  one.every((item) => other.some((candidate) => same(item, candidate))) &&
  other.every((item) => one.some((candidate) => same(item, candidate)));
