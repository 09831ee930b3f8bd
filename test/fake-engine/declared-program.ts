/** A value as a program writes it: itself, or an output of something declared before. */
export type Value = string | boolean | readonly string[] | { readonly [name: string]: Value } | Output;

/** `id` where it is left out. */
export interface Output {
  readonly of: string;
  readonly output: string;
}

export interface Declared {
  readonly type: string;
  readonly args: Readonly<Record<string, Value>>;
  readonly import?: string | undefined;
  readonly protect?: boolean;
  /** Named by a literal: the engine is told of it with `dependsOn`. */
  readonly after?: string | undefined;
}

/** What is declared, by logical name, in an order in which it can be made. */
export type Program = ReadonlyMap<string, Declared>;

export const isOutput = (value: unknown): value is Output =>
  typeof value === "object" && value !== null && "of" in value && "output" in value;

/** The logical names that a value is made of. */
export const needsIn = (value: Value): string[] =>
  isOutput(value) ? [value.of] : typeof value === "object" ? Object.values(value).flatMap(needsIn) : [];

/** The same of something declared. */
export const needsOf = ({ args, after }: Declared): string[] => [
  ...needsIn(args),
  ...(after === undefined ? [] : [after]),
];
