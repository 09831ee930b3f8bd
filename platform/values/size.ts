import { invalidSize } from "./messages";

/**
 * Each unit with the powers of 1000 and 1024 that it can mean, because the meaning of `mb` is not specified (wire-facts
 * 10).
 */
const UNITS: Readonly<Record<string, readonly bigint[]>> = {
  b: [1n],
  ...Object.fromEntries(
    ["k", "m", "g", "t"].flatMap((letter, index) => {
      const [decimal, binary] = [1000n ** BigInt(index + 1), 1024n ** BigInt(index + 1)];
      const either = [`${letter}`, `${letter}b`].map((unit) => [unit, [binary, decimal]] as const);
      const certain = [`${letter}i`, `${letter}ib`].map((unit) => [unit, [binary]] as const);
      return [...either, ...certain];
    }),
  ),
};

const WRITTEN = new RegExp(`^(\\d+(?:\\.\\d+)?)(?: ?(${Object.keys(UNITS).join("|")}))?$`, "i");

/** The largest signed 64-bit integer. */
const LARGEST = 2n ** 63n - 1n;

const SHOWN_CHARACTERS = 40;

/** Returns the byte counts that a size can mean: one for plain bytes and `mib`, two for `mb`, none for invalid text. */
function readingsOf(size: string): readonly bigint[] {
  const [, digits = "", unit = "b"] = WRITTEN.exec(size) ?? [];
  if (digits === "" || digits.length > SHOWN_CHARACTERS) return [];
  const readings = (UNITS[unit.toLowerCase()] ?? []).flatMap((factor) => times(digits, factor));
  return readings.filter((reading) => reading <= LARGEST);
}

/** Returns the product if it is whole. In floating point, 1.234567 times 10^6 would not be. */
function times(decimal: string, factor: bigint): bigint[] {
  const [whole = "", fraction = ""] = decimal.split(".");
  const [product, scale] = [BigInt(whole + fraction) * factor, 10n ** BigInt(fraction.length)];
  return product % scale === 0n ? [product / scale] : [];
}

/** Whether two sizes can mean the same number of bytes. The empty string, no limit, equals only itself. */
export const sameSize = (one: string, other: string): boolean =>
  one === other || readingsOf(one).some((reading) => readingsOf(other).includes(reading));

/** Whether every reading of `one` is also a reading of `other`. */
export const saysNoMore = (one: string, other: string): boolean =>
  readingsOf(one).every((reading) => readingsOf(other).includes(reading));

/** Validates a size. Returns the problem, or `undefined`. The empty string means no limit. */
export function sizeProblem(size: string): string | undefined {
  if (size === "" || readingsOf(size).length > 0) return undefined;
  const shown = size.length > SHOWN_CHARACTERS ? `${size.slice(0, SHOWN_CHARACTERS)}…` : size;
  return invalidSize(shown, LARGEST, Object.keys(UNITS));
}
