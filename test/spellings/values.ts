import fc from "fast-check";

export const uuidSpellings = (uuid: string): string[] => [
  uuid,
  uuid.toUpperCase(),
  `{${uuid}}`,
  `urn:uuid:${uuid}`,
  uuid.replaceAll("-", ""),
];

export const name: fc.Arbitrary<string> = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);

/** Generates lists that contain each item once or twice, in any order and any spelling. */
export const several = <T>(items: readonly (readonly T[])[]): fc.Arbitrary<T[]> =>
  fc
    .tuple(...items.map((spellings) => fc.array(fc.constantFrom(...spellings), { minLength: 1, maxLength: 2 })))
    .chain((lists) => fc.shuffledSubarray(lists.flat(), { minLength: lists.flat().length }));

/** A block of IP addresses: the bytes of the first address, and the number of leading bits that all addresses share. */
export interface AddressBlock {
  readonly first: readonly number[];
  readonly prefix: number;
}

const blockOf = (length: number): fc.Arbitrary<AddressBlock> =>
  fc
    .record({
      bytes: fc.array(fc.oneof(fc.constantFrom(0, 255), fc.nat(255)), { minLength: length, maxLength: length }),
      prefix: fc.oneof(fc.constant(length * 8), fc.nat(length * 8)),
    })
    .map(({ bytes, prefix }) => ({ first: bytes.map((byte, at) => byte & maskAt(at, prefix)), prefix }));

const maskAt = (at: number, prefix: number): number => 0xff & ~(0xff >> Math.max(0, Math.min(8, prefix - at * 8)));

export const block: fc.Arbitrary<AddressBlock> = fc.oneof(blockOf(4), blockOf(16));

export const keyOf = ({ first, prefix }: AddressBlock): string => `${first.join(".")}/${prefix}`;

/** Generates spellings of a block of IP addresses. Each spelling may name any address in the block, in any notation. */
export function blockSpellings({ first, prefix }: AddressBlock): fc.Arbitrary<string[]> {
  return fc.array(fc.nat(255), { minLength: first.length, maxLength: first.length }).map((noise) => {
    const within = first.map((byte, at) => byte | ((noise[at] ?? 0) & ~maskAt(at, prefix) & 0xff));
    const addresses = [...addressSpellings(first), ...addressSpellings(within)];
    const blocks = addresses.map((address) => `${address}/${prefix}`);
    return prefix === first.length * 8 ? [...addressSpellings(first), ...blocks] : blocks;
  });
}

function addressSpellings(bytes: readonly number[]): string[] {
  if (bytes.length === 4) return [bytes.join(".")];
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0));
  const short = groups.map((group) => group.toString(16));
  const long = short.map((group) => group.padStart(4, "0"));
  const dotted = [...short.slice(0, 6), bytes.slice(12).join(".")];
  return [short.join(":"), long.join(":"), long.join(":").toUpperCase(), dotted.join(":"), ...compressed(short)];
}

/** Returns all spellings in which one run of zero groups, of any length, is written as `::`. */
function compressed(groups: readonly string[]): string[] {
  const found: string[] = [];
  for (let from = 0; from < 8; from++)
    for (let to = from + 1; to <= 8; to++)
      if (groups.slice(from, to).every((group) => group === "0"))
        found.push(`${groups.slice(0, from).join(":")}::${groups.slice(to).join(":")}`);
  return found;
}

const SECOND = 1_000;
const UNITS: readonly (readonly [string, number])[] = [
  ["w", 604_800 * SECOND],
  ["d", 86_400 * SECOND],
  ["h", 3_600 * SECOND],
  ["m", 60 * SECOND],
  ["s", SECOND],
  ["ms", 1],
];

/**
 * Returns the spellings of a duration: in one unit, in several units, with a fraction, and with the units in reverse
 * order.
 */
export function durationSpellings(milliseconds: number): string[] {
  const parts: string[] = [];
  let left = milliseconds;
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length);
    if (count > 0) parts.push(`${count}${unit}`);
    left -= count * length;
  }
  const single = UNITS.flatMap(([unit, length]) => {
    const written = decimal(milliseconds, length);
    return written === undefined ? [] : [`${written}${unit}`];
  });
  return [parts.join(""), [...parts].reverse().join(""), ...single];
}

/** Returns the exact quotient as a decimal fraction, or `undefined` if it needs more than nine decimal places. */
function decimal(dividend: number, divisor: number): string | undefined {
  const scaled = BigInt(dividend) * 10n ** 9n;
  if (scaled % BigInt(divisor) !== 0n) return undefined;
  const digits = (scaled / BigInt(divisor)).toString().padStart(10, "0");
  const fraction = digits.slice(-9).replace(/0+$/, "");
  return fraction === "" ? digits.slice(0, -9) : `${digits.slice(0, -9)}.${fraction}`;
}

export const duration: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 1, max: 400 * 86_400 }).map((seconds) => seconds * SECOND),
  fc.integer({ min: 1, max: 500 }).map((tenths) => tenths * 360 * SECOND),
  fc.integer({ min: 1, max: 1_000_000 }),
);

/** Returns spellings of the instant with different UTC offsets, with and without fractions of a second. */
export function instantSpellings(instant: Date, minutes: number): string[] {
  const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = `${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
  const exact = [instant.toISOString(), `${local}${offset}`, `${local}000${offset}`];
  return instant.getMilliseconds() === 0 ? [...exact, ...exact.map((text) => text.replace(/\.0+/, ""))] : exact;
}

/** A size as written, and the byte counts that it can mean: `mb` is either 10^6 or 2^20 bytes (wire-facts 10). */
export interface Size {
  readonly text: string;
  readonly readings: readonly number[];
}

const LETTERS = ["", "k", "m", "g", "t"];

export function sizeSpellings(bytes: number): Size[] {
  const found: Size[] = ["", "b", "B", " b"].map((unit) => ({ text: `${bytes}${unit}`, readings: [bytes] }));
  for (const base of [1000, 1024])
    for (let power = 1; power <= 4; power++) {
      const written = decimal(bytes, base ** power);
      if (written === undefined) continue;
      const letter = LETTERS[power] ?? "";
      const either = [1000, 1024].flatMap((one) => times(written, one ** power));
      for (const unit of [`${letter}b`, letter, ` ${letter.toUpperCase()}B`, `${letter.toUpperCase()}b`])
        found.push({ text: `${written}${unit}`, readings: either });
      if (base === 1024)
        for (const unit of [`${letter}ib`, ` ${letter.toUpperCase()}iB`, `${letter}i`])
          found.push({ text: `${written}${unit}`, readings: [bytes] });
    }
  return found;
}

function times(written: string, factor: number): number[] {
  const [whole = "", fraction = ""] = written.split(".");
  const [product, scale] = [BigInt(whole + fraction) * BigInt(factor), 10n ** BigInt(fraction.length)];
  return product % scale === 0n ? [Number(product / scale)] : [];
}

/** Generates realistic byte counts, such as multiples of powers of 1000 or 1024. */
export const bytes: fc.Arbitrary<number> = fc.oneof(
  fc
    .record({
      count: fc.integer({ min: 1, max: 2048 }),
      base: fc.constantFrom(1000, 1024),
      power: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ count, base, power }) => count * base ** power),
  fc.constantFrom(1000, 1024, 1536).map((count) => count * 1024 ** 2),
  fc.integer({ min: 1, max: 2 ** 40 }),
);
