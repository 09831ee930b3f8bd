import * as z from "zod";
import type { ResourceContext } from "./context";
import type { PropertyList } from "./property";
import type { AnySpec, DeletionTimes, Expires, Named, UpdateContext } from "./resource";
import type { Made, ReadResult, Since } from "./results";

type Values = Readonly<Record<string, unknown>>;

/** The state as the steps use it for every resource type. */
type Recorded = Record<string, unknown> & DeletionTimes & { readonly name?: string };

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
  readonly named?: Named<P, Values, Recorded> & Required<Pick<Named<P, Values, Recorded>, "ids">>;
  readonly expires?: Expires<string, string>;
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
  read(
    id: string,
    known: Recorded | undefined,
    since: Since,
    context: ResourceContext<P>,
  ): Promise<ReadResult<Recorded>>;
  create(inputs: Values, context: ResourceContext<P>): Promise<Made<Recorded>>;
  /** Changes an object in place. Returns what the last read showed, with the properties that have changed. */
  update?(id: string, changes: Values, context: UpdateContext<P, Recorded, Recorded>): Promise<Recorded>;
}

/** A resource type: what programs write (`Args`), and what they get back (`Recorded`). */
export interface Resource<Args, Recorded> extends Omit<AnyResource, "create" | "read" | "state"> {
  readonly state: z.ZodObject<{ [Name in keyof Recorded]-?: z.ZodType<Recorded[Name]> }>;
  create(args: Args, context: ResourceContext): Promise<Made<Recorded>>;
  read(
    id: string,
    known: Partial<Recorded> | undefined,
    since: Since,
    context: ResourceContext,
  ): Promise<ReadResult<Recorded & DeletionTimes>>;
}

/**
 * Finds the object with this name among those that this credential could have created.
 *
 * @param since How old a list may be that proves that a name is free. `run` accepts a list requested in this update.
 */
export async function findByName<P>(
  { named }: Pick<AnyResource<P>, "named">,
  name: unknown,
  context: ResourceContext<P>,
  since: Since | "run" = "now",
): Promise<Made<Recorded> | undefined> {
  if (!named) return undefined;
  const recalled = since === "now" ? undefined : await named.recall?.(String(name), { ...context, since });
  return recalled === "free" ? undefined : (recalled ?? named.find(String(name), context));
}

const deleted = z
  .boolean()
  .optional()
  .describe("List deleted objects that can still be restored, instead of live ones. Default: false.");

/** Returns the schema of the arguments for listing this type, or `undefined` if the type cannot be listed. */
export function listInputsOf({ list, softDeleted }: AnyResource): z.ZodObject | undefined {
  return list && z.strictObject(softDeleted ? { deleted } : {});
}
