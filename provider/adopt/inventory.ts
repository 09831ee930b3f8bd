import type { AnyResource } from "../../kit/definition";
import type { Context } from "../../kit/lifecycle/context";
import { lookUpLiveOrDeleted } from "../../kit/lifecycle/look-up";
import { isRefusal, type Refusal } from "../../kit/refusal";
import { planUpdate } from "../../kit/steps/plan";
import { PLAN_REFUSAL } from "../../platform/contract/schemas";
import type { Creation } from "../client/audit-log/history";
import type { ManagedObjects } from "../command/states";
import { inParallel } from "../in-parallel";
import { type Choice, choosesType, isInGroup, matchesChoice } from "../inventory/choice";
import type { Thing } from "../inventory/things";
import type { Platform, PlatformContext } from "../platform";
import { resources } from "../resources/list";
import { planHidesDeleted } from "../resources/messages";
import { takeForeignInventory } from "./foreign-inventory";
import type { ForeignResource } from "./foreign-state";
import { forbiddenList, missingArguments, nameOfLaterDeletion, UNLISTED, unknownGroup } from "./messages";

/** The options that choose what is imported. */
export interface InventoryChoice extends Choice {
  /** Whether to import restorable deleted objects too. */
  readonly deleted: boolean;
}

/** An object that is omitted from the import file, or all objects of a type if `name` is absent. */
export interface Omission {
  readonly type: string;
  readonly name?: string;
  readonly id?: string;
  readonly reason: string;
}

export interface Inventory {
  /** The objects to import. Every container comes before its contents, as Pulumi requires. */
  readonly things: readonly Thing[];
  readonly leftOut: readonly Omission[];
  /** Authors and times of the objects' creations, as far as the audit log shows. */
  readonly creations?: ReadonlyMap<Thing, Creation>;
}

const AT_ONCE = 8;

/**
 * Returns all selected objects that no stack manages yet. Sends read requests only.
 *
 * @param foreign The resources of other providers in a state. If present, only what they manage is selected.
 */
export async function takeInventory(
  choice: InventoryChoice,
  managed: ManagedObjects,
  context: Context<Platform>,
  foreign?: readonly ForeignResource[],
): Promise<Inventory> {
  const listings = await Promise.all(resources.map((resource) => inventoryOfType(resource, choice, context)));
  const all = withContainers(listings.flatMap(({ things }) => things));
  if (choice.group !== undefined) assertGroupExists(choice.group, all);
  const selected = foreign && (await takeForeignInventory(foreign, all, context.platform));
  const chosen = (selected?.things ?? all).filter((thing) => matchesChoice(thing, choice) && !managed.has(thing));
  const areDefault = await inParallel(chosen, AT_ONCE, (thing) => hasOnlyDefaults(thing, context));
  const candidates = chosen.filter((_, index) => !areDefault[index]);
  const failures = await reasonsNotToImport(candidates, context);
  return {
    things: candidates.filter((thing) => !failures.has(thing)),
    leftOut: [
      ...listings
        .flatMap(({ leftOut }) => leftOut)
        .filter(({ type, reason }) => choosesType(choice.types, type) && !(selected && reason === UNLISTED)),
      ...(selected?.leftOut ?? []),
      ...[...failures].map(([{ resource, name, id }, reason]) => ({ type: resource.type, name, id, reason })),
    ],
  };
}

/**
 * Links each object to its container, which precedes the object in the list. Only the first object with a given id is a
 * container, because a configuration has the same id as its database.
 */
function withContainers(things: readonly Thing[]): Thing[] {
  const byId = new Map<string, Thing>();
  return things.map((found) => {
    const thing = { ...found, container: found.parent === undefined ? undefined : byId.get(found.parent) };
    if (!byId.has(thing.id)) byId.set(thing.id, thing);
    return thing;
  });
}

/** @throws Error if no object is the group with this name or UUID, or in it. */
export function assertGroupExists(group: string, all: readonly Thing[]): void {
  if (!all.some((thing) => isInGroup(thing, group))) throw new Error(unknownGroup({ group }));
}

async function inventoryOfType(
  resource: AnyResource,
  { types, deleted }: InventoryChoice,
  context: Context<Platform>,
): Promise<Inventory> {
  const { type } = resource;
  if (resource.adoptedOnRequest && !types?.includes(type)) return { things: [], leftOut: [] };
  // Skips the organization's settings: several stacks may import objects of one organization, but only one stack should
  // manage its settings.
  if (resource.single) return { things: [], leftOut: [] };
  if (!resource.list) return { things: [], leftOut: [{ type, reason: UNLISTED }] };
  const things: Thing[] = [];
  const leftOut: Omission[] = [];
  for (const query of deleted && resource.softDeleted ? [{ deleted: false }, { deleted: true }] : [{ deleted: false }])
    try {
      const found: Thing[] = [];
      for await (const listed of resource.list({ ...context.platform, ...query })) found.push({ ...listed, resource });
      things.push(...found.sort(byNameAndId));
    } catch (refusal) {
      if (!isRefusal(refusal, "forbidden")) throw refusal;
      const reason = query.deleted
        ? whyDeletedUnlisted(refusal, context.platform)
        : forbiddenList({ cause: refusal.message });
      leftOut.push({ type, reason });
    }
  return { things, leftOut };
}

/** Sorts objects by name and id, so that the import file is the same every time. */
const byNameAndId = (one: Thing, other: Thing): number =>
  one.name === other.name ? compareTexts(one.id, other.id) : compareTexts(one.name, other.name);

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Returns whether the object is part of another object, such as the configuration of a database, and has only default
 * values. Such an object can be left out of the import file without loss.
 */
async function hasOnlyDefaults({ resource, id }: Thing, { platform }: Context): Promise<boolean> {
  if (!resource.inside?.isPart) return false;
  const reading = await resource.read(id, platform, { maxAge: "seconds" });
  if (reading.status !== "live") return true;
  return resource.properties.inputs.every(
    (property) => property.default === undefined || property.isEqual(property.default, reading.state),
  );
}

/**
 * Returns the reasons why deleted objects cannot be restored. If several deleted objects share a name, only the most
 * recently deleted object can get the name back.
 */
async function reasonsNotToImport(
  things: readonly Thing[],
  context: Context<Platform>,
): Promise<ReadonlyMap<Thing, string>> {
  const failures = new Map<Thing, string>();
  const names = new Set<string>();
  for (const kind of resources) {
    const deleted = things.filter(({ resource, deletedAt }) => resource === kind && deletedAt !== undefined);
    for (const thing of deleted.sort((one, other) => compareTexts(other.deletedAt ?? "", one.deletedAt ?? ""))) {
      const name = `${kind.type} ${thing.name}`;
      const failure = names.has(name)
        ? nameOfLaterDeletion({ type: kind.type, id: thing.id })
        : await reasonNotToImport(thing, context);
      if (failure) failures.set(thing, failure);
      else names.add(name);
    }
  }
  return failures;
}

/**
 * Runs the checks that the preview of the next update would run. Returns the reason why the object cannot be imported,
 * or `undefined` if it can be.
 */
async function reasonNotToImport({ resource, id }: Thing, context: Context<Platform>): Promise<string | undefined> {
  try {
    const { state, inputs } = await lookUpLiveOrDeleted(resource, id, context);
    const hidden = resource.properties.inputs
      .filter(({ name, isRequired }) => isRequired && inputs[name] === undefined)
      .map(({ name }) => name);
    if (hidden.length > 0) return missingArguments({ properties: hidden, id });
    // What `pulumi up` would restore, the inventory itself says.
    const silent = { ...context, platform: { ...context.platform, inform: () => {} } };
    await planUpdate(resource, { id, oldInputs: inputs, state, news: inputs }, silent);
    return undefined;
  } catch (refusal) {
    if (!isRefusal(refusal, "conflict", "forbidden", "absent")) throw refusal;
    return refusal.message;
  }
}

/** Explains whether the plan or the API token prevents listing deleted objects. */
export const whyDeletedUnlisted = (
  { code, message }: Refusal,
  { platform: { organization } }: PlatformContext,
): string =>
  code === PLAN_REFUSAL ? planHidesDeleted({ organization: organization.slug }) : forbiddenList({ cause: message });
