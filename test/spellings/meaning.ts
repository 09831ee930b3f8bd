import fc from "fast-check";
import type { Properties } from "../../provider/lifecycle/properties";
import type { AnyResource } from "../../provider/resource/definition";

/** One meaning of a property. Tests generate spellings from the meaning, so that they never parse a spelling. */
export interface Meaning {
  /** Equivalent values in a program; `undefined` omits the property. */
  readonly spellings: readonly unknown[];
  /** Equivalent answers of the platform, which omit properties that it does not store. */
  readonly observed: readonly Properties[];
}

/** Meanings of one property, with the source that defines which values are equivalent. */
export interface Property {
  readonly resource: AnyResource;
  readonly property: string;
  /** Section of the specification or of the wire facts. */
  readonly source: string;
  /** Other arguments that the property needs, and the state that belongs to them (`remembered`). */
  readonly beside: Properties;
  readonly remembered?: Properties;
  /** Hand-written meanings, which all differ. */
  readonly meanings: readonly Meaning[];
  /** Pairs of different meanings. */
  readonly generated: fc.Arbitrary<readonly [Meaning, Meaning]>;
}

/** A meaning that the platform returns exactly as written, in any spelling. */
export const shownAs = (property: string, spellings: readonly unknown[], byItself?: unknown): Meaning => ({
  spellings,
  observed: spellings.map((spelling) => ({ [property]: spelling ?? byItself })),
});

/** A meaning that the platform does not store. */
export const ours = (spellings: readonly unknown[]): Meaning => ({ spellings, observed: [{}] });

/**
 * Generates pairs of different meanings.
 * @param key Returns a text that is different for each meaning.
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
