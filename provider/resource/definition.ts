import type { z } from "zod";
import type { Operation } from "../../platform/contract/api";
import type { Capabilities } from "./capabilities";
import type { ResourceContext } from "./context";
import { shownOnceBy } from "./outputs";
import type { Listed, ListQuery, Made, ReadResult } from "./results";
import type { Problem, PropertyTraits } from "./traits";

/** What the lifecycle knows of the state of every resource. */
export interface ManagedState {
  /** Where the platform names the object. */
  readonly name?: string;
  /** UUID */
  readonly organizationId: string;
  /** RFC 3339, while the object is deleted. */
  readonly deletedAt?: string;
  /** RFC 3339, while the object is deleted. */
  readonly restorableUntil?: string;
}

/**
 * One kind of object that a program can declare. A definition describes and makes requests, one each; it decides nothing.
 * Previews, unknown values, secrets, drift, failed updates and generated names belong to `lifecycle/`, for every kind alike.
 */
export interface ResourceDefinition<Args extends object, State extends object> extends Capabilities<Args, State> {
  /** `dbplatform:index:<type>` */
  readonly type: string;
  /** For people: one or two sentences. */
  readonly description: string;
  /** TypeScript that declares the resource as `dbplatform.<type>`. */
  readonly example: string;
  /** The operations of the platform that each step may send to change something. */
  readonly writes: Readonly<Partial<Record<"create" | "update" | "delete" | "restore", readonly Operation[]>>>;
  /** The arguments: types and descriptions. What a value means is in `traits`. */
  readonly args: z.ZodObject;
  /** The state: every argument as observed, and the outputs. */
  readonly state: z.ZodObject;
  readonly traits: { readonly [P in keyof Args & string]?: PropertyTraits<Args[P], State> };
  /** Finds what is wrong with the arguments together; called when all of them are known. */
  readonly validate?: (args: Args) => Problem | undefined;

  /**
   * Finds what is wrong with an id to import, and the id to write instead; `undefined` when it has the one form that ids
   * in state have. (Any other spelling would make the engine delete what it imports.)
   */
  identify(id: string, context: ResourceContext): Promise<string | undefined>;
  /**
   * Reads one object.
   *
   * @param known The recorded state; absent on import.
   * @param from `snapshot`: a list of a moment ago is enough to call the object live.
   */
  read(
    id: string,
    known: State | undefined,
    from: "platform" | "snapshot",
    context: ResourceContext,
  ): Promise<ReadResult<State>>;
  /** Lists all objects, in no particular order, page by page. Absent: the platform keeps no list of them. */
  list?(query: ListQuery, context: ResourceContext): AsyncIterable<Listed>;
  /** Looks up or uploads what a creation needs. Returns the arguments to create with; a failure has created nothing. */
  prepare?(args: Args, context: ResourceContext): Promise<Args>;
  create(args: Args, context: ResourceContext): Promise<Made<State>>;
  /**
   * Changes an object in place. Absent: nothing can be changed in place.
   *
   * @param changes The arguments to send, which `observed` does not equal.
   * @param completed Called after each step that changed the platform, with the state as far as that step changed it.
   */
  update?(
    id: string,
    observed: State,
    changes: Partial<Args>,
    context: ResourceContext,
    completed: (step: Partial<State>) => void,
  ): Promise<State>;
  delete(id: string, observed: State, context: ResourceContext): Promise<void>;
}

/** A resource of any kind: property names are strings, and `args` and `state` check the values. */
export interface AnyResource
  extends ResourceDefinition<Record<string, unknown>, Record<string, unknown> & Partial<ManagedState>> {
  /** Names of the outputs that the platform shows at creation and never again, from their metadata. */
  readonly shownOnce: readonly string[];
}

/** Forgets the types of one kind, so that `lifecycle/` can serve them all. */
export const resource = <Args extends object, State extends Args & ManagedState>(
  definition: ResourceDefinition<Args, State>,
): AnyResource => ({ ...(definition as unknown as AnyResource), shownOnce: shownOnceBy(definition.state) });
