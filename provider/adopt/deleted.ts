import type { AnyResource } from "../../kit/definition";
import { isRefusal, unlessRefused } from "../../kit/refusal";
import { auditLogPages, findDeletions } from "../client/audit-log/history";
import type { PlatformContext } from "../platform";
import { database } from "../resources/database/database";
import {
  type DeletedDatabaseRecord,
  deletedDatabaseSubject,
  eachDeletedDatabase,
  groupDeletedWith,
} from "../resources/deleted-databases";
import { type DeletedGroup, eachDeletedGroup } from "../resources/group/deleted-group";
import { group } from "../resources/group/group";
import { recoveryDisabled, restorableUntil, restorationSecondsLeft } from "../resources/restoration";
import { type Omission, whyDeletedUnlisted } from "./inventory";
import { chooser, type InventoryChoice, type Thing } from "./things";

/** A deleted group or database that can be restored. */
export interface DeletedThing extends Thing {
  /** RFC 3339 */
  readonly deletedAt: string;
  /** RFC 3339 */
  readonly restorableUntil: string;
  readonly secondsLeft: number;
  /** Username of whoever deleted the object. Absent unless the audit log proves it. */
  readonly deletedBy?: string | undefined;
  /** UUID of the group that was deleted together with the database. Restoring the group also restores the database. */
  readonly restoredWith?: string | undefined;
}

export interface DeletedInventory {
  /** The deleted objects. Every group precedes the databases that are restored with it. */
  readonly things: readonly DeletedThing[];
  readonly leftOut: readonly Omission[];
  /** The reason why the platform refuses all restores. Absent if it allows them, or there is nothing to restore. */
  readonly obstacle?: string | undefined;
}

/** A deleted object, and how to find its deletion in the audit log. */
interface Found {
  readonly thing: Thing & Pick<DeletedThing, "deletedAt" | "restoredWith">;
  readonly subject: ReturnType<typeof deletedDatabaseSubject>;
}

/** Returns the selected deleted objects that can still be restored. Sends read requests only. */
export async function takeDeletedInventory(
  choice: Omit<InventoryChoice, "deleted">,
  context: PlatformContext,
): Promise<DeletedInventory> {
  const { api, clock, organization } = context.platform;
  // Fails here if the UUID is unknown, because `listDeleted` would report that as a missing permission.
  await organization.id();
  const groups = await listDeleted(group, choice, eachDeletedGroup(context), context);
  const databases = await listDeleted(database, choice, eachDeletedDatabase(context), context);
  const all = [...groups.items.map(deletedGroupThing), ...databases.items.map(deletedDatabaseThing)];
  const isChosen = chooser({ ...choice, deleted: true }, [
    ...all.flatMap(({ thing }) => [thing, ...(thing.container ? [thing.container] : [])]),
    ...(choice.group === undefined ? [] : await liveGroups(context)),
  ]);
  const chosen = all.filter(({ thing }) => isChosen(thing));
  const subjects = chosen.map(({ subject }) => subject);
  const deletions = await findDeletions(subjects, auditLogPages(api), clock.now()).catch(unlessRefused);
  const things = chosen.map(
    ({ thing, subject }): DeletedThing => ({
      ...thing,
      restorableUntil: restorableUntil(thing.deletedAt),
      secondsLeft: restorationSecondsLeft(thing.deletedAt, context),
      deletedBy: deletions?.get(subject)?.author,
    }),
  );
  const obstacle = things.length > 0 ? (await recoveryDisabled(context))?.reason : undefined;
  return { things: sortedDeleted(things), leftOut: [...groups.leftOut, ...databases.leftOut], obstacle };
}

/** Reads a list of deleted objects of one type, unless the option `--type` excludes that type. */
async function listDeleted<Item>(
  { type }: AnyResource,
  { types }: Pick<InventoryChoice, "types">,
  list: AsyncIterable<Item>,
  context: PlatformContext,
): Promise<{ readonly items: readonly Item[]; readonly leftOut: readonly Omission[] }> {
  const items: Item[] = [];
  if (types.length > 0 && !types.includes(type)) return { items, leftOut: [] };
  try {
    for await (const item of list) items.push(item);
    return { items, leftOut: [] };
  } catch (refusal) {
    if (!isRefusal(refusal, "forbidden")) throw refusal;
    return { items: [], leftOut: [{ type, reason: whyDeletedUnlisted(refusal, context) }] };
  }
}

function deletedGroupThing({ uuid: id, name, deleted_at: deletedAt }: DeletedGroup): Found {
  return { thing: { resource: group, id, name, deletedAt }, subject: { kind: "group", id, name, deletedAt } };
}

function deletedDatabaseThing(record: DeletedDatabaseRecord): Found {
  const { DbId: id, Name: name, group_id: parent, deleted_at: deletedAt } = record;
  const container = { resource: group, id: parent, name: record.group };
  const restoredWith = groupDeletedWith(record);
  const thing = { resource: database, id, name, deletedAt, parent, container, restoredWith };
  return { thing, subject: deletedDatabaseSubject(record) };
}

const liveGroups = async ({ platform: { organization } }: PlatformContext): Promise<Thing[]> =>
  (await organization.groups()).map(({ uuid, name }) => ({ resource: group, id: uuid, name }));

/** Sorts objects by the time left to restore them. Databases that are restored with a group follow that group. */
function sortedDeleted(things: readonly DeletedThing[]): DeletedThing[] {
  const byTime = things.toSorted(
    (one, other) => Date.parse(one.deletedAt) - Date.parse(other.deletedAt) || (one.name < other.name ? -1 : 1),
  );
  const ids = new Set(things.map(({ id }) => id));
  const inGroups = Map.groupBy(byTime, ({ restoredWith }) => restoredWith);
  return byTime.flatMap((thing) => {
    if (thing.restoredWith !== undefined && ids.has(thing.restoredWith)) return [];
    return thing.resource === group ? [thing, ...(inGroups.get(thing.id) ?? [])] : [thing];
  });
}
