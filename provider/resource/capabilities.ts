import type { ResourceContext } from "./context";
import type { PreflightFailure } from "./preflight";
import type { Ids, Made, Restorable } from "./results";

/** Capabilities that only some resource types have. */
export interface Capabilities<Args extends object, State extends object> {
  readonly named?: Named<Args, State>;
  readonly owned?: Owned<State>;
  readonly container?: Container<State>;
  readonly restorable?: Recoverable<Args, State>;
  readonly expiring?: Expiring<Args, State>;
  readonly preflight?: Preflight<Args, State>;
  /** Explains why this resource type cannot be imported, and what to do instead; `identify` returns the same text. */
  readonly unimportable?: string;
}

/**
 * The resource type has the argument `name`, which is unique within the type and generated from the logical name when
 * omitted.
 */
interface Named<Args, State> {
  /** Length of the longest name that the platform accepts. */
  longest(organizationSlug: string): number;
  /**
   * Finds the object with the wanted name, if this credential may have created that object.
   *
   * @param from Which lists prove that a name is free: `snapshot` also accepts one loaded a few seconds ago, `run`
   *   accepts only one requested in this update.
   */
  findByName(
    wanted: { readonly name: string },
    context: ResourceContext,
    from?: "platform" | "snapshot" | "run",
  ): Promise<Made<State> | undefined>;
  /** Lists the ids known from a list a few seconds old; `undefined` when no such list is available. */
  recentIds(context: ResourceContext): Promise<Ids | undefined>;
  /** Returns `false` when the record of a found object contradicts its creation with these arguments. */
  madeWith?(args: Args, found: State): boolean;
}

/** The platform deletes the object together with its owner, so no update may delete the owner and keep the object. */
interface Owned<State> {
  /** Resource type of the owner. */
  readonly type: string;
  /** Name of the output that holds the owner's id. */
  readonly id: keyof State & string;
  /**
   * The object is part of its owner: each owner has exactly one, and the object is applied again after the owner is
   * restored.
   */
  readonly isPart?: true;
}

/** The object contains other objects, which are deleted with it. */
interface Container<State> {
  /**
   * Describes what the container still contains; called before every deletion, after the update's other deletions have
   * ended.
   */
  remaining(id: string, observed: State, context: ResourceContext): Promise<string | undefined>;
}

/** Deleted objects of this type can be restored. */
interface Recoverable<Args, State> {
  /** Restores the object with the properties in `args`. */
  restore(id: string, deleted: State, args: Args, context: ResourceContext): Promise<State>;
  /** A restore can assign another `name`. */
  readonly renames?: true;
  /** Ending for sentences about a restore, for example "with its data". */
  readonly brings: string;
  /** Returns another object that the restore brings back as well, with a complete sentence about that object. */
  alsoRestores?(deleted: State): { readonly id: string; readonly name: string; readonly sentence: string } | undefined;
  /** Lists deleted objects with a given name; `undefined` when this credential cannot list deleted objects. */
  deletedNamed(name: string, context: ResourceContext): Promise<readonly Restorable[] | undefined>;
  /** Finds the reason why a restore would fail. */
  preflight(id: string, deleted: State, args: Args, context: ResourceContext): Promise<PreflightFailure | undefined>;
}

/** The object expires and is then replaced. */
interface Expiring<Args, State> {
  /** Name of the output that holds the expiry time (RFC 3339). */
  readonly at: keyof State & string;
  /** Name of the argument that holds how long before the expiry the object is replaced (a duration). */
  readonly early: keyof Args & string;
}

/**
 * Checks that find, with read requests only, why an operation would fail. Arguments whose values are still unknown are
 * omitted.
 */
interface Preflight<Args, State> {
  /** Called in the preview of a creation and before a replacement. */
  create?(args: Partial<Args>, context: ResourceContext): Promise<PreflightFailure | undefined>;
  /** Called in previews. */
  update?(
    id: string,
    observed: State,
    changes: Partial<Args>,
    context: ResourceContext,
  ): Promise<PreflightFailure | undefined>;
  /**
   * Describes, in complete sentences, what an update does beyond its changes; called in previews and before the update.
   */
  consequence?(id: string, observed: State, changes: Partial<Args>, context: ResourceContext): Promise<string>;
  /** Called before a replacement, which ends with a deletion, and after the platform has refused a deletion. */
  delete?(id: string, observed: State, context: ResourceContext): Promise<PreflightFailure | undefined>;
}
