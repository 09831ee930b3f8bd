import type { z } from "zod";
import type { ResourceContext } from "./context";
import type { PreflightFailure } from "./preflight";
import type { Renaming } from "./renaming";
import type { Problem, PropertyTraits } from "./traits";

/**
 * One kind of thing that a program can declare. What is here makes requests, one each, and describes; it decides
 * nothing. Previews, unknown values, secrets, drift, half-done work and names are `lifecycle/`'s, for every kind alike.
 */
export interface Resource<Args extends object, State extends Args> {
  /** `dbplatform:index:<type>` */
  readonly type: string;
  /** For people: one or two sentences. */
  readonly description: string;
  /** TypeScript that uses it, where the descriptions of its properties do not show how. */
  readonly example?: string;
  /** Why it cannot be imported and what to do instead, which `identify` says as well. */
  readonly unimportable?: string;
  /** What a program writes. Types and descriptions only: what a value means is in `traits`. */
  readonly args: z.ZodObject;
  /** What is remembered: every argument as observed, and what only the platform knows. */
  readonly state: z.ZodObject;
  /** The only place that knows both our names and the platform's. */
  readonly names: Renaming;
  readonly traits: { readonly [P in keyof Args & string]?: PropertyTraits<Args[P], State> };
  /** What is wrong with the arguments together; asked when all of them are known. */
  readonly validate?: (args: Args) => Problem | undefined;
  /** The argument with the id of what this is a part of: restored, its parts are applied again. */
  readonly partOf?: keyof Args & string;
  /** The object that it is deleted with, and the output with its id: no run deletes that object and keeps this one. */
  readonly owner?: { readonly type: string; readonly id: keyof State & string };
  /**
   * It ends by itself, and is then replaced: at the time in the output `at` (RFC 3339), or earlier by the duration in the
   * argument `early`.
   */
  readonly ends?: { readonly at: keyof State & string; readonly early: keyof Args & string };
  readonly secret?: readonly (keyof State & string)[];
  /** What the platform shows at creation and never again. */
  readonly shownOnce?: readonly (keyof State & string)[];

  /**
   * What is wrong with an id that somebody wants to import, with the id to write instead; `undefined` when it has the
   * one form that ids in state have. (Any other spelling would make the engine delete what it imports.)
   */
  identify(id: string, platform: ResourceContext): Promise<string | undefined>;
  /**
   * @param known What state remembers; absent on import.
   * @param from `snapshot`: what a list of a moment ago shows is enough to call it live.
   */
  read(
    id: string,
    known: State | undefined,
    from: "platform" | "snapshot",
    platform: ResourceContext,
  ): Promise<ReadResult<State>>;
  /** All that there is, in no particular order; asked for bit by bit. Absent: the platform keeps no list of them. */
  list?(query: ListQuery, platform: ResourceContext): AsyncIterable<Listed>;
  /** What there was a few seconds ago, by id; `undefined` when that cannot be told. */
  ids(platform: ResourceContext): Promise<Ids | undefined>;
  /**
   * What has the wanted name now, if the caller may have made it.
   *
   * @param from `snapshot`: what a list of a moment ago lacks is enough to call the name free; `run`: what a list lacks
   *   that was asked for in this run.
   */
  findByName(
    args: Args,
    platform: ResourceContext,
    from?: "platform" | "snapshot" | "run",
  ): Promise<{ readonly id: string; readonly state: State } | undefined>;
  /**
   * The arguments as creation takes them, after what has to be looked up or uploaded for that. Its failure leaves
   * nothing to look for.
   */
  prepare?(args: Args, platform: ResourceContext): Promise<Args>;
  create(args: Args, platform: ResourceContext): Promise<{ readonly id: string; readonly state: State }>;
  /** Whether the record of what was found tells nothing against having been made with these arguments. */
  madeWith?(args: Args, found: State): boolean;
  /** Brings back what `deleted` describes, as `args` wants it. */
  restore?(id: string, deleted: State, args: Args, platform: ResourceContext): Promise<State>;
  /** Ending of sentences about a restoration: "with its data". */
  readonly restoredWith?: string;
  /** The other object that `restore` brings back, with a whole sentence about it. */
  revives?(deleted: State): { readonly id: string; readonly name: string; readonly sentence: string } | undefined;
  /** Deleted objects of that name that can still be restored; `undefined` where they cannot be seen. */
  restorable?(name: string, platform: ResourceContext): Promise<readonly Restorable[] | undefined>;
  /** Sends `changes`, which `observed` does not meet yet. Absent: nothing can be changed in place. */
  update?(id: string, observed: State, changes: Partial<Args>, platform: ResourceContext): Promise<State>;
  /** What `update` does beyond these changes, in whole sentences. They are told before it, in previews too. */
  consequence?(id: string, observed: State, changes: Partial<Args>, platform: ResourceContext): Promise<string>;
  delete(id: string, observed: State, platform: ResourceContext): Promise<void>;
  /** Why an operation would fail, found out by reading only. */
  readonly preflight?: {
    /** Asked in the preview of a creation, and before a replacement. Arguments that are not known are missing. */
    create?(args: Partial<Args>, platform: ResourceContext): Promise<PreflightFailure | undefined>;
    restore?(id: string, deleted: State, args: Args, platform: ResourceContext): Promise<PreflightFailure | undefined>;
    /** Asked in previews. Changes that are not known are missing. */
    update?(
      id: string,
      observed: State,
      changes: Partial<Args>,
      platform: ResourceContext,
    ): Promise<PreflightFailure | undefined>;
    /** Asked before a replacement, which would end with it, and when the platform has refused a deletion. */
    delete?(id: string, observed: State, platform: ResourceContext): Promise<PreflightFailure | undefined>;
    /** Asked before every deletion, when the other ones of this run have ended. */
    deleteFull?(id: string, observed: State, platform: ResourceContext): Promise<string | undefined>;
  };
}

/** A deleted object that can still be restored. */
export interface Restorable {
  readonly id: string;
  /** RFC 3339 */
  readonly deletedAt: string;
  /** RFC 3339 */
  readonly restorableUntil: string;
}

interface ListQuery {
  /** What was deleted and can be restored, instead of what lives. Only asked where there is a `restore`. */
  readonly deleted: boolean;
}

/** One thing that there is, with as much of it as lists show. */
export interface Listed {
  readonly id: string;
  readonly name: string;
  /** Id of what it is in or belongs to. */
  readonly parent?: string;
  /** RFC 3339 */
  readonly deletedAt?: string;
}

export type ReadResult<State> =
  /** `message`: what the user has to know of it, in whole sentences. */
  | {
      readonly status: "live";
      readonly state: State;
      readonly message?: string;
      /** The deleted object that it belongs to, which the user hears of unless the stack manages that one too. */
      readonly deletedOwner?: { readonly type: string; readonly id: string; readonly message: string };
    }
  /**
   * Not there, but the platform can bring it back, or may be able to. `message`: since when, until when, with what;
   * whether an update restores it is said by the preview of that update.
   */
  | { readonly status: "deleted"; readonly state: State; readonly message: string }
  /** A confirmed absence. */
  | {
      readonly status: "absent";
      readonly message: string;
      /** Advice on import, where removing `import` is not the answer. */
      readonly wayOn?: string;
    };

/** Ids, to be asked for one by one. */
export type Ids = Pick<ReadonlySet<string>, "has">;

/** Every resource, whatever its kind: property names are strings here, and `args` and `state` check the values. */
export type AnyResource = Resource<Record<string, unknown>, Record<string, unknown>>;

/** Forgets what is special about a kind, so that `lifecycle/` can serve them all. */
export const resource = <Args extends object, State extends Args>(definition: Resource<Args, State>): AnyResource =>
  definition as unknown as AnyResource;
