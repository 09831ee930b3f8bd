/**
 * The facts of a message, and those that may be absent: a name that begins with `is` or `can` is a boolean, any other a
 * string. Facts of other types stand with their type at the message.
 */
export type Facts<Name extends string, Optional extends string = never> = {
  readonly [Fact in Name]: FactOf<Fact>;
} & { readonly [Fact in Optional]?: FactOf<Fact> | undefined };

type FactOf<Name> = Name extends `${"is" | "can"}${Capitalize<string>}` ? boolean : string;

/** The id of an object that does not exist, or the reason why it does not, as a clause. */
export type IdOrReason =
  | { readonly id: string; readonly reason?: undefined }
  | { readonly id?: undefined; readonly reason: string };

export interface DeletedObject {
  readonly id: string;
  readonly deletedAt: string;
  readonly restorable: string;
  /** Whether the new object has data, but not those of the deleted one. */
  readonly isSeeded?: boolean;
}

export interface ReplacedObject {
  readonly title: string;
  readonly id: string;
  readonly isRestorable: boolean;
  /** Names of the outputs that the platform shows only at creation. */
  readonly secrets: readonly string[];
}

/** Describes the type that an argument must have, and how a program writes a value of that type. */
export interface Form {
  readonly name: string;
  readonly written: string;
}

export interface MissingSetting {
  readonly name: string;
  readonly isSecret: boolean;
  /** The environment variable that supplies the setting; `undefined` if no variable does. */
  readonly variable: string | undefined;
  /** The value that most users set; `undefined` if it differs from user to user. */
  readonly usual?: string | undefined;
}

export interface RemainingSetting {
  readonly property: string;
  readonly is: unknown;
  /** The platform's default, or `undefined` if there is none. */
  readonly byDefault: unknown;
}
