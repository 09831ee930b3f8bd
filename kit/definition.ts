import type { z } from "zod";
import type { Capabilities } from "./capabilities";
import type { ResourceContext } from "./context";
import type { Permissions } from "./failure";
import type { Listed, ListQuery, Made, ReadResult, Since } from "./results";
import type { Problem, PropertyTraits } from "./traits";

/** The state properties that `lifecycle/` uses for every resource type. */
export interface ManagedState {
  readonly name?: string;
  readonly organizationId: string;
  /** Time when the object was deleted (RFC 3339). Present only while the object is deleted. */
  readonly deletedAt?: string;
  /** Time until which the object can be restored (RFC 3339). Present only while the object is deleted. */
  readonly restorableUntil?: string;
}

/**
 * Defines a resource type that programs can declare. A definition describes the type and sends its requests, but makes
 * no decisions: `lifecycle/` handles previews, unknown values, secrets, drift, failed updates and generated names for
 * all resource types.
 */
export interface ResourceDefinition<Args extends object, State extends object, P = unknown>
  extends Capabilities<Args, State, P> {
  /** `dbplatform:index:<type>` */
  readonly type: string;
  /** Describes the resource type to users in one or two sentences. */
  readonly description: string;
  /** Absent if every credential may do everything with these objects. */
  readonly permissions?: Permissions<P>;
  /** The arguments, with their types and descriptions. `traits` defines how the arguments behave. */
  readonly args: z.ZodObject;
  /** The state: all arguments, with their values on the platform, and all outputs. */
  readonly state: z.ZodObject;
  readonly traits: { readonly [Name in keyof Args & string]?: PropertyTraits<Args[Name], State, P> };
  readonly validate?: (args: Args) => Problem | undefined;

  /**
   * Validates the id of an import. Returns a problem that suggests the correct id, or `undefined` if the id is valid.
   * The id is accepted only in the spelling that the state uses, because any other spelling would make the engine
   * delete the imported object.
   */
  identify(id: string, context: ResourceContext<P>): Promise<string | undefined>;
  /**
   * Reads one object.
   *
   * @param known The recorded state; absent if the object is being imported.
   * @param since How old a list may be that proves that the object is live.
   */
  read(id: string, known: State | undefined, since: Since, context: ResourceContext<P>): Promise<ReadResult<State>>;
  /** Lists all objects page by page, in no particular order. Absent if objects of this type cannot be listed. */
  list?(query: ListQuery, context: ResourceContext<P>): AsyncIterable<Listed>;
  /**
   * Runs the lookups and uploads that a creation requires, and returns the arguments for `create`. If `prepare` fails,
   * nothing has been created yet.
   */
  prepare?(args: Args, context: ResourceContext<P>): Promise<Args>;
  create(args: Args, context: ResourceContext<P>): Promise<Made<State>>;
  /**
   * Changes an object in place. Absent if objects of this type cannot be changed in place.
   *
   * @param changes The new values of arguments, and of outputs that must be reset to their fixed values (`upheld`).
   *   Each value differs from the value in `observed`.
   * @param completed Must be called after each request that changes the platform, with the state properties that the
   *   request changed.
   */
  update?(
    id: string,
    observed: State,
    changes: Partial<State>,
    context: ResourceContext<P>,
    completed: (step: Partial<State>) => void,
  ): Promise<State>;
  delete(id: string, observed: State, context: ResourceContext<P>): Promise<void>;
}

/** A resource of any type. Its properties have no static types, so the schemas `args` and `state` check the values. */
export interface AnyResource
  extends ResourceDefinition<Record<string, unknown>, Record<string, unknown> & Partial<ManagedState>> {
  /**
   * Names of the outputs that the platform shows only when the object is created. They are read from the schema's
   * metadata.
   */
  readonly shownOnce: readonly string[];
  /** The outputs that are defined with `upheld`, and the values that they should have. */
  readonly upheld: Readonly<Record<string, unknown>>;
}
