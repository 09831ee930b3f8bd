import { invalidSize } from "./messages";

/**
 * The units, each with every number of bytes that it can stand for. A unit such as `mb` can be a power of 1000 or of
 * 1024, because the specification does not define it (wire-facts 10).
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

/** The largest valid size in bytes: the maximum of a signed 64-bit integer. */
const LARGEST = 2n ** 63n - 1n;

const SHOWN_CHARACTERS = 40;

/**
 * Returns every number of bytes that a size can stand for. The list has one item for plain bytes and for `mib`, two
 * items for `mb`, and none for an invalid size.
 */
function readingsOfSize(size: string): readonly bigint[] {
  const [, digits = "", unit = "b"] = WRITTEN.exec(size) ?? [];
  if (digits === "" || digits.length > SHOWN_CHARACTERS) return [];
  const readings = (UNITS[unit.toLowerCase()] ?? []).flatMap((factor) => timesFactor(digits, factor));
  return readings.filter((reading) => reading <= LARGEST);
}

/**
 * Multiplies two numbers. Returns the product as a one-item list, or an empty list if the product is not a whole
 * number. Calculates with `BigInt`, because 1.001 times 1000 is 1000.9999999999999 in floating-point arithmetic.
 */
function timesFactor(decimal: string, factor: bigint): bigint[] {
  const [whole = "", fraction = ""] = decimal.split(".");
  const [product, scale] = [BigInt(whole + fraction) * factor, 10n ** BigInt(fraction.length)];
  return product % scale === 0n ? [product / scale] : [];
}

/**
 * Returns whether two sizes can stand for the same number of bytes. An empty string means no limit and equals only
 * itself.
 */
export const sameSize = (one: string, other: string): boolean =>
  one === other || readingsOfSize(one).some((reading) => readingsOfSize(other).includes(reading));

/** Returns whether `other` can stand for every number of bytes that `one` can stand for. */
export const isSizeNoLessPrecise = (one: string, other: string): boolean =>
  one === other || readingsOfSize(one).every((reading) => readingsOfSize(other).includes(reading));

/**
 * Returns the largest number of bytes that a size can stand for: 1024 for `1kb`, which can be 1000 or 1024 bytes.
 * Returns `undefined` for the empty string and invalid text.
 */
export const largestBytes = (size: string): bigint | undefined =>
  readingsOfSize(size).reduce<bigint | undefined>(
    (most, each) => (most === undefined || each > most ? each : most),
    undefined,
  );

/**
 * Validates a size. Returns the problem, or `undefined` if there is none. An empty string is valid and means no limit.
 */
export function sizeProblem(size: string): string | undefined {
  if (size === "" || readingsOfSize(size).length > 0) return undefined;
  const text = size.length > SHOWN_CHARACTERS ? `${size.slice(0, SHOWN_CHARACTERS)}…` : size;
  return invalidSize({ text, largestSize: LARGEST, units: Object.keys(UNITS) });
}
