import { firstPreflightFailure, type PreflightFailure, preflightFailure } from "../../../kit/preflight";
import { messageOf, unlessRefused } from "../../../kit/refusal";
import type { NowContext } from "../../../kit/resource";
import { bringsBack } from "../../../kit/restorable";
import type { Restorable } from "../../../kit/results";
import { unlessHidden } from "../../client/credential";
import { eachPage, firstItems } from "../../client/pages";
import { rolePermissionFailure } from "../../permissions/permissions";
import type { Platform, PlatformContext } from "../../platform";
import { type DeletedDatabaseRecord, deletedDatabasesIn } from "../deleted-databases";
import {
  type DeletedLookup,
  mayBeRestored,
  recoveryDisabled,
  restorableObject,
  restorableOrHidden,
  restorationWindowFailure,
} from "../restoration";
import { databasesInGroup, findLiveGroup, otherLiveGroupNamed } from "./live-groups";
import { databaseNotRestored, databasesStillDeleted, restoredGroupNameTaken, restoredNamePlanned } from "./messages";
import type { LiveGroupRecord } from "./state";

export interface DeletedGroup {
  readonly uuid: string;
  readonly name: string;
  readonly deleted_at: string;
}

interface Named {
  readonly name: string;
}

export async function findDeletedGroup(
  id: string,
  context: PlatformContext,
  maxAge?: "seconds",
): Promise<DeletedLookup<DeletedGroup>> {
  const listed = maxAge && (await recentlyDeletedGroup(id, context));
  if (listed) return { deleted: listed };
  return restorableOrHidden(async () => {
    for await (const deleted of eachDeletedGroup(context)) if (deleted.uuid === id) return deleted;
    return undefined;
  }, context);
}

/**
 * Finds a deleted group in a list that may be a few seconds old. If the result is `undefined`, the caller must request
 * the group, because it may have been deleted after the list was requested.
 */
export async function recentlyDeletedGroup(id: string, context: PlatformContext): Promise<DeletedGroup | undefined> {
  const load = async () => new Map((await readEveryDeletedGroup(context)).map((group) => [group.uuid, group]));
  // A failure to load the list is ignored, because the list only saves requests.
  const recent = await context.platform.lists.get("deletedGroups", load, "seconds").catch(unlessRefused);
  return recent?.isCurrent(id) ? recent.items.get(id) : undefined;
}

/** Lists all groups that can still be restored, page by page. Sends new requests instead of using cached lists. */
export async function* eachDeletedGroup({ platform: { api } }: PlatformContext): AsyncGenerator<DeletedGroup> {
  for await (const { groups } of eachPage((query) => api.listDeletedGroups({ query }))) yield* groups;
}

export const nameAndId = ({ Name, DbId }: DeletedDatabaseRecord) => ({ name: Name, id: DbId });

/**
 * Restores a group with its databases. If this update has already restored the group with one of its databases, restores
 * the others. If somebody else has restored the group, only warns of the databases that stayed deleted.
 */
export async function restoreDeletedGroup(id: string, context: NowContext<Platform, Named>): Promise<LiveGroupRecord> {
  const {
    platform: { api },
    run,
    warn,
  } = context;
  try {
    const { group, failures } = await api.restoreGroup({ groupId: id });
    for (const [dbId, reason] of Object.entries(failures)) warn(databaseNotRestored({ id: dbId, reason }));
    return group;
  } catch (refusal) {
    const found = mayBeRestored(refusal) ? await groupRestoredAlready(id, context).catch(unlessRefused) : undefined;
    if (!found) throw refusal;
    // The databases that the stack manages are restored by their own updates.
    const rest = found.deleted.filter(({ DbId }) => !run.inStack("Database", DbId));
    if (!found.isOwn && rest.length > 0)
      warn(databasesStillDeleted({ name: found.group.name, contained: rest.map(nameAndId) }));
    if (!found.isOwn) throw refusal;
    for (const { DbId } of rest)
      await api.restoreDatabase({ databaseId: DbId }).catch((cause: unknown) => {
        warn(databaseNotRestored({ id: DbId, reason: messageOf(cause) }));
      });
    return found.group;
  }
}

/**
 * Returns the group if it is live, the databases that were deleted with it and still are, and whether this update has
 * restored one of its databases.
 */
async function groupRestoredAlready(id: string, context: NowContext<Platform, Named>) {
  const group = await findLiveGroup(context, ({ uuid }) => uuid === id);
  if (!group) return undefined;
  const isOwn = (await databasesInGroup(group.name, context)).some(({ DbId }) =>
    context.run.restores("Database", DbId),
  );
  const members = await deletedDatabasesIn(id, context);
  return { group, isOwn, deleted: members.filter(({ group_deleted_at: at }) => at && bringsBack(context.now, at)) };
}

/**
 * Returns the deleted groups with this name that can still be restored, or `undefined` if the credential or the plan
 * hides deleted groups. The list is requested once per update.
 */
export async function restorableGroups(
  name: string,
  context: PlatformContext,
): Promise<readonly Restorable[] | undefined> {
  const groups = await context.run.once("deleted groups", () => readEveryDeletedGroup(context).catch(unlessHidden));
  return groups
    ?.filter((group) => group.name === name)
    .map(({ uuid, deleted_at }) => restorableObject(uuid, deleted_at));
}

export const readEveryDeletedGroup = async (context: PlatformContext): Promise<readonly DeletedGroup[]> =>
  (await firstItems(eachDeletedGroup(context))).items;

/** Returns the reason why the platform would refuse to restore a group. Sends read requests only. */
export async function groupRestoreFailure(
  id: string,
  context: NowContext<Platform, Named> & { readonly maxAge: "seconds" | undefined },
): Promise<PreflightFailure | undefined> {
  const { now, maxAge } = context;
  return firstPreflightFailure(
    () => restoredNameFailure(id, now, context, maxAge),
    async () => restorationWindowFailure("group", id, await findDeletedGroup(id, context, maxAge)),
    () => recoveryDisabled(context, maxAge),
    () => rolePermissionFailure("restoring", context),
  );
}

async function restoredNameFailure(
  id: string,
  { name }: Named,
  context: PlatformContext,
  maxAge?: "seconds",
): Promise<PreflightFailure | undefined> {
  const taken = await otherLiveGroupNamed(name, id, context, maxAge);
  if (taken) return preflightFailure(restoredGroupNameTaken({ name, id: taken.uuid }));
  const creator = context.run.plannedBy("Group", name);
  return preflightFailure(creator && restoredNamePlanned({ name, urn: creator }));
}

/**
 * Returns the location of a deleted group. The location is taken from a database of the group, because the group's own
 * record has none.
 */
export const deletedGroupLocation = ([member]: readonly DeletedDatabaseRecord[]): { readonly location?: string } =>
  member?.primaryRegion ? { location: member.primaryRegion } : {};
