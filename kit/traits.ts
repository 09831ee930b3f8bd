import type { GivenNames, ResourceContext } from "./context";
import type { Problem } from "./field";
import type { PreflightFailure } from "./preflight";

type Values = Readonly<Record<string, unknown>>;

/** Defines how one argument behaves in comparisons, checks and updates. */
export interface PropertyTraits {
  /** Set if the platform cannot change the value, so a different value requires a replacement. */
  readonly requiresReplace?: true;
  /**
   * Set if the argument is used only when the object is created. It is never compared, and the state keeps its first
   * value. The string tells users, in a complete sentence, what to do instead of changing the argument.
   */
  readonly createOnly?: string;
  /** Set if the argument is the first content of the object, which a later program need not mention. */
  readonly content?: true;
  /** Set if the argument is never sent to the platform and therefore cannot drift. */
  readonly local?: true;
  /**
   * Set if changing the value triggers an action, such as a key rotation. The value itself is never sent to the
   * platform. Adding or removing the argument has no effect. The function returns what tells users, in complete
   * sentences, that the first value is only recorded, or that a new resource has none.
   */
  readonly trigger?: (hasValue: boolean) => string;
  /**
   * Set if the platform uses the value but never returns it. The state keeps the program's value, and removing the
   * argument changes nothing.
   */
  readonly writeOnly?: WriteOnly;
  /**
   * Returns a warning, in complete sentences, about what happens to the old object if this property causes a
   * replacement, or `undefined` if there is nothing to warn of.
   *
   * @param title Type and name of the old object.
   * @param wanted The new value. `undefined` if the value is not known yet; it is then uncertain whether the object
   *   will be replaced.
   */
  replacementWarning?(
    title: string,
    state: Values,
    wanted: unknown,
    replaced: Replaced,
  ): string | undefined | Promise<string | undefined>;
  readonly changesOutputs?: readonly string[];
  /** Set if the state holds the value only while the program sets the property. */
  readonly recordedIfSet?: true;
  /**
   * The value that the platform uses if the property was never set. When the program removes the property, the
   * provider sets it back to this value.
   */
  readonly default?: unknown;
  readonly semantics?: Semantics;
}

/** An object that an update replaces. */
interface Replaced {
  readonly id: string;
  /** Whether the old object is deleted before the new one is created. */
  readonly isDeletedFirst: boolean;
  /** The program's arguments. An argument that is not known yet is represented by a symbol. */
  readonly news: Readonly<Record<string, unknown>>;
  readonly context: ResourceContext;
}

interface WriteOnly {
  /** Describes a value for messages without revealing it. `value` is `undefined` if the state does not contain it. */
  describe(value: unknown, state: Values): string;
}

interface Semantics {
  /**
   * Validates the value in the program. Returns what is wrong with the value, or `undefined`.
   *
   * @param account Name of the configured account.
   */
  validate?(wanted: unknown, account: string): Problem | string | undefined;
  /** Returns warnings about a value that an object gets. */
  warnings?(wanted: unknown): readonly string[];
  /** Returns whether the value must be hidden even if the program does not mark it as secret. */
  secret?(wanted: unknown): boolean;
  /**
   * Returns the reason why an object with this value cannot be created now. Sends read requests only. Called in the
   * preview of a new object, before an object is created, and before a replacement.
   *
   * @param gone Id of the object that the replacement deletes first.
   * @param beside All arguments of the object. An argument that is not known yet is represented by a symbol.
   */
  preflight?(
    wanted: unknown,
    context: ResourceContext,
    gone: string | undefined,
    beside: Readonly<Record<string, unknown>>,
  ): Promise<(Problem & Pick<PreflightFailure, "isOfCredential">) | undefined>;
  /**
   * Returns whether the observed value is equivalent to the wanted value. If this function is absent, only identical
   * values are equal.
   *
   * @param given The names that this update gives to objects, by id.
   */
  semanticallyEqual?(wanted: unknown, observed: unknown, state: Values, given: GivenNames): boolean;
  /**
   * Returns whether the state may keep the program's spelling of a semantically equal value. If this function is
   * absent, every spelling is kept. An ambiguous spelling must not be kept, because a later change of the value could
   * then go unnoticed (decision 67).
   */
  standsFor?(wanted: unknown, observed: unknown): boolean;
  /** Set if the value refers to another object by its id or name. */
  readonly reference?: Reference;
}

interface Reference {
  readonly type: string;
  /** Returns whether the value is an id, not a name. */
  isId(wanted: unknown): boolean;
  /** Returns the object to which the resource belongs, or `undefined` if its id or name is not known. */
  target(state: Values): { readonly id: string; readonly name: string } | undefined;
  /**
   * Returns the id of the object to which the value refers. For a name, returns `undefined` if this credential sees no
   * object with the name, and this update gives the name to none. Accepts a list that is at most a few seconds old.
   */
  find(wanted: unknown, context: ResourceContext): Promise<string | undefined>;
}
