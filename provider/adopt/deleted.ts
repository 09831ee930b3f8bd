import type { AnyResource } from "../../kit/definition";
import { isSameInstant } from "../../kit/instant";
import { isRefusal, unlessRefused } from "../../kit/refusal";
import { type Choice, choosesType, matchesChoice } from "../inventory/choice";
import { deletedDatabases, deletedGroups, withAuthors } from "../inventory/deleted";
import { type DeletedThing, isGroup } from "../inventory/things";
import type { PlatformContext } from "../platform";
import { database } from "../resources/database/database";
import { group } from "../resources/group/group";
import { type RecoveryTime, recoveryDisabled, recoveryTimeOf } from "../resources/restoration";
import { assertGroupExists, type Omission, whyDeletedUnlisted } from "./inventory";

export interface RestorableThing extends DeletedThing, RecoveryTime {}

export interface DeletedInventory {
  /** The deleted objects. Every group precedes the databases that are restored with it. */
  readonly things: readonly RestorableThing[];
  readonly leftOut: readonly Omission[];
  /** The reason why the platform refuses all restores. Absent if it allows them, or there is nothing to restore. */
  readonly obstacle?: string | undefined;
}

/** Returns the selected deleted objects that can still be restored. Sends read requests only. */
export async function takeDeletedInventory(choice: Choice, context: PlatformContext): Promise<DeletedInventory> {
  const { organization } = context.platform;
  // Fails here if the UUID is unknown, because `listDeleted` would report that as a missing permission.
  await organization.id();
  const wantsDatabases = choosesType(choice.types, database.type);
  const wantsGroups = choosesType(choice.types, group.type);
  const groups = wantsGroups || wantsDatabases ? await listDeleted(group, deletedGroups, context) : NOTHING;
  const databases = wantsDatabases ? await listDeleted(database, deletedDatabases, context) : NOTHING;
  // A group that was restored and deleted again does not bring back what only its first deletion has deleted.
  const returns = ({ container, groupDeletedAt }: DeletedThing) =>
    groups.leftOut.length > 0 ||
    groups.things.some(({ id, deletedAt }) => id === container?.id && isSameInstant(groupDeletedAt, deletedAt));
  const inGroups = databases.things.map((thing) => (returns(thing) ? thing : { ...thing, groupDeletedAt: undefined }));
  const all = [...groups.things, ...inGroups];
  if (choice.group !== undefined) {
    const live = (await organization.groups()).map(({ uuid: id, name }) => ({ resource: group, id, name }));
    assertGroupExists(choice.group, [...all, ...live]);
  }
  const chosen = all.filter((thing) => matchesChoice(thing, choice));
  const authored = (await withAuthors(chosen, context).catch(unlessRefused)) ?? chosen;
  const things = authored.map((thing) => ({ ...thing, ...recoveryTimeOf(thing.deletedAt, context) }));
  const obstacle = things.length > 0 ? (await recoveryDisabled(context))?.reason : undefined;
  return {
    things: sortedDeleted(things),
    leftOut: [...(wantsGroups ? groups.leftOut : []), ...databases.leftOut],
    obstacle,
  };
}

interface ListedThings {
  readonly things: readonly DeletedThing[];
  readonly leftOut: readonly Omission[];
}

const NOTHING: ListedThings = { things: [], leftOut: [] };

/** Reads a list of deleted objects of one type, or the reason why it cannot be read. */
async function listDeleted(
  { type }: AnyResource,
  list: (context: PlatformContext) => Promise<DeletedThing[]>,
  context: PlatformContext,
): Promise<ListedThings> {
  try {
    return { things: await list(context), leftOut: [] };
  } catch (refusal) {
    if (!isRefusal(refusal, "forbidden")) throw refusal;
    return { things: [], leftOut: [{ type, reason: whyDeletedUnlisted(refusal, context) }] };
  }
}

/** Returns the UUID of the group whose restoration brings the database back. */
export const restoredWith = ({ container, groupDeletedAt }: DeletedThing): string | undefined =>
  groupDeletedAt === undefined ? undefined : container?.id;

/** Sorts objects by the time left to restore them. Databases that are restored with a group follow that group. */
function sortedDeleted(things: readonly RestorableThing[]): RestorableThing[] {
  const byTime = things.toSorted(
    (one, other) => Date.parse(one.deletedAt) - Date.parse(other.deletedAt) || (one.name < other.name ? -1 : 1),
  );
  const ids = new Set(things.map(({ id }) => id));
  const inGroups = Map.groupBy(byTime, restoredWith);
  return byTime.flatMap((thing) => {
    if (ids.has(restoredWith(thing) ?? "")) return [];
    return isGroup(thing) ? [thing, ...(inGroups.get(thing.id) ?? [])] : [thing];
  });
}
