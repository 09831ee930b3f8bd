import type { z } from "zod";
import { isRefusal, Refusal } from "../../../platform/client/refusal";
import type { Group } from "../../../platform/contract/group";
import { nameProblem } from "../../../platform/values/name";
import { canonicalUuid, isUuid } from "../../../platform/values/uuid";
import type { ResourceContext } from "../../resource/context";
import { credentialFailure, type PreflightFailure, preflightFailure } from "../../resource/preflight";
import type { Semantics } from "../../resource/traits";
import { broughtByThisRun } from "../recovery/this-run";
import {
  availableGroups,
  databaseInUnknownGroup,
  groupNotFound,
  groupOutOfSight,
  objectInOtherGroup,
} from "./messages";

type GroupRecord = z.output<typeof Group>;

/** The group that contains an object, as the state records it in addition to the program's spelling. */
export interface InGroup {
  readonly groupId?: string;
  readonly groupName?: string;
}

/** A reference to a group by its UUID or its name; both spellings are equal. */
export const groupReference: Semantics<string, InGroup> = {
  validate: (wanted) => (canonicalUuid(wanted) ? undefined : nameProblem(wanted)),
  semanticallyEqual: (wanted, _observed, { groupId, groupName }, given) =>
    wanted === groupName ||
    (groupId !== undefined && (canonicalUuid(wanted) === groupId || wanted === given.get(groupId))),
};

/**
 * Sends requests that identify a group by name, because the platform accepts only names. The UUID is resolved with the
 * first request, and again when the platform no longer knows the name.
 *
 * @throws Refusal if the group does not exist.
 */
export function namingGroup(wanted: string, context: ResourceContext) {
  let group: GroupRecord | undefined;
  return async <T>(send: (groupName: string, group: GroupRecord) => Promise<T>): Promise<T> => {
    const known = group ?? (await groupOf(wanted, context));
    group = known;
    try {
      return await send(known.name, known);
    } catch (refusal) {
      if (!isRefusal(refusal, "absent")) throw refusal;
      const renamed = await findLiveGroup(context, ({ uuid }) => uuid === known.uuid);
      if (renamed === undefined || renamed.name === known.name) throw refusal;
      group = renamed;
      return send(renamed.name, renamed);
    }
  };
}

/** Sends one request that identifies a group by name. */
export const withGroup = <T>(
  wanted: string,
  context: ResourceContext,
  send: (group: GroupRecord) => Promise<T>,
): Promise<T> => namingGroup(wanted, context)((_name, group) => send(group));

async function groupOf(wanted: string, context: ResourceContext): Promise<GroupRecord> {
  const { organization, client } = context;
  const group = await organization.group(canonicalUuid(wanted) ?? wanted, client);
  if (group) return group;
  throw noSuchGroup(wanted, await organization.groups(client), context);
}

export const noSuchGroup = (wanted: string, groups: readonly GroupRecord[], context: ResourceContext): Refusal =>
  new Refusal("absent", {
    answer: groupNotFound(wanted, context.organization.slug),
    advice: broughtByThisRun(wanted, context, "`group.id`") ?? availableGroups(namesOf(groups)),
  });

/** Finds a live group with a new request. */
export const findLiveGroup = async (
  { organization, client }: ResourceContext,
  is: (record: GroupRecord) => boolean,
): Promise<GroupRecord | undefined> => (await organization.groups(client)).find(is);

/** Finds another live group that has the name or receives it in this run. The groups are requested once per run. */
export async function otherGroupNamed(
  name: string,
  id: string,
  { organization, client, names, once }: ResourceContext,
): Promise<GroupRecord | undefined> {
  const groups = await once("groups", () => organization.groups(client));
  return groups.find((group) => group.uuid !== id && (names.get(group.uuid) ?? group.name) === name);
}

/** Returns why a referenced group is missing; `undefined` if it is live or this run creates or restores it. */
export async function groupMissing(
  wanted: string,
  { client, organization, credential, names, once, planned }: ResourceContext,
): Promise<PreflightFailure | undefined> {
  const id = canonicalUuid(wanted);
  if (names.has(id ?? "") || planned("Group", wanted)) return undefined;
  const isThere = (groups: readonly GroupRecord[]) =>
    groups.some(({ uuid, name }) => uuid === id || (names.get(uuid) ?? name) === wanted || name === wanted);
  if (isThere(await once("groups", () => organization.groups(client)))) return undefined;
  // This check runs last, because searching the names for every creation takes seconds with 10,000 names.
  for (const [key, name] of names) if (name === wanted && isUuid(key)) return undefined;
  if (credential.groupId !== undefined) return credentialFailure(groupOutOfSight(wanted, credential.groupId));
  // The group may have been created since the groups were last requested.
  const groups = await organization.groups(client);
  return preflightFailure(
    isThere(groups) ? undefined : `${groupNotFound(wanted, organization.slug)}. ${availableGroups(namesOf(groups))}`,
  );
}

const namesOf = (groups: readonly GroupRecord[]): string[] => groups.map(({ name }) => name);

/** Throws if the credential is pinned to another group, because then a missing object proves nothing. */
export function assertSeesGroup(groupId: string | undefined, { credential }: ResourceContext): void {
  if (credential.groupId === undefined || groupId === undefined || credential.groupId === groupId) return;
  throw new Refusal("forbidden", objectInOtherGroup(groupId, credential.groupId));
}

/** Throws if the credential is pinned to a group, for a database whose group is unknown. */
export function assertSeesEveryGroup(dbId: string, { credential }: ResourceContext): void {
  if (credential.groupId === undefined) return;
  throw new Refusal("forbidden", databaseInUnknownGroup(dbId, credential.groupId));
}
