import type { DeletedContainer, ResourceContext } from "./context";
import type { Field, InputField, InputFields, OfKind, OutputField, OutputFields, Problem, ValueOf } from "./field";
import type { Permissions, Refused } from "./preflight";
import type { Absent, Age, Deleted, Ids, Listed, Live, Made, Restorable } from "./results";

// Makes editors print the resulting type instead of the formula.
type Flat<T> = { [K in keyof T]: T[K] } & {};
// Mapped types with `as` keep the order in which the author declares the properties.
type Values<Fields, Kind extends string> = {
  [N in keyof Fields as Fields[N] extends Field<Kind, infer _> ? N : never]: ValueOf<Fields[N]>;
};
type Required<Fields> = { [N in keyof Fields as undefined extends ValueOf<Fields[N]> ? never : N]: ValueOf<Fields[N]> };
type Optional<Fields> = {
  [N in keyof Fields as undefined extends ValueOf<Fields[N]> ? N : never]?: ValueOf<Fields[N]>;
};
type Shown = "plain" | "derived" | "replaces" | "output" | "upheld";
type Unshown = "createOnly" | "writeOnly" | "local" | "keepers" | "trigger";

/** The inputs as `create` gets them: a name that the program omits is generated. */
export type Inputs<A> = Flat<Required<A> & Optional<A>>;
/**
 * The result of a read: everything that the platform shows. A property without a value is `undefined`, never left out,
 * so that none is forgotten.
 */
type Observed<A, O> = Flat<Values<A, Shown> & Values<O, Shown> & Partial<Values<O, "kept">>>;
/** The result of a creation: everything that a read returns, and the outputs that no later read shows. */
type Created<A, O> = Flat<Values<A, Shown> & Values<O, Shown | "kept" | "shownOnce">>;
/** The recorded state. The state of an imported object lacks the outputs that only a creation shows. */
export type State<A, O> = Flat<
  Observed<A, O> & Partial<Values<A, Unshown> & Values<O, "kept" | "shownOnce" | "whileDeleted">>
>;
/** The properties that an update may have to change. */
type Changes<A, O> = Flat<Partial<Values<A, "plain" | "derived" | "trigger"> & Values<O, "upheld">>>;

/** The times of a deleted object (RFC 3339), which the kit adds to the outputs of a resource that can be restored. */
export type DeletionTimes = {
  readonly deletedAt?: string | undefined;
  readonly restorableUntil?: string | undefined;
};

export type ReadContext<P, Recorded> = ResourceContext<P> & {
  /** The recorded state. Absent if the object is being imported or looked up. */
  readonly known: (Recorded & DeletionTimes) | undefined;
  /** Set if a list of the last seconds may show the object. An object that it does not show has to be requested. */
  readonly maxAge: "seconds" | undefined;
};
export type NowContext<P, Recorded> = ResourceContext<P> & {
  /** The properties that the last read showed, and those that only the stack knows. */
  readonly now: Recorded & DeletionTimes;
};
export type UpdateContext<P, Args, Shown, Recorded> = NowContext<P, Recorded> & {
  /** The program's inputs. */
  readonly inputs: Partial<Args>;
  /** To be called after each request that changes the object, with the properties that the request changed. */
  done(step: Partial<Shown>): void;
};

export type CreateContext<P, Recorded> = ResourceContext<P> & {
  /** The object that the new one replaces, as the engine last read it. */
  readonly replaced: { readonly id: string; readonly state: Recorded & DeletionTimes } | undefined;
};
type DeleteContext<P, Args, Recorded> = NowContext<P, Recorded> & {
  /** The program's inputs of the object that has replaced this one. */
  readonly replacedBy: Partial<Args> | undefined;
};

/** `undefined`: the object does not exist. */
type Reading<Shown, Recorded> = Shown | Live<Shown> | Deleted<Recorded> | Absent | undefined;

// Type aliases, not interfaces: hovering over a method then shows the method, not the type arguments of the interface.

type Core<P, A extends InputFields, O extends OutputFields> = {
  readonly type: string;
  /** Describes the resource type to users, in complete sentences. */
  readonly description: string;
  readonly inputs: A;
  readonly outputs: O;
  /** Reads one object. Called by every preview, update, refresh and import. */
  read(id: string, context: ReadContext<P, State<A, O>>): Promise<Reading<Observed<A, O>, State<A, O>>>;
  /**
   * Creates an object. Called once the checks have passed and the name is free. If the response is lost, the kit looks
   * for the object by its name or key.
   */
  create(inputs: Inputs<A>, context: CreateContext<P, State<A, O>>): Promise<Made<Created<A, O>>>;
  /** Deletes an object. Throws if the object is absent; the kit then decides what that means. */
  delete(id: string, context: DeleteContext<P, Inputs<A>, State<A, O>>): Promise<void>;
};

type CanUpdate<P, A, O> = {
  /** Changes an object in place. Gets the properties that differ, and returns those that it has changed. */
  update(
    id: string,
    changes: Changes<A, O>,
    context: UpdateContext<P, Inputs<A>, Observed<A, O>, State<A, O>>,
  ): Promise<Partial<Observed<A, O>>>;
};

/** An ability that does not fit the properties of the resource. The compiler prints the reason. */
interface Forbidden<Why extends string> {
  // biome-ignore lint/suspicious/noExplicitAny: gives the parameters a type, so that only the reason is an error
  (...parameters: any[]): any;
  readonly why: Why;
}
type CannotUpdate = {
  update?: Forbidden<"nothing can be updated: no input is plain, derived or a trigger, and no output is upheld">;
};
// If the properties could not be inferred (`string extends keyof A`), another mistake is the reason, which is reported.
type Updating<P, A, O> = string extends keyof A
  ? // biome-ignore lint/suspicious/noExplicitAny: as above
    { update?(...parameters: any[]): unknown }
  : [keyof Changes<A, O>] extends [never]
    ? CannotUpdate
    : CanUpdate<P, A, O>;

type Abilities<P, A extends InputFields, O extends OutputFields> = {
  /** Explains how to import resources of this type. */
  readonly importing?: Importing<P>;
  /** Complete sentences that say why resources of this type cannot be imported, and what to do instead. */
  readonly unimportable?: string;
  /** Lists all objects page by page, in no particular order; with `deleted`, those that can be restored. */
  list?(context: ResourceContext<P> & { readonly deleted: boolean }): AsyncIterable<Listed>;
  /** Names are unique. A name that the program omits is generated; a name that is taken is refused, never adopted. */
  readonly named?: "name" extends keyof A
    ? Named<P, Inputs<A>, Observed<A, O>>
    : Forbidden<"`named` needs an input `name`">;
  /** Objects are identified by an input that the program always sets, such as a username. */
  readonly keyed?: Keyed<P, keyof A & string, Observed<A, O>>;
  /** The object is deleted together with another object. */
  readonly inside?: Inside<keyof State<A, O> & string>;
  /** The object contains others, which are deleted together with it. */
  readonly container?: Container<P, State<A, O>>;
  /** The object expires and is then replaced. */
  readonly expires?: [OfKind<A, "local">] extends [never]
    ? Forbidden<"`expires` needs a local input that says how early the object is replaced">
    : Expires<keyof O & string, OfKind<A, "local"> & string>;
  /** Settings that stay in force when the resource is deleted. */
  readonly lasting?: Lasting<P, Inputs<A>>;
  /** The thing that has only one object of this type, for example `an account`. A program can then declare only one. */
  readonly single?: string;
  /** The outputs that change with an input. They are unknown in the preview of its change. */
  readonly moves?: { readonly [K in keyof A]?: readonly (keyof O & string)[] };
  /** Equality that needs other properties or other resources. */
  readonly same?: {
    readonly [K in keyof A]?: (
      wanted: NonNullable<ValueOf<A[K]>>,
      observed: NonNullable<ValueOf<A[K]>> | undefined,
      now: State<A, O>,
      names: ResourceContext["run"]["names"],
    ) => boolean;
  };
  /**
   * Says in complete sentences what is lost if a change of this input replaces the object. `wanted` is `undefined` if it is
   * not known yet; it is then uncertain whether the object is replaced.
   */
  readonly loses?: {
    readonly [K in keyof A]?: (
      wanted: NonNullable<ValueOf<A[K]>> | undefined,
      context: NowContext<P, State<A, O>> & Losing,
    ) => Promise<string | undefined> | string | undefined;
  };
  /** Returns what is wrong with the inputs together, or `undefined`. Sends no request. */
  valid?(inputs: Inputs<A>): Problem | undefined;
  /** Find what the platform would refuse, in previews and again before the request. Unknown values are left out. */
  readonly checks?: Checks<P, Inputs<A>, Changes<A, O>, State<A, O>>;
  /** Describes what an update does besides changing the properties, in complete sentences, or returns "". */
  consequence?(
    id: string,
    changes: Changes<A, O>,
    context: NowContext<P, State<A, O>> & { readonly inputs: Partial<Inputs<A>> },
  ): Promise<string>;
  /** Does what a creation needs beforehand, such as uploads, and returns the inputs for `create`. */
  prepare?(inputs: Inputs<A>, context: CreateContext<P, State<A, O>>): Promise<Inputs<A>>;
  /** Returns whether the new object of a replacement gets the content of the old one. */
  bringsContent?(inputs: Partial<Inputs<A>>): boolean;
  /** Returns whether the old object of a replacement lacks what the new one has, so that it is not taken back. */
  isSuperseded?(
    old: { readonly id: string; readonly state: State<A, O> },
    now: State<A, O> | undefined,
    inputs: Partial<Inputs<A>>,
  ): boolean;
  /** The permissions that the steps need. Absent if every credential may do everything with these objects. */
  readonly permissions?: Permissions<P>;
  /** Looks up the records of who changed an object outside Pulumi, to name the authors in messages about drift. */
  readonly authorsOf?: AuthorsOf<P, State<A, O>>;
  /** Set if the objects are listed for adoption only on request. */
  readonly adoptedOnRequest?: true;
  /** Deleted objects can be restored. The kit adds the outputs `deletedAt` and `restorableUntil`. */
  readonly softDeleted?: SoftDeleted<P, Inputs<A>, State<A, O>, Observed<A, O>>;
};

type Importing<P> = {
  /** Resource name in the example of `pulumi import`. */
  readonly name: string;
  /** Placeholder for the id in the example of `pulumi import`. */
  readonly id: string;
  /** Says what the id is and where to find it, in complete sentences. */
  readonly description: string;
  /** Returns what is wrong with an id and which one is right, or `undefined`. Only the recorded spelling is right. */
  problem?(id: string, context: ResourceContext<P>): Promise<string | undefined>;
};

export type Named<P, Args, Seen> = {
  /** The scope in which names are unique. By default `account`. */
  readonly within?: string;
  /** Returns the length of the longest name in the configured account. */
  longest(account: string): number;
  /**
   * Finds the object with this name among those that this credential could have created. A list that is at most as old
   * as `maxAge` may prove that the name is free.
   */
  find(
    name: string,
    context: ResourceContext<P> & { readonly maxAge: Age | undefined },
  ): Promise<Made<Seen> | undefined>;
  /**
   * Returns the ids of all live objects from a list of the last seconds, or `undefined` if the list is incomplete. Called
   * before each creation; without these ids, an object is not found again after the response to its creation was lost.
   */
  ids(context: ResourceContext<P>): Promise<Ids | undefined>;
  /** Returns `false` if an object shows that it was not created with these inputs. */
  madeWith?(inputs: Args, found: Seen): boolean;
  /** Returns whether an interrupted replacement has made the object, so that the next one goes on with it. */
  canContinueWith?(found: Made<Seen>, inputs: Args, context: CreateContext<P, Seen>): Promise<boolean>;
};

type SoftDeleted<P, Args, Now, Seen> = {
  /** Ends a sentence and says what is restored with the object, for example "with its data". */
  readonly brings: string;
  /** Describes `deletedAt` to users, if it needs other words than "Time of the deletion". */
  readonly describe?: { readonly deletedAt: string };
  /** Set if a restoration can rename the object. */
  readonly renames?: true;
  /** Restores the object. */
  restore(id: string, inputs: Args, context: NowContext<P, Now>): Promise<Seen>;
  /** Returns the other object that is restored together with this one. */
  alsoRestores?(now: Now):
    | (DeletedContainer & {
        readonly name: string;
        /** Returns whether the other object is live already. A list that is a few seconds old suffices. */
        isLive(context: ResourceContext<P>): Promise<boolean>;
        /**
         * Returns whether the other object is still deleted, by the deletion that has deleted this one. `false` if this is
         * not known. A list that is a few seconds old suffices.
         */
        isStillDeletedWithIt(context: ResourceContext<P>): Promise<boolean>;
        /** Tells the user about it. */
        sentence(isInStack: boolean): string;
      })
    | undefined;
  /** Returns why a restoration would fail. Lists may be as old as `maxAge` says. */
  refused?(
    id: string,
    inputs: Partial<Args>,
    context: NowContext<P, Now> & { readonly maxAge: "seconds" | undefined },
  ): Promise<Refused> | Refused;
  /** Lists the deleted objects with this name, or returns `undefined` if this credential cannot list them. */
  named?(name: string, context: ResourceContext<P>): Promise<readonly Restorable[] | undefined>;
  /** Returns when the last object with this name was deleted (RFC 3339), if it can no longer be restored. */
  lost?(name: string, context: ResourceContext<P>): Promise<string | undefined>;
  /** Returns whether the platform shows that the live object was restored at some time. */
  wasRestored?(id: string, now: Now, context: ResourceContext<P>): Promise<boolean>;
  /** Returns until when an object that is deleted now can be restored (RFC 3339). Sends no request. */
  restorableUntil?(context: ResourceContext<P>): string;
  /** Returns why nothing can be restored at all, in a clause, or `undefined`. Sends no additional request. */
  unavailable?(context: ResourceContext<P>): Promise<string | undefined>;
};

type Keyed<P, Key, Seen> = {
  readonly by: Key;
  /** Returns the spelling that all equal keys share. Without it, only identical keys are equal. */
  canonical?(key: string): string;
  /** Finds the object with this key, in a list that is at most a few seconds old. */
  find(key: string, context: ResourceContext<P>): Promise<Made<Seen> | undefined>;
};

type Inside<Property> = {
  readonly type: string;
  /** The property with the id of the other object. */
  readonly by: Property;
  /** Converts an id that a program may spell in several ways. By default, only identical ids are equal. */
  canonicalId?(id: string): string;
  /** Set if each such object has exactly one. When it is restored, the inputs are applied again. */
  readonly isPart?: true;
};

type Container<P, Now> = {
  /** Describes what the object still contains, or returns `undefined` if it may be deleted. */
  remaining(id: string, context: NowContext<P, Now>): Promise<string | undefined>;
};

export type Expires<Output, Input> = {
  /** The output with the time of expiry (RFC 3339). */
  readonly at: Output;
  /** The input that says how long before its expiry the object is replaced. */
  readonly early: Input;
  /** Converts the value of `early` to milliseconds. Returns 0 for an invalid or empty string. */
  durationOf(early: string): number;
};

type Lasting<P, Args> = {
  /** Returns the id that a new resource would have, or `undefined` if it is not known yet. */
  idOf(inputs: Partial<Args>, context: ResourceContext<P>): Promise<string> | string | undefined;
  /** Names the object whose settings they are within a sentence. */
  subject(id: string, context: ResourceContext<P>): string;
};

type Checks<P, Args, Changed, Now> = {
  create?(
    inputs: Partial<Args>,
    context: CreateContext<P, Now> & {
      /** Whether the update deletes the replaced object before it creates the new one. */
      readonly isDeletedFirst: boolean;
    },
  ): Promise<Refused> | Refused;
  update?(
    id: string,
    changes: Changed,
    context: NowContext<P, Now> & { readonly inputs: Partial<Args> },
  ): Promise<Refused> | Refused;
  /** It is also asked before a replacement that deletes the object first, and after the platform has refused a deletion. */
  delete?(id: string, context: NowContext<P, Now>): Promise<Refused> | Refused;
};

/** Returns `undefined` if there are no records, for example because the object no longer exists. */
type AuthorsOf<P, Now> = (
  id: string,
  drifted: Drifted<Now>,
  context: ResourceContext<P>,
) => Promise<FindAuthor | undefined>;

/** An object that somebody changed outside Pulumi. */
interface Drifted<Now> {
  /** The state that the last update recorded. */
  readonly before: Now;
  readonly observed: Now;
}

/**
 * Finds who gave a property its current value. Returns `undefined` if nothing proves it. Never fails.
 *
 * @param isNow Returns whether a value is the property's current value.
 */
export type FindAuthor = (property: string, isNow: (value: unknown) => boolean) => Promise<Author | undefined>;

/** The author of a change, with its time. */
interface Author {
  /** Names the author within a sentence, for example `ada with the CLI`. */
  readonly author: string;
  /** RFC 3339 */
  readonly at: string;
}

/** A replacement that loses something. */
export interface Losing {
  readonly id: string;
  /** Type and name of the old object. */
  readonly title: string;
  /** Whether the old object is deleted before the new one is created. */
  readonly isDeletedFirst: boolean;
  /** The program's inputs. An input that is not known yet is represented by a symbol. */
  readonly news: Readonly<Record<string, unknown>>;
}

/** The definition of any resource, of whose properties the compiler knows nothing. */
export type AnySpec<P = unknown> = Spec<P, Record<string, InputField>, Record<string, OutputField>>;

/** The author's definition: the required part, the update if something can be updated, and the abilities. */
export type Spec<P, A extends InputFields, O extends OutputFields> = Core<P, A, O> &
  Abilities<P, A, O> &
  Updating<P, A, O>;
