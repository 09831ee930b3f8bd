import type { ResourceContext } from "./context";
import type { PreflightFailure } from "./failure";
import type { Ids, Made, Restorable, Since } from "./results";

/** Describes capabilities that only some resource types have. */
export interface Capabilities<Args extends object, State extends object, P> {
  readonly named?: Named<Args, State, P>;
  readonly keyed?: Keyed<Args, State, P>;
  readonly owned?: Owned<State>;
  readonly container?: Container<State, P>;
  readonly restorable?: Recoverable<Args, State, P>;
  readonly expiring?: Expiring<Args, State>;
  readonly lasting?: Lasting<Args, P>;
  readonly preflight?: Preflight<Args, State, P>;
  /**
   * Set if an organization has exactly one object of this type. A program can therefore declare only one resource of
   * this type.
   */
  readonly single?: true;
  /** Set if the objects of this type are people. `dbplatform-adopt` lists such a type only if `--type` names it. */
  readonly adoptedOnRequest?: true;
  /** How to import resources of this type. Absent if they cannot be imported. */
  readonly importing?: Importing;
  /**
   * Looks up the records of who changed an object, to name the authors in messages about drift. Returns `undefined` if
   * there are none, for example because the object no longer exists.
   */
  authorsOf?(id: string, drifted: Drifted<State>, context: ResourceContext<P>): Promise<FindAuthor | undefined>;
  /**
   * Explains why resources of this type cannot be imported, and what to do instead. The definition's `identify` must
   * return the same text for every id.
   */
  readonly unimportable?: string;
}

/** Describes how to import a resource with `pulumi import` or the option `import`. */
interface Importing {
  /** Resource name in the example `pulumi import` command. */
  readonly name: string;
  /** Placeholder for the id in the example `pulumi import` command. */
  readonly id: string;
  /** Says what the id is and where to find it, in complete sentences. */
  readonly description: string;
}

/**
 * Describes a resource type with the argument `name`. The name must be unique within the type. If the program omits the
 * name, the provider generates it from the logical name.
 */
interface Named<Args, State, P> {
  /**
   * Returns the maximum length of a name.
   *
   * @param account Name of the configured account.
   */
  longest(account: string): number;
  /**
   * Finds the object with this name. Searches only the objects that this credential could have created.
   *
   * @param since How old a list may be that proves that a name is free. `run` accepts a list requested in this update.
   */
  findByName(
    wanted: { readonly name: string },
    context: ResourceContext<P>,
    since?: Since | "run",
  ): Promise<Made<State> | undefined>;
  /**
   * Returns the ids of all live objects, from a list that may be a few seconds old. Returns `undefined` if the list is
   * incomplete.
   */
  recentIds(context: ResourceContext<P>): Promise<Ids | undefined>;
  /** Returns `false` if an existing object's record shows that the object was not created with these arguments. */
  madeWith?(args: Args, found: State): boolean;
}

/**
 * Describes a resource type whose objects are identified by an argument that the program always sets, such as the
 * username of a member (decision 154).
 */
interface Keyed<Args, State, P> {
  readonly by: keyof Args & string;
  /**
   * Returns the canonical spelling of a key, which is the same for all equal keys. By default, only identical keys are
   * equal.
   */
  canonical?(key: string): string;
  /** Finds the object with this key in a list that is at most a few seconds old. */
  find(key: string, context: ResourceContext<P>): Promise<Made<State> | undefined>;
}

/**
 * Describes an object that the platform deletes together with the group or database to which it belongs. An update that
 * keeps the object must therefore not delete that group or database.
 */
interface Owned<State> {
  readonly type: string;
  readonly id: keyof State & string;
  /** Converts an id that a program may spell in several ways. By default, only identical ids are equal. */
  canonicalId?(id: string): string;
  /**
   * Set if the object is a fixed part of a group or database: every database, for example, has exactly one
   * configuration. After the group or database is restored, the object's inputs are applied again.
   */
  readonly isPart?: true;
}

/** Describes an object that contains other objects. Deleting a container also deletes its contents. */
interface Container<State, P> {
  /**
   * Describes what the container still contains. Returns `undefined` if the container may be deleted. Called before
   * every deletion of a container, after all other deletions of the update have finished.
   */
  remaining(id: string, observed: State, context: ResourceContext<P>): Promise<string | undefined>;
}

interface AlsoRestored<P> {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /** Returns whether the other object is live already. A list that is a few seconds old suffices. */
  isLive(context: ResourceContext<P>): Promise<boolean>;
  /** Tells the user about it. */
  sentence(isInStack: boolean): string;
}

/** Describes how deleted objects of this type are restored. */
interface Recoverable<Args, State, P> {
  /** Restores the object and gives it the properties in `args`. */
  restore(id: string, deleted: State, args: Args, context: ResourceContext<P>): Promise<State>;
  /** Whether an object can be renamed as part of a restore. */
  readonly renames?: true;
  /** Phrase that ends a sentence and says what is restored with the object, for example "with its data". */
  readonly brings: string;
  /**
   * Returns the other object that is restored together with this one, for example a database's group.
   */
  alsoRestores?(deleted: State): AlsoRestored<P> | undefined;
  /**
   * Lists the deleted objects with this name, or returns `undefined` if this credential cannot list deleted objects.
   */
  deletedNamed(name: string, context: ResourceContext<P>): Promise<readonly Restorable[] | undefined>;
  /**
   * Returns when the last object with this name was deleted (RFC 3339), if it can no longer be restored. Returns
   * `undefined` if that is not known.
   */
  lostNamed(name: string, context: ResourceContext<P>): Promise<string | undefined>;
  /**
   * Returns a clause that says why nothing can be restored in this organization. Returns `undefined` if objects can be
   * restored, or if the credential is not allowed to find out. Sends no additional request.
   */
  unavailable(context: ResourceContext<P>): Promise<string | undefined>;
  /**
   * Returns the reason why a restore would fail.
   */
  preflight(
    id: string,
    deleted: State,
    args: Args,
    context: ResourceContext<P>,
    since: Since,
  ): Promise<PreflightFailure | undefined>;
}

/** Describes an object that expires and has to be replaced. */
interface Expiring<Args, State> {
  /** Name of the output that contains the expiry time (RFC 3339). */
  readonly at: keyof State & string;
  /** Name of the argument that says how long before expiry the object is replaced. */
  readonly early: keyof Args & string;
  /** Converts the value of `early` to milliseconds. Returns 0 for an invalid or empty string. */
  durationOf(early: string): number;
}

/** Describes settings that stay in force when their resource is deleted. */
interface Lasting<Args, P> {
  /** Returns the id that a new resource would have, or `undefined` if it is not known yet. */
  idOf(args: Partial<Args>, context: ResourceContext<P>): Promise<string> | string | undefined;
  /** Names the object whose settings they are within a sentence, for example `database` and its id. */
  subject(id: string, context: ResourceContext<P>): string;
}

/** Read-only checks that show whether an operation would fail, and why. The checks do not receive unknown values. */
interface Preflight<Args, State, P> {
  /** Checks whether the object could be created. Called in the preview of a new object, and before a replacement. */
  create?(args: Partial<Args>, context: ResourceContext<P>): Promise<PreflightFailure | undefined>;
  /** Checks whether the object could be updated. Called in the preview of an update. */
  update?(
    id: string,
    observed: State,
    changes: Partial<State>,
    context: ResourceContext<P>,
  ): Promise<PreflightFailure | undefined>;
  /** Describes the side effects of an update in complete sentences. Called in previews and before the update. */
  consequence?(id: string, observed: State, changes: Partial<State>, context: ResourceContext<P>): Promise<string>;
  /**
   * Checks whether the object could be deleted. Called before a replacement, which deletes the old object, and after
   * the platform has refused a deletion.
   */
  delete?(id: string, observed: State, context: ResourceContext<P>): Promise<PreflightFailure | undefined>;
}

/** An object that somebody changed outside Pulumi. */
interface Drifted<State> {
  /** The state that the last update recorded. */
  readonly before: State;
  readonly observed: State;
}

/**
 * Finds who gave a property its current value. Returns `undefined` if nothing proves it. Never fails.
 *
 * @param isNow Returns whether a value is the property's current value.
 */
export type FindAuthor = (property: string, isNow: (value: unknown) => boolean) => Promise<Author | undefined>;

/** Who made a change, and when. */
interface Author {
  /** Names the author within a sentence, for example `ada with the CLI`. */
  readonly author: string;
  /** RFC 3339 */
  readonly at: string;
}
