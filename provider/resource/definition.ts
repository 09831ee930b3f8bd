import type { z } from "zod";
import type { Operation } from "../../platform/contract/api";
import type { Capabilities } from "./capabilities";
import type { ResourceContext } from "./context";
import { shownOnceBy } from "./outputs";
import type { Listed, ListQuery, Made, ReadResult } from "./results";
import type { Problem, PropertyTraits } from "./traits";

/** State properties that `lifecycle/` uses for every resource type. */
export interface ManagedState {
  /** Present when the platform gives the object a name. */
  readonly name?: string;
  /** UUID of the organization. */
  readonly organizationId: string;
  /** Time of the deletion (RFC 3339); present only while the object is deleted. */
  readonly deletedAt?: string;
  /** End of the period in which the object can be restored (RFC 3339); present only while the object is deleted. */
  readonly restorableUntil?: string;
}

/**
 * A resource type that programs can declare. A definition describes the type and sends its requests, one each; it makes
 * no decisions. `lifecycle/` handles previews, unknown values, secrets, drift, failed updates and generated names for
 * all resource types.
 */
export interface ResourceDefinition<Args extends object, State extends object> extends Capabilities<Args, State> {
  /** `dbplatform:index:<type>` */
  readonly type: string;
  /** One or two sentences for users. */
  readonly description: string;
  /** TypeScript code that declares the resource as `dbplatform.<type>`; shown by the reference pages. */
  readonly example?: string;
  /** The platform operations that each step may send to change something. */
  readonly writes: Readonly<Partial<Record<"create" | "update" | "delete" | "restore", readonly Operation[]>>>;
  /** The arguments with their types and descriptions; `traits` describes their behaviour. */
  readonly args: z.ZodObject;
  /** The state: every argument as observed on the platform, and the outputs. */
  readonly state: z.ZodObject;
  readonly traits: { readonly [P in keyof Args & string]?: PropertyTraits<Args[P], State> };
  /** Finds a problem with the combination of arguments; called when all arguments are known. */
  readonly validate?: (args: Args) => Problem | undefined;

  /**
   * Finds a problem with an id to import and suggests the correct id. Returns `undefined` only for the spelling that
   * ids have in the state, because any other spelling would make the engine delete the imported object.
   */
  identify(id: string, context: ResourceContext): Promise<string | undefined>;
  /**
   * Reads one object.
   *
   * @param known The recorded state; absent on import.
   * @param from `snapshot` accepts a list that is a few seconds old as proof that the object is live; `platform` does
   *   not.
   */
  read(
    id: string,
    known: State | undefined,
    from: "platform" | "snapshot",
    context: ResourceContext,
  ): Promise<ReadResult<State>>;
  /** Lists all objects page by page, in no particular order. Absent when the platform keeps no list of this type. */
  list?(query: ListQuery, context: ResourceContext): AsyncIterable<Listed>;
  /**
   * Looks up or uploads what a creation needs and returns the arguments to create with. When `prepare` fails, nothing
   * has been created.
   */
  prepare?(args: Args, context: ResourceContext): Promise<Args>;
  create(args: Args, context: ResourceContext): Promise<Made<State>>;
  /**
   * Changes an object in place. Absent when nothing can be changed in place.
   *
   * @param changes The arguments to send; each differs from its value in `observed`.
   * @param completed Called after each step that changed the platform, with the state properties that the step changed.
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

/** A resource of any type: property names are strings, and the schemas `args` and `state` check the values. */
export interface AnyResource
  extends ResourceDefinition<Record<string, unknown>, Record<string, unknown> & Partial<ManagedState>> {
  /** Names of the outputs that the platform shows only at creation, read from their metadata. */
  readonly shownOnce: readonly string[];
}

/** Erases the type parameters of a definition so that `lifecycle/` can handle all resource types alike. */
export const resource = <Args extends object, State extends Args & ManagedState>(
  definition: ResourceDefinition<Args, State>,
): AnyResource => ({ ...(definition as unknown as AnyResource), shownOnce: shownOnceBy(definition.state) });
