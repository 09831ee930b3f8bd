import type { GivenNames, ResourceContext } from "./context";
import type { PreflightFailure } from "./preflight";

/** What is special about one argument. */
export interface PropertyTraits<Value, State> {
  /** The platform cannot change the value: another value means another object. */
  readonly requiresReplace?: true;
  /**
   * The argument is used at creation only: never compared, and recorded as it was then. Says what to do instead of
   * changing it, in a whole sentence.
   */
  readonly createOnly?: string;
  /** The argument is never sent, and so never drifts. */
  readonly local?: true;
  /** Local, but `update` acts on a change of its value; not when the argument first appears or is removed. */
  readonly trigger?: true;
  /** Outputs that change with the argument. */
  readonly changesOutputs?: readonly (keyof State & string)[];
  /** The value where nothing was ever set; wanted again once the program removes the property. */
  readonly default?: Value;
  readonly semantics?: Semantics<NonNullable<Value>, State>;
}

export interface Semantics<Value, State> {
  /** Finds what is wrong with a wanted value, in a whole sentence. */
  validate?(wanted: Value, organizationSlug: string): Problem | string | undefined;
  /** Whether the value must not be shown, though the program does not call it a secret. */
  secret?(wanted: Value): boolean;
  /**
   * Finds, by reading only, why nothing can be created with the value at the moment; called in the preview of a creation,
   * before a creation, and before a replacement.
   *
   * @param gone Id of the object that is deleted before.
   */
  preflight?(
    wanted: Value,
    context: ResourceContext,
    gone: string | undefined,
  ): Promise<(Problem & Pick<PreflightFailure, "isOfCredential">) | undefined>;
  /**
   * Whether the observed value is what was meant. Absent: values are compared as they are.
   *
   * @param given Names that this update gives, or in a preview would give, by id.
   */
  semanticallyEqual?(wanted: Value, observed: Value | undefined, state: State, given: GivenNames): boolean;
  /**
   * Whether the state may keep the program's spelling of an equal value. Absent: always. Needed where one spelling has
   * several meanings: kept, it could hide a later difference (decision 67).
   */
  standsFor?(wanted: Value, observed: Value | undefined): boolean;
}

export interface Problem {
  /** Path of the property: `scopes[1]`. */
  readonly property: string;
  readonly reason: string;
}
