import { unlessAbsent, unlessRefused } from "../../../kit/refusal";
import { readPages } from "../../client/pages";
import type { Platform, PlatformContext } from "../../platform";
import { groupStateOf, type LiveGroupRecord } from "./state";

export async function findLiveGroup(
  { platform: { organization } }: PlatformContext,
  is: (record: LiveGroupRecord) => boolean,
  maxAge?: "seconds",
): Promise<LiveGroupRecord | undefined> {
  const { items, isCurrent } = await organization.groupList(maxAge);
  const found = items.find(is);
  // A cached entry does not count if this process has changed the group since.
  return found && (maxAge === undefined || isCurrent(found.uuid, found.name)) ? found : undefined;
}

/** Returns all live groups, of which an update requests one list for its checks. `maxAge` says how old it may be then. */
export const groupsInRun = (
  { platform: { organization }, run }: PlatformContext,
  maxAge?: "seconds",
): Promise<readonly LiveGroupRecord[]> => run.once("groups", () => organization.groups(maxAge));

/** Finds a live group, other than group `id`, that has this name or is renamed to it in this update. */
export async function otherLiveGroupNamed(
  name: string,
  id: string,
  context: PlatformContext,
  maxAge?: "seconds",
): Promise<LiveGroupRecord | undefined> {
  const others = (await groupsInRun(context, maxAge)).filter(({ uuid }) => uuid !== id);
  return liveGroupThatGetsName(name, others, context.run.names);
}

/**
 * Returns the group that has a name, or that this update gives the name. One that has it already comes first, because
 * the other cannot get it.
 */
export function liveGroupThatGetsName<G extends { readonly uuid: string; readonly name: string }>(
  name: string,
  groups: readonly G[],
  names: PlatformContext["run"]["names"],
): G | undefined {
  const holders = groups.filter((group) => (names.of("Group", group.uuid) ?? group.name) === name);
  return holders.find((group) => group.name === name) ?? holders[0];
}

/**
 * Returns whether no live group has this name, according to a list that may be a few seconds old, and whether this
 * process has not given the name to a group since.
 */
export async function isGroupNameFree(name: string, { platform: { organization } }: PlatformContext): Promise<boolean> {
  const { items, isCurrent } = await organization.groupList("seconds");
  return isCurrent(name) && !items.some((group) => group.name === name);
}

/** Requests the group itself, because a group that is missing from a list may still exist. */
export async function retrieveLiveGroup(
  id: string,
  { platform: { api } }: PlatformContext,
): Promise<LiveGroupRecord | undefined> {
  const answer = await api.retrieveGroupById({ groupId: id }).catch(unlessAbsent);
  return answer?.group;
}

/** Requests all live databases in a group, instead of using the cached list. Returns each once, however often it is listed. */
export async function databasesInGroup(group: string, { platform: { api } }: PlatformContext) {
  const { items } = await readPages(
    (page) => api.listDatabases({ query: { ...page, group } }),
    ({ databases }) => databases,
  );
  return [...new Map(items.map((database) => [database.DbId, database])).values()];
}

/**
 * Returns whether a group is live although its databases were deleted with it. Restoring one of them restores the group,
 * but not the others. Uses a list that may be a few seconds old, because only messages depend on the result.
 */
export async function isGroupLive(id: string, { platform: { organization } }: PlatformContext): Promise<boolean> {
  const groups = await organization.groups("seconds").catch(unlessRefused);
  return Boolean(groups?.some(({ uuid }) => uuid === id));
}

export async function liveGroupStateNamed(
  name: string,
  groups: readonly LiveGroupRecord[],
  organization: Platform["organization"],
) {
  const found = groups.find((record) => record.name === name);
  return found && { id: found.uuid, state: groupStateOf(found, await organization.id()) };
}
