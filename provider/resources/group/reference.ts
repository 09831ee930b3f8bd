import type { GivenNames } from "../../../kit/context";
import { credentialPreflightFailure, type PreflightFailure, preflightFailure } from "../../../kit/preflight";
import { isRefusal, Refusal, unlessForbidden } from "../../../kit/refusal";
import { nameProblem } from "../../../platform/values/name";
import { canonicalUuid, isCanonicalUuid } from "../../../platform/values/uuid";
import type { PlatformContext } from "../../platform";
import { adviceOnPlannedObject } from "../importable";
import { findLiveGroup, groupsInRun } from "./live-groups";
import { availableGroups, databaseInUnknownGroup, groupNotFound, objectInOtherGroup } from "./messages";
import type { LiveGroupRecord } from "./state";

/**
 * State properties with the UUID and name of the group that contains an object. They are stored in addition to the
 * program's own reference to the group.
 */
export interface GroupMembership {
  readonly groupId?: string | undefined;
  readonly groupName?: string | undefined;
}

/** Says that the group's deletion also deletes an object. */
export const insideGroup = {
  type: "Group",
  by: "groupId",
  canonicalId: (id: string) => canonicalUuid(id) ?? id,
} as const;

/** Options of an input that refers to a group by its UUID or its name. */
export const groupIdOrName = {
  valid: (wanted: string) => (canonicalUuid(wanted) ? undefined : nameProblem(wanted)),
  references: {
    type: "Group",
    isId: (wanted: string) => canonicalUuid(wanted) !== undefined,
    target: ({ groupId: id, groupName: name }: GroupMembership) =>
      id === undefined || name === undefined ? undefined : { id, name },
    async find(wanted: string, { platform: { organization }, run }: PlatformContext) {
      const id = canonicalUuid(wanted) ?? run.names.idsOf("Group", wanted)[0];
      if (id !== undefined) return id;
      const groups = await organization.groups("seconds").catch(unlessForbidden);
      return groups?.find(({ uuid, name }) => (run.names.of("Group", uuid) ?? name) === wanted)?.uuid;
    },
  },
};

/** Returns whether a UUID or a name identifies the group in which the object is. */
export const sameGroup = (
  wanted: string,
  _observed: string | undefined,
  { groupId, groupName }: GroupMembership,
  names: GivenNames,
): boolean =>
  wanted === groupName ||
  (groupId !== undefined && (canonicalUuid(wanted) === groupId || wanted === names.of("Group", groupId)));

/**
 * Returns a function that sends requests with the group's current name, because the platform identifies groups only by
 * name. The name is looked up before the first request, and again if the platform reports that no group has this name.
 *
 * @throws Refusal if the group does not exist.
 */
export function namingGroup(wanted: string, context: PlatformContext) {
  let group: LiveGroupRecord | undefined;
  return async <T>(send: (groupName: string, group: LiveGroupRecord) => Promise<T>): Promise<T> => {
    const known = group ?? (await referencedGroup(wanted, context));
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

export const withGroup = <T>(
  wanted: string,
  context: PlatformContext,
  send: (group: LiveGroupRecord) => Promise<T>,
): Promise<T> => namingGroup(wanted, context)((_name, group) => send(group));

async function referencedGroup(wanted: string, context: PlatformContext): Promise<LiveGroupRecord> {
  const { organization } = context.platform;
  const group = await organization.group(canonicalUuid(wanted) ?? wanted);
  if (group) return group;
  throw groupReferenceRefusal(wanted, await organization.groups(), context);
}

export const groupReferenceRefusal = (
  wanted: string,
  groups: readonly LiveGroupRecord[],
  context: PlatformContext,
): Refusal =>
  new Refusal("absent", {
    answer: groupNotFound({ wanted, organization: context.platform.organization.slug }),
    advice:
      adviceOnPlannedObject("Group", wanted, context) ?? availableGroups({ known: referenceableGroupNames(groups) }),
  });

/**
 * Returns the reason why a referenced group is missing, or `undefined` if the group is live or this update creates or
 * restores it.
 */
export async function referencedGroupFailure(
  wanted: string,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  const { organization, credential } = context.platform;
  const { run } = context;
  const id = canonicalUuid(wanted);
  if ((id && run.names.of("Group", id) !== undefined) || run.plannedBy("Group", wanted)) return undefined;
  const isThere = (groups: readonly LiveGroupRecord[]) =>
    groups.some(({ uuid, name }) => uuid === id || (run.names.of("Group", uuid) ?? name) === wanted || name === wanted);
  if (isThere(await groupsInRun(context))) return undefined;
  if (run.names.idsOf("Group", wanted).some(isCanonicalUuid)) return undefined;
  if (credential.groupId !== undefined)
    return credentialPreflightFailure(
      groupNotFound({ wanted, organization: organization.slug, pinnedTo: credential.groupId }),
    );
  // Requests the groups again, because the group may have been created since the last request.
  const groups = await organization.groups();
  return preflightFailure(
    isThere(groups)
      ? undefined
      : `${groupNotFound({ wanted, organization: organization.slug })}. ${availableGroups({ known: referenceableGroupNames(groups) })}`,
  );
}

const referenceableGroupNames = (groups: readonly LiveGroupRecord[]): string[] => groups.map(({ name }) => name);

/** Throws an error if the token cannot see the object, because the token is pinned to another group. */
export function assertGroupVisible(groupId: string | undefined, { platform: { credential } }: PlatformContext): void {
  if (credential.groupId === undefined || groupId === undefined || credential.groupId === groupId) return;
  throw new Refusal("forbidden", objectInOtherGroup({ groupId, pinnedTo: credential.groupId }));
}

/**
 * Throws an error if the token is pinned to a group. Called when the database's group is unknown: a pinned token may be
 * unable to see the database.
 */
export function assertEveryGroupVisible(dbId: string, { platform: { credential } }: PlatformContext): void {
  if (credential.groupId === undefined) return;
  throw new Refusal("forbidden", databaseInUnknownGroup({ id: dbId, pinnedTo: credential.groupId }));
}
