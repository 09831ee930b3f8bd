import type { UNKNOWN } from "../../kit/lifecycle/properties";

/** A value in a program: a literal, an output of an earlier resource, or a value that is not known in a preview. */
export type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | { readonly [name: string]: Value }
  | Output
  | typeof UNKNOWN;

export interface Output {
  readonly of: string;
  readonly output: string;
}

export interface Declared {
  readonly type: string;
  readonly args: Readonly<Record<string, Value>>;
  readonly import?: string | undefined;
  readonly protect?: boolean;
  readonly formerName?: string;
  /**
   * Logical name of a resource to list in `dependsOn`. The arguments refer to that resource by a literal name, so the
   * engine cannot derive the dependency from the arguments.
   */
  readonly dependsOn?: string | undefined;
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly deleteBeforeReplace?: true;
}

export type Program = ReadonlyMap<string, Declared>;

export const isOutput = (value: unknown): value is Output =>
  typeof value === "object" && value !== null && "of" in value && "output" in value;

export const needsIn = (value: Value): string[] =>
  isOutput(value)
    ? [value.of]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(needsIn)
      : [];

/** Returns the logical names of the resources on which a declaration depends. */
export const needsOf = ({ args, dependsOn }: Declared): string[] => [
  ...needsIn(args),
  ...(dependsOn === undefined ? [] : [dependsOn]),
];
