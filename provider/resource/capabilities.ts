import type { ResourceContext } from "./context";
import type { PreflightFailure } from "./preflight";
import type { Ids, Made, Restorable } from "./results";

/** Capabilities that only some kinds of objects have. */
export interface Capabilities<Args extends object, State extends object> {
  readonly named?: Named<Args, State>;
  readonly owned?: Owned<State>;
  readonly container?: Container<State>;
  readonly restorable?: Recoverable<Args, State>;
  readonly expiring?: Expiring<Args, State>;
  readonly preflight?: Preflight<Args, State>;
  /** Says why objects of this kind cannot be imported, and what to do instead. `identify` says the same. */
  readonly unimportable?: string;
}

/** The argument `name`, unique among the objects of the kind; left out, it is generated from the logical name. */
interface Named<Args, State> {
  /** Length of the longest name that the platform accepts. */
  longest(organizationSlug: string): number;
  /**
   * Finds the object that has the wanted name, if this credential may have created it.
   *
   * @param from `snapshot`: a list of a moment ago that lacks the name is enough to call it free; `run`: a list that was
   *   asked for in this update is.
   */
  findByName(
    wanted: { readonly name: string },
    context: ResourceContext,
    from?: "platform" | "snapshot" | "run",
  ): Promise<Made<State> | undefined>;
  /** Lists the ids of a few seconds ago; `undefined` when they cannot be known. */
  recentIds(context: ResourceContext): Promise<Ids | undefined>;
  /** Whether nothing in the record of a found object contradicts its creation with these arguments. */
  madeWith?(args: Args, found: State): boolean;
}

/** The object is deleted with another one: no update deletes the owner and keeps this object. */
interface Owned<State> {
  /** Type of the owner. */
  readonly type: string;
  /** Output with the id of the owner. */
  readonly id: keyof State & string;
  /** The object is a part of its owner: there is one for each owner, and it is applied again once the owner is restored. */
  readonly isPart?: true;
}

/** The object contains others, which are deleted with it. */
interface Container<State> {
  /** Says what it still contains; asked before every deletion, when the other deletions of this update have ended. */
  remaining(id: string, observed: State, context: ResourceContext): Promise<string | undefined>;
}

/** A deleted object can be restored. */
interface Recoverable<Args, State> {
  /** Restores the object as `args` wants it. */
  restore(id: string, deleted: State, args: Args, context: ResourceContext): Promise<State>;
  /** Whether a restoration can give another `name`. */
  readonly renames?: true;
  /** End of sentences about a restoration: "with its data". */
  readonly brings: string;
  /** Another object that the restoration restores as well, with a whole sentence about it. */
  alsoRestores?(deleted: State): { readonly id: string; readonly name: string; readonly sentence: string } | undefined;
  /** Lists deleted objects of a name; `undefined` where this credential cannot see them. */
  deletedNamed(name: string, context: ResourceContext): Promise<readonly Restorable[] | undefined>;
  /** Finds why a restoration would fail. */
  preflight(id: string, deleted: State, args: Args, context: ResourceContext): Promise<PreflightFailure | undefined>;
}

/** The object expires and is then replaced. */
interface Expiring<Args, State> {
  /** Output with the time of the expiry (RFC 3339). */
  readonly at: keyof State & string;
  /** Argument with the duration by which the replacement comes earlier. */
  readonly early: keyof Args & string;
}

/** Checks that find out, by reading only, why an operation would fail. What is not known yet is left out of arguments. */
interface Preflight<Args, State> {
  /** Called in the preview of a creation, and before a replacement. */
  create?(args: Partial<Args>, context: ResourceContext): Promise<PreflightFailure | undefined>;
  /** Called in previews. */
  update?(
    id: string,
    observed: State,
    changes: Partial<Args>,
    context: ResourceContext,
  ): Promise<PreflightFailure | undefined>;
  /** Describes what an update does beyond its changes, in whole sentences; called in previews and before the update. */
  consequence?(id: string, observed: State, changes: Partial<Args>, context: ResourceContext): Promise<string>;
  /** Called before a replacement, which would end with the deletion, and when the platform has refused a deletion. */
  delete?(id: string, observed: State, context: ResourceContext): Promise<PreflightFailure | undefined>;
}
