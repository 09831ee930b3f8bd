import * as z from "zod";
import type { ResourceContext } from "./context";
import type { PreflightFailure } from "./preflight";

/** Carries the type of a property's values. Exists only for the compiler. */
declare const VALUE: unique symbol;

/**
 * One property of a resource: the shape of its values, its kind, and the options of that kind. Each kind has an
 * interface of its own, so that hovering over a property shows `Replaces<string>` and nothing else.
 */
export interface Field<Kind extends string, Value> {
  readonly kind: Kind;
  readonly schema: z.ZodType;
  readonly options: FieldOptions;
  readonly [VALUE]: Value;
}

/** An input that the platform shows. A change updates the object. */
export interface Plain<Value> extends Field<"plain", Value> {}
/** An input that the platform shows. A change replaces the object. */
interface Replaces<Value> extends Field<"replaces", Value> {}
/** An input that is used only at creation. A later change has no effect, and a warning says so. */
interface CreateOnly<Value> extends Field<"createOnly", Value> {}
/** An input that is sent, but never shown. A change replaces the object. Its values are secret. */
interface WriteOnly<Value> extends Field<"writeOnly", Value> {}
/** An input that is never sent: only the provider uses it. */
interface Local<Value> extends Field<"local", Value> {}
/** An input that is never sent. A change replaces the object. */
interface Keepers<Value> extends Field<"keepers", Value> {}
/** An input that is never sent. A change makes `update` act, for example rotate a key; the first value does not. */
interface Trigger<Value> extends Field<"trigger", Value> {}

/** An input that programs do not write: it follows from another input. It is otherwise like `plain`. */
interface Derived<Value> extends Field<"derived", Value> {}

/** An output that every read shows. */
interface Output<Value> extends Field<"output", Value> {}
/** An output that every read shows. Any other value than the given one is drift, which `update` corrects. */
interface Upheld<Value> extends Field<"upheld", Value> {}
/** An output that the state keeps when a read leaves it out. */
interface Kept<Value> extends Field<"kept", Value> {}
/** A secret output that only `create` returns. */
interface ShownOnce<Value> extends Field<"shownOnce", Value> {}
/** An output that is present only while the object is deleted, besides `deletedAt` and `restorableUntil`. */
interface WhileDeleted<Value> extends Field<"whileDeleted", Value> {}

// biome-ignore lint/suspicious/noExplicitAny: properties of any value, which `unknown` would not accept
type Any = any;
/** An input of any kind. */
export interface InputField
  extends Field<"plain" | "replaces" | "createOnly" | "writeOnly" | "local" | "keepers" | "trigger" | "derived", Any> {}
/** An output of any kind. */
export interface OutputField extends Field<"output" | "upheld" | "kept" | "shownOnce" | "whileDeleted", Any> {}
export type InputFields = { readonly [name: string]: InputField };
export type OutputFields = { readonly [name: string]: OutputField };

export type ValueOf<F> = F extends { readonly [VALUE]: infer Value } ? Value : never;
/** The names of the properties that have one of these kinds. */
export type OfKind<Fields, Kind extends string> = {
  [N in keyof Fields]: Fields[N] extends Field<Kind, infer _> ? N : never;
}[keyof Fields];

export interface Problem {
  /** Path of the invalid property, for example `scopes[1]`. */
  readonly property: string;
  readonly reason: string;
}

interface Said {
  /** Describes the property to users, in complete sentences. */
  readonly describe: string;
}

interface Meaning<Value, P> extends Said {
  /** Returns what is wrong with the program's value, or `undefined`. `account` is the configured account. */
  valid?(wanted: NonNullable<Value>, account: string): Problem | string | undefined;
  /** Returns whether both values mean the same. Without it, only identical values do. */
  same?(wanted: NonNullable<Value>, observed: NonNullable<Value> | undefined): boolean;
  /**
   * Returns whether the state may keep the program's spelling of a value that means the same. Without it, every
   * spelling is kept. An ambiguous spelling must not be, because a later change of the value could go unnoticed.
   */
  keeps?(wanted: NonNullable<Value>, observed: NonNullable<Value> | undefined): boolean;
  /** Returns warnings about a value that an object gets, for example because the platform will give it up. */
  warns?(wanted: NonNullable<Value>): readonly string[];
  /** Returns whether the value is hidden even if the program does not mark it as secret. */
  secret?(wanted: NonNullable<Value>): boolean;
  /**
   * Returns the reason why an object with this value cannot be created now. Sends read requests only. Called in the
   * preview of a new object, before a creation and before a replacement.
   */
  preflight?(
    wanted: NonNullable<Value>,
    context: ResourceContext<P> & Beside,
  ): Promise<(Problem & Pick<PreflightFailure, "isOfCredential">) | undefined>;
}

interface Beside {
  /** Id of the object that a replacement deletes first. */
  readonly gone: string | undefined;
  /** The object that the new one replaces. */
  readonly replaced: unknown;
  /** All inputs of the object. An input that is not known yet is represented by a symbol. */
  readonly beside: Readonly<Record<string, unknown>>;
}

/** Options that only inputs have whose values the platform returns. */
interface Shown<Value, P> {
  /** Describes the property where users read its value, if that needs other words than where they write it. */
  readonly describeOutput?: string;
  /** Set if the platform shows a value even if the program sets none, so that every state has one. */
  readonly isAlwaysShown?: true;
  /** Set if the value refers to another object, by its id or name. */
  readonly references?: Reference<Value, P>;
}

interface Reference<Value, P> {
  readonly type: string;
  /** Returns whether a value is an id, not a name. */
  isId(wanted: NonNullable<Value>): boolean;
  /** Returns the object to which the recorded state refers, or `undefined` if its id or name is not known. */
  target(now: Recorded): { readonly id: string; readonly name: string } | undefined;
  /** Returns the id of the object to which a value refers, from a list that is at most a few seconds old. */
  find(wanted: NonNullable<Value>, context: ResourceContext<P>): Promise<string | undefined>;
}

/** An option of inputs that cost a request to read, or of which the platform chooses a value if none is set. */
interface Sparing {
  /**
   * Set if the state holds the value only while the program sets the property. A read may leave the property out if
   * `known` lacks it, which can save a request.
   */
  readonly isRecordedIfSet?: true;
}

interface Default<Value> {
  /**
   * The platform's value if the property was never set. A property that the program removes gets it again; without a
   * default, it is no longer managed.
   */
  readonly default?: Exclude<Value, undefined>;
}

interface Instead {
  /** Tells users what to do instead of changing the property, in a complete sentence. */
  readonly instead: string;
}

interface AtFirst {
  /**
   * Tells users that the first value is only recorded, or that a new resource has none, and how to make `update` act, in
   * complete sentences.
   */
  atFirst(hasValue: boolean): string;
}

interface Content {
  /**
   * Set if the value is the first content of the object. It can then be removed without a warning, and `loses` says what
   * a replacement contains.
   */
  readonly isContent?: true;
}

interface Following<Value> {
  /** The input from which the value follows. While it is not known, neither is the value. */
  readonly from: string;
  /** Returns the value that follows from a valid value of that input. */
  derive(source: Any): Value;
}

interface Hidden<Value> {
  /** Names a value in messages without revealing it. `value` is `undefined` if the state has none. */
  describeValue(value: NonNullable<Value> | undefined, now: Recorded): string;
}

/** The state of the resource, in which a property may need to look at others. */
type Recorded = Readonly<Record<string, Any>>;

/** Every option of every kind, as the kit reads them. */
export interface FieldOptions
  extends Meaning<Any, Any>,
    Shown<Any, Any>,
    Sparing,
    Default<Any>,
    Content,
    Partial<Instead & AtFirst & Hidden<Any> & Following<Any>> {
  readonly value?: unknown;
}

type Of<S extends z.ZodType> = z.output<S>;

/**
 * The kinds of properties. A kind answers what a change of the property does and what the platform knows of its value,
 * and takes only the options that make sense for it.
 */
export interface Kinds<P> {
  /** An input that the platform shows. A change updates the object. */
  plain<S extends z.ZodType>(
    schema: S,
    options: Meaning<Of<S>, P> & Shown<Of<S>, P> & Sparing & Default<Of<S>>,
  ): Plain<Of<S>>;
  /** An input that the platform shows. A change replaces the object. */
  replaces<S extends z.ZodType>(
    schema: S,
    options: Meaning<Of<S>, P> & Shown<Of<S>, P> & Sparing & Default<Of<S>>,
  ): Replaces<Of<S>>;
  /** An input that is used only at creation. A later change has no effect, and a warning says so. */
  createOnly<S extends z.ZodType>(schema: S, options: Meaning<Of<S>, P> & Instead & Content): CreateOnly<Of<S>>;
  /** An input that is sent, but never shown. A change replaces the object. Its values are secret. */
  writeOnly<S extends z.ZodType>(schema: S, options: Meaning<Of<S>, P> & Hidden<Of<S>>): WriteOnly<Of<S>>;
  /** An input that is never sent: only the provider uses it. */
  local<S extends z.ZodType>(schema: S, options: Meaning<Of<S>, P> & Default<Of<S>>): Local<Of<S>>;
  /** An input that is never sent. A change replaces the object. */
  keepers<S extends z.ZodType>(schema: S, options: Meaning<Of<S>, P> & Default<Of<S>>): Keepers<Of<S>>;
  /** An input that is never sent. A change makes `update` act, for example rotate a key; the first value does not. */
  trigger<S extends z.ZodType>(schema: S, options: Meaning<Of<S>, P> & Default<Of<S>> & AtFirst): Trigger<Of<S>>;
  /** An input that programs do not write: it follows from another input. It is otherwise like `plain`. */
  derived<S extends z.ZodType>(
    schema: S,
    options: Said & Pick<Meaning<Of<S>, P>, "same"> & Following<Of<S>>,
  ): Derived<Of<S>>;
  /** An output that every read shows. */
  output<S extends z.ZodType>(schema: S, options: Said): Output<Of<S>>;
  /** An output that every read shows. Any other value than the given one is drift, which `update` corrects. */
  upheld<S extends z.ZodType>(schema: S, options: Said & { readonly value: Of<S> }): Upheld<Of<S>>;
  /** An output that the state keeps when a read leaves it out. */
  kept<S extends z.ZodType>(schema: S, options: Said): Kept<Of<S>>;
  /** A secret output that only `create` returns. */
  shownOnce<S extends z.ZodType>(schema: S, options: Said): ShownOnce<Of<S>>;
  /** An output that is present only while the object is deleted, besides `deletedAt` and `restorableUntil`. */
  whileDeleted<S extends z.ZodType>(schema: S, options: Said): WhileDeleted<Of<S>>;
}

const fieldOfKind = (name: keyof Kinds<unknown>) => (schema: z.ZodType, options: FieldOptions) => ({
  kind: name,
  schema,
  options,
});

export const kinds = {
  plain: fieldOfKind("plain"),
  replaces: fieldOfKind("replaces"),
  createOnly: fieldOfKind("createOnly"),
  writeOnly: fieldOfKind("writeOnly"),
  local: fieldOfKind("local"),
  keepers: fieldOfKind("keepers"),
  trigger: fieldOfKind("trigger"),
  derived: fieldOfKind("derived"),
  output: fieldOfKind("output"),
  upheld: fieldOfKind("upheld"),
  kept: fieldOfKind("kept"),
  shownOnce: fieldOfKind("shownOnce"),
  whileDeleted: fieldOfKind("whileDeleted"),
};

/** The known values of a string property, which editors and SDKs suggest. */
export interface Vocabulary {
  readonly name: string;
  readonly description: string;
  readonly values: Readonly<Record<string, string>>;
  /** Says of each deprecated value why, and what to write instead. Editors then mark the value. */
  readonly deprecated?: Readonly<Record<string, string>>;
  /** Set if the provider rejects all other values. The types of SDKs then reject them too. */
  readonly isClosed?: true;
}

/**
 * Defines a string property with suggested values. Other values are accepted too, unless the vocabulary is closed,
 * because the platform decides which values are valid.
 */
export const word = (vocabulary: Vocabulary): z.ZodString => z.string().meta({ vocabulary });
