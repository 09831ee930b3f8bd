import type { GivenNames, ResourceContext } from "./context";
import type { PreflightFailure } from "./preflight";

/** What is special about one argument. */
export interface PropertyTraits<Value, State> {
  /** The platform cannot change it: another value is another object. */
  readonly requiresReplace?: true;
  /**
   * Says how to make it and nothing else: never compared, and remembered as it was then. What to do instead of changing
   * it, in a whole sentence.
   */
  readonly createOnly?: string;
  /** It can be given anew while restoring. */
  readonly restores?: true;
  /** No two resources of a program can have the same value; gives what is compared. */
  readonly unique?: (wanted: NonNullable<Value>) => string;
  /** Left out, it is made from the logical name of the resource. */
  readonly named?: Naming;
  /** Ours alone: never sent, never drift. */
  readonly local?: true;
  /** Local too, and yet what `update` acts on: when it is another one than before, not when it comes or goes. */
  readonly trigger?: true;
  /** Outputs that a change of it changes as well. */
  readonly changesOutputs?: readonly (keyof State & string)[];
  /**
   * What there is where nothing was ever set, which means the same as nothing: wanted again once the program takes the
   * property out.
   */
  readonly default?: Value;
  readonly semantics?: Semantics<NonNullable<Value>, State>;
}

export interface Semantics<Value, State> {
  /** What is wrong with a wanted value, in a whole sentence. */
  validate?(wanted: Value, organizationSlug: string): Problem | string | undefined;
  /** Whether it must not be shown, though the program does not call it a secret. */
  secret?(wanted: Value): boolean;
  /**
   * Why nothing can be made with it at the moment, found out by reading only; asked in the preview of a creation, before
   * a creation, and before a replacement. `gone`: id of what is deleted before.
   */
  preflight?(
    wanted: Value,
    platform: ResourceContext,
    gone: string | undefined,
  ): Promise<(Problem & Pick<PreflightFailure, "isOfCredential">) | undefined>;
  /**
   * Whether what is observed is what was meant. Left out: whether they are equal. `given`: the names that this run
   * gives, or in a preview would give, by id.
   */
  semanticallyEqual?(wanted: Value, observed: Value | undefined, state: State, given: GivenNames): boolean;
  /**
   * Whether state may keep the program's spelling of what is met. Left out: always. Needed where one spelling has
   * several meanings: kept, one that can mean more than what was observed would hide a later difference (decision 67).
   */
  standsFor?(wanted: Value, observed: Value | undefined): boolean;
}

export interface Naming {
  longest(organizationSlug: string): number;
}

export interface Problem {
  /** Path of the property: `scopes[1]`. */
  readonly property: string;
  readonly reason: string;
}
