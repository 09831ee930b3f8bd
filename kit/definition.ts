import * as z from "zod";
import type { ResourceContext } from "./context";
import type { PropertyList } from "./property";
import type { AnySpec, CreateContext, DeletionTimes, Expires, Named, ReadContext, UpdateContext } from "./resource";
import type { Age, Made, ReadResult } from "./results";

type Values = Readonly<Record<string, unknown>>;

/** The state as the steps use it for every resource type. */
type Recorded = Record<string, unknown> & DeletionTimes & { readonly name?: string };

/** What a read gets besides the context of its call. */
type ReadOptions<Recorded> = Partial<Pick<ReadContext<unknown, Recorded>, "known" | "maxAge">>;

/** What the steps take from the author as it is. */
type Written<P> = Pick<
  AnySpec<P>,
  | "type"
  | "description"
  | "importing"
  | "unimportable"
  | "permissions"
  | "authorsOf"
  | "adoptedOnRequest"
  | "keyed"
  | "single"
  | "inside"
  | "container"
  | "lasting"
  | "softDeleted"
  | "checks"
  | "valid"
  | "consequence"
  | "list"
  | "prepare"
  | "bringsContent"
  | "isSuperseded"
  | "delete"
>;

/**
 * A resource of any type: what its author wrote, with its properties as objects. They have no static types, so the
 * schemas `args` and `state` check the values.
 */
export interface AnyResource<P = unknown> extends Written<P> {
  readonly properties: PropertyList;
  /** The arguments, with their types and descriptions. */
  readonly args: z.ZodObject;
  /** The state: all arguments, with their values on the platform, and all outputs. */
  readonly state: z.ZodObject;
  readonly named?: Named<P, Values, Recorded>;
  readonly expires?: Expires<string, string>;
  /**
   * Validates the id of an import. Returns a problem that suggests the correct id, or `undefined` if the id is valid.
   * The id is accepted only in the spelling that the state uses, because any other spelling would make the engine
   * delete the imported object.
   */
  identify(id: string, context: ResourceContext<P>): Promise<string | undefined>;
  /** Reads one object. */
  read(id: string, context: ResourceContext<P>, asked?: ReadOptions<Recorded>): Promise<ReadResult<Recorded>>;
  create(inputs: Values, context: CreateContext<P, Recorded>): Promise<Made<Recorded>>;
  /** Changes an object in place. Returns what the last read showed, with the properties that have changed. */
  update?(id: string, changes: Values, context: UpdateContext<P, Values, Recorded, Recorded>): Promise<Recorded>;
}

/** A resource type: what programs write (`Args`), and what they get back (`Recorded`). */
export interface Resource<Args, Recorded> extends Omit<AnyResource, "create" | "read" | "state"> {
  readonly state: z.ZodObject<{ [Name in keyof Recorded]-?: z.ZodType<Recorded[Name]> }>;
  create(args: Args, context: CreateContext<unknown, Recorded>): Promise<Made<Recorded>>;
  read(
    id: string,
    context: ResourceContext,
    asked?: ReadOptions<Partial<Recorded>>,
  ): Promise<ReadResult<Recorded & DeletionTimes>>;
}

/** Finds the object with this name among those that this credential could have created. */
export async function findByName<P>(
  { named }: Pick<AnyResource<P>, "named">,
  name: unknown,
  context: ResourceContext<P>,
  { maxAge }: { readonly maxAge?: Age } = {},
): Promise<Made<Recorded> | undefined> {
  return named?.find(String(name), { ...context, maxAge });
}

const deleted = z
  .boolean()
  .optional()
  .describe("List deleted objects that can still be restored, instead of live ones. Default: false.");

/** Returns the schema of the arguments for listing this type, or `undefined` if the type cannot be listed. */
export function listInputsOf({ list, softDeleted }: AnyResource): z.ZodObject | undefined {
  return list && z.strictObject(softDeleted ? { deleted } : {});
}
