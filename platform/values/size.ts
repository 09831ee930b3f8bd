const WRITTEN = /^\s*(\d+(?:\.\d+)?)\s*(b|[kmgt]i?b?)?\s*$/i;
const POWER = { b: 0, k: 1, m: 2, g: 3, t: 4 } as const;

/**
 * The numbers of bytes that a written size can mean: one for plain bytes and for `mib`; two for `mb`, since nothing
 * says whether the platform reads it as 10^6 or 2^20 (wire-facts 10). Empty when the text is no size.
 */
function readingsOf(size: string): readonly number[] {
  const [, digits, unit = "b"] = WRITTEN.exec(size) ?? [];
  if (digits === undefined) return [];
  const power = POWER[unit.charAt(0).toLowerCase() as keyof typeof POWER];
  const bases = power === 0 ? [1] : /i/i.test(unit) ? [1024] : [1024, 1000];
  return bases.flatMap((base) => times(digits, base ** power));
}

/** The product where it is whole. By floating point, 1.234567 times 10^6 would not be. */
function times(decimal: string, factor: number): number[] {
  const [whole = "", fraction = ""] = decimal.split(".");
  const [product, scale] = [BigInt(whole + fraction) * BigInt(factor), 10n ** BigInt(fraction.length)];
  return product % scale === 0n ? [Number(product / scale)] : [];
}

/** Whether two written sizes can mean the same number of bytes. The empty text, no limit, is like itself alone. */
export const sameSize = (one: string, other: string): boolean =>
  one.trim() === other.trim() || readingsOf(one).some((reading) => readingsOf(other).includes(reading));

/** Whether one has no reading that the other lacks. */
export const saysNoMore = (one: string, other: string): boolean =>
  readingsOf(one).every((reading) => readingsOf(other).includes(reading));

/** What is wrong with a size, or `undefined`. The empty text means no limit. */
export const sizeProblem = (size: string): string | undefined =>
  size === "" || readingsOf(size).length > 0
    ? undefined
    : `"${size}" is no size: write whole bytes, or a number with kb, mb, gb or tb ("256mb")`;
