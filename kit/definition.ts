import * as z from "zod";
import type { ResourceContext } from "./context";
import type { Problem } from "./field";
import type { Permissions } from "./preflight";
import type {
  AuthorsOf,
  Checks,
  Container,
  DeletionTimes,
  Expires,
  Importing,
  Inside,
  Keyed,
  Lasting,
  Named,
  NowContext,
  SoftDeleted,
  UpdateContext,
} from "./resource";
import type { Listed, Made, ReadResult, Since } from "./results";
import type { PropertyTraits } from "./traits";

type Values = Readonly<Record<string, unknown>>;

/** The state properties that the steps use for every resource type. */
export interface ManagedState extends DeletionTimes {
  readonly name?: string;
}

type Recorded = Record<string, unknown> & Partial<ManagedState>;

/**
 * A resource of any type, as the steps use it: what its author wrote (`Spec`), and what follows from the kinds of its
 * properties. The properties have no static types, so the schemas `args` and `state` check the values.
 */
export interface AnyResource<P = unknown> {
  readonly type: string;
  readonly description: string;
  /** The arguments, with their types and descriptions. */
  readonly args: z.ZodObject;
  /** The state: all arguments, with their values on the platform, and all outputs. */
  readonly state: z.ZodObject;
  readonly traits: Readonly<Record<string, PropertyTraits>>;
  /** Names of the outputs that the platform shows only when the object is created. */
  readonly shownOnce: readonly string[];
  /** The outputs that should always have the same value, with these values. */
  readonly upheld: Values;
  readonly importing?: Importing<P>;
  readonly unimportable?: string;
  readonly permissions?: Permissions<P>;
  readonly authorsOf?: AuthorsOf<P, Recorded>;
  readonly adoptedOnRequest?: true;
  readonly named?: Named<P, Values, Recorded> & Required<Pick<Named<P, Values, Recorded>, "ids">>;
  readonly keyed?: Keyed<P, string, Recorded>;
  readonly single?: string;
  readonly inside?: Inside<string>;
  readonly container?: Container<P, Recorded>;
  readonly expires?: Expires<string, string>;
  readonly lasting?: Lasting<P, Values>;
  readonly softDeleted?: SoftDeleted<P, Values, Recorded, Recorded>;
  readonly checks?: Checks<P, Values, Values, Recorded>;
  valid?(inputs: Values): Problem | undefined;
  consequence?(id: string, changes: Values, context: NowContext<P, Recorded>): Promise<string>;
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
  list?(context: ResourceContext<P> & { readonly deleted: boolean }): AsyncIterable<Listed>;
  prepare?(inputs: Values, context: ResourceContext<P>): Promise<Values>;
  create(inputs: Values, context: ResourceContext<P>): Promise<Made<Recorded>>;
  /** Changes an object in place. Returns what the last read showed, with the properties that have changed. */
  update?(id: string, changes: Values, context: UpdateContext<P, Recorded, Recorded>): Promise<Recorded>;
  delete(id: string, context: NowContext<P, Recorded>): Promise<void>;
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
