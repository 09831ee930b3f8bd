import type { GivenNames, ResourceContext } from "./context";
import type { PreflightFailure } from "./preflight";

/** How one argument behaves in comparisons, checks and updates. */
export interface PropertyTraits<Value, State> {
  /** The platform cannot change the value, so another value requires a replacement. */
  readonly requiresReplace?: true;
  /**
   * The argument is used only at creation: it is never compared, and the state keeps the value of the creation. The
   * text says, in a complete sentence, what to do instead of changing the argument.
   */
  readonly createOnly?: string;
  /** The argument is never sent to the platform, so it cannot drift. */
  readonly local?: true;
  /** The argument is local, but `update` acts when its value changes; adding or removing the argument has no effect. */
  readonly trigger?: true;
  /** Names of the outputs that change with the argument. */
  readonly changesOutputs?: readonly (keyof State & string)[];
  /** The platform's value when the property was never set; wanted again after the program removes the property. */
  readonly default?: Value;
  readonly semantics?: Semantics<NonNullable<Value>, State>;
}

export interface Semantics<Value, State> {
  /** Finds a problem with a wanted value and returns it as a complete sentence. */
  validate?(wanted: Value, organizationSlug: string): Problem | string | undefined;
  /** Returns whether the value must be hidden although the program does not mark it as secret. */
  secret?(wanted: Value): boolean;
  /**
   * Finds, with read requests only, why a creation with the value would fail at the moment; called in the preview of a
   * creation, before a creation and before a replacement.
   *
   * @param gone Id of the object that is deleted first.
   */
  preflight?(
    wanted: Value,
    context: ResourceContext,
    gone: string | undefined,
  ): Promise<(Problem & Pick<PreflightFailure, "isOfCredential">) | undefined>;
  /**
   * Returns whether the observed value means the same as the wanted value. Absent: values are compared as they are.
   *
   * @param given Names by id that this update assigns, or would assign in a preview.
   */
  semanticallyEqual?(wanted: Value, observed: Value | undefined, state: State, given: GivenNames): boolean;
  /**
   * Returns whether the state may keep the program's spelling of an equal value. Absent: always. Needed when one
   * spelling has several meanings, because a kept spelling could then hide a later difference (decision 67).
   */
  standsFor?(wanted: Value, observed: Value | undefined): boolean;
}

export interface Problem {
  /** Path of the property, for example `scopes[1]`. */
  readonly property: string;
  readonly reason: string;
}
