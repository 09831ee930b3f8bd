import fc from "fast-check";
import type { AnyResource } from "../../kit/definition";
import type { Properties } from "../../kit/lifecycle/properties";

/**
 * A value, independent of how it is spelled. Tests start from the value and generate spellings, so that they never have
 * to parse a spelling.
 */
export interface Meaning {
  /** Equivalent values in a program; `undefined` means that the property is omitted. */
  readonly spellings: readonly unknown[];
  /** Each form in which the platform may return this value. Properties that the platform does not store are omitted. */
  readonly observed: readonly Properties[];
}

export interface Property {
  readonly resource: AnyResource;
  readonly property: string;
  readonly source: string;
  /** Arguments that must be set together with `property`. */
  readonly beside: Properties;
  /** State values that result from the arguments in `beside`, such as `groupId`. */
  readonly remembered?: Properties;
  /** Hand-written values, no two of which are semantically equal. */
  readonly meanings: readonly Meaning[];
  /** Generator of pairs of values that are not semantically equal. */
  readonly generated: fc.Arbitrary<readonly [Meaning, Meaning]>;
}

/**
 * Builds a `Meaning` for a value that the platform may return in any of the given spellings.
 *
 * @param byItself Value that the platform returns if the program omits the property.
 */
export const shownAs = (property: string, spellings: readonly unknown[], byItself?: unknown): Meaning => ({
  spellings,
  observed: spellings.map((spelling) => ({ [property]: spelling ?? byItself })),
});

/** Builds a `Meaning` for a value that the platform does not store. */
export const ours = (spellings: readonly unknown[]): Meaning => ({ spellings, observed: [{}] });

/**
 * Generates pairs of values that are not semantically equal.
 *
 * @param key Returns a string that is unique to each value.
 */
export const twoOf = <T>(
  one: fc.Arbitrary<T>,
  key: (value: T) => string,
  meant: (value: T) => fc.Arbitrary<Meaning>,
): fc.Arbitrary<readonly [Meaning, Meaning]> =>
  fc
    .tuple(one, one)
    .filter(([first, second]) => key(first) !== key(second))
    .chain(([first, second]) => fc.tuple(meant(first), meant(second)));
