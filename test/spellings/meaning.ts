import fc from "fast-check";
import type { Properties } from "../../provider/lifecycle/properties";
import type { AnyResource } from "../../provider/resource/definition";

/** One meaning of a property. It is what comes first: how it can be written follows from it, and nothing is parsed. */
export interface Meaning {
  /** How a program can write it; `undefined`: left out. */
  readonly spellings: readonly unknown[];
  /** What the platform may show where it means this; what is ours alone it does not show. */
  readonly observed: readonly Properties[];
}

/** What is written of one property, with the source that says what means the same. */
export interface Property {
  readonly resource: AnyResource;
  readonly property: string;
  /** Section of the specification, or of the facts about the wire. */
  readonly source: string;
  /** The arguments that it needs beside it, and what is remembered with them. */
  readonly beside: Properties;
  readonly remembered?: Properties;
  /** Written by hand, each a meaning of its own. */
  readonly meanings: readonly Meaning[];
  /** Two meanings. */
  readonly generated: fc.Arbitrary<readonly [Meaning, Meaning]>;
}

/** Of what the platform shows as it was written: in every spelling. */
export const shownAs = (property: string, spellings: readonly unknown[], byItself?: unknown): Meaning => ({
  spellings,
  observed: spellings.map((spelling) => ({ [property]: spelling ?? byItself })),
});

/** Of what is ours alone. */
export const ours = (spellings: readonly unknown[]): Meaning => ({ spellings, observed: [{}] });

/** Two of a kind, never the same. `key`: a text that is different for each meaning. */
export const twoOf = <T>(
  one: fc.Arbitrary<T>,
  key: (value: T) => string,
  meant: (value: T) => fc.Arbitrary<Meaning>,
): fc.Arbitrary<readonly [Meaning, Meaning]> =>
  fc
    .tuple(one, one)
    .filter(([first, second]) => key(first) !== key(second))
    .chain(([first, second]) => fc.tuple(meant(first), meant(second)));
