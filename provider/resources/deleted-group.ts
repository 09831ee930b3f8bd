import { eachPage } from "../../platform/client/pages";
import { type DeletedRecord, deletedDatabases } from "./deleted-database";
import { restorableUntil } from "./deletion";
import type { Platform } from "./platform";
import { type AmongDeleted, amongDeleted, recoveryDisabled, roleTooLow, windowPassed } from "./restoration";

interface DeletedGroup {
  readonly uuid: string;
  readonly name: string;
  readonly deleted_at: string;
}

/** The record of a deleted group that can still be restored. */
export async function findDeletedGroup(id: string, platform: Platform): Promise<AmongDeleted<DeletedGroup>> {
  return amongDeleted(`group ${id}`, async () => {
    for await (const deleted of deletedGroups(platform)) if (deleted.uuid === id) return deleted;
    return undefined;
  });
}

/** Every group that can still be restored, asked for now, page by page. */
export async function* deletedGroups({ client, organization }: Platform): AsyncGenerator<DeletedGroup> {
  const organizationId = await organization.id(client);
  for await (const { groups } of eachPage((query) => client.listDeletedGroups({ organizationId, query })))
    yield* groups;
}

/** Those that had just this name. */
export async function deletedGroupsNamed(wanted: string, platform: Platform) {
  const found: { id: string; deletedAt: string }[] = [];
  for await (const { uuid, name, deleted_at } of deletedGroups(platform))
    if (name === wanted) found.push({ id: uuid, deletedAt: deleted_at });
  return found;
}

/** The deleted databases that were in a group. */
export const membersOf = async (id: string, platform: Platform): Promise<readonly DeletedRecord[]> =>
  (await deletedDatabases(platform)).filter(({ group_id }) => group_id === id);

/** A deleted group's own record does not say where it was, but the records of its databases do. */
export const whereItWas = ([member]: readonly DeletedRecord[]): { readonly location?: string } =>
  member?.primaryRegion ? { location: member.primaryRegion } : {};

export function describeGroupDeletion(
  { uuid, name, deleted_at }: DeletedGroup,
  members: readonly DeletedRecord[],
): string {
  const list = members
    .filter(({ group_deleted_at }) => group_deleted_at)
    .map(({ Name, DbId }) => `"${Name}" (${DbId})`)
    .join(", ");
  const back = list ? `restores it with these databases and their data: ${list}.` : "restores it.";
  return `Group "${name}" (${uuid}) was deleted at ${deleted_at} and can be restored until ${restorableUntil(deleted_at)}. \`pulumi up\` ${back}`;
}

/** Everything that would make the platform refuse to restore a group, found out by reading. */
export async function groupRestoreRefusal(
  id: string,
  deleted: { readonly name: string },
  _args: unknown,
  platform: Platform,
): Promise<string | undefined> {
  const { client, organization, credential } = platform;
  if (credential.groupId) return "restoring a group needs an organization-level API token; this one is group-scoped";
  const groups = await organization.groups(client);
  // Restored meanwhile, there is nothing to refuse.
  if (groups.some(({ uuid }) => uuid === id)) return undefined;
  const taken = groups.find(({ name }) => name === deleted.name);
  if (taken)
    return `its name "${deleted.name}" is taken by a live group (${taken.uuid}): rename or delete that one first`;
  return (
    windowPassed(`group ${id}`, await findDeletedGroup(id, platform)) ??
    (await recoveryDisabled(platform)) ??
    (await roleTooLow(platform))
  );
}
