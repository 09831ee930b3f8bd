import type { z } from "zod";
import { eachPage, type Pages, readPages } from "../../platform/client/pages";
import { unlessAbsent } from "../../platform/client/refusal";
import type { DeletedDatabase } from "../../platform/contract/recovery";
import { scopeMissing } from "./caller";
import { restorableUntil } from "./deletion";
import type { Platform } from "./platform";
import { type AmongDeleted, amongDeleted, recoveryDisabled, roleTooLow, windowPassed } from "./restoration";

export type DeletedRecord = z.output<typeof DeletedDatabase>;

/** The record of a deleted database that can still be restored. */
export const findDeletedDatabase = (id: string, platform: Platform): Promise<AmongDeleted<DeletedRecord>> =>
  amongDeleted(`database ${id}`, async () => (await deletedDatabases(platform)).find(({ DbId }) => DbId === id));

/** The same, if a list of a moment ago shows it; what that does not show must be asked for. */
export async function recentlyDeleted(id: string, platform: Platform): Promise<DeletedRecord | undefined> {
  const recent = await platform.snapshot
    .list("deleted databases", async () => {
      const records = await deletedDatabases(platform);
      return new Map(records.map((record) => [record.DbId, record]));
    })
    // Whoever may not see the list may still see the database.
    .catch(() => undefined);
  return recent?.isCurrent(id) ? recent.items.get(id) : undefined;
}

/** Everything that can still be restored, asked for now. */
export async function deletedDatabases(platform: Platform): Promise<readonly DeletedRecord[]> {
  return (await readDeletedDatabases(platform)).items;
}

/** The same within limits. `search`: part of a name. */
export async function readDeletedDatabases(
  { client, organization }: Platform,
  { search, most }: { readonly search?: string | undefined; readonly most?: number | undefined } = {},
): Promise<Pages<DeletedRecord>> {
  const organizationId = await organization.id(client);
  return readPages(
    (page) => client.listDeletedDatabases({ organizationId, query: { deleted: "true", search, ...page } }),
    ({ databases }) => databases,
    most,
  );
}

/** Those that had just this name. */
export async function deletedDatabasesNamed(name: string, platform: Platform) {
  const { items } = await readDeletedDatabases(platform, { search: name });
  return items.filter(({ Name }) => Name === name).map(({ DbId, deleted_at }) => ({ id: DbId, deletedAt: deleted_at }));
}

/** Everything that can still be restored, each page asked for when the one before has been dealt with. */
export async function* eachDeletedDatabase({ client, organization }: Platform): AsyncGenerator<DeletedRecord> {
  const organizationId = await organization.id(client);
  const fetch = (page: object) => client.listDeletedDatabases({ organizationId, query: { deleted: "true", ...page } });
  for await (const { databases } of eachPage(fetch)) yield* databases;
}

export function describeDeletion({ Name, DbId, group, deleted_at, group_deleted_at }: DeletedRecord): string {
  const sentences = [
    `Database "${Name}" (${DbId}) of group "${group}" was deleted at ${deleted_at} and can be restored until ${restorableUntil(deleted_at)}.`,
    group_deleted_at
      ? `Its group was deleted with it and is restored with it; the other databases of the group stay deleted, each restorable.`
      : "",
    "`pulumi up` restores it with its data.",
  ];
  return sentences.filter(Boolean).join(" ");
}

interface Deleted {
  readonly groupId: string;
  readonly groupName: string;
  readonly groupDeletedAt?: string | undefined;
}

/** Everything that would make the platform refuse a restoration (§4.1, §7), found out by reading. */
export async function databaseRestoreRefusal(
  id: string,
  deleted: Deleted,
  { name }: { readonly name?: string },
  platform: Platform,
): Promise<string | undefined> {
  const { client, organization } = platform;
  const organizationId = await organization.id(client);
  // Restored meanwhile, there is nothing to refuse.
  if (await client.retrieveDatabaseById({ organizationId, databaseId: id }).catch(unlessAbsent)) return undefined;
  return (
    scopeMissing("db:create", platform) ??
    (await nameTaken(name, platform)) ??
    windowPassed(`database ${id}`, await findDeletedDatabase(id, platform)) ??
    (await groupMissing(deleted, platform)) ??
    (await recoveryDisabled(platform)) ??
    (await roleTooLow(platform))
  );
}

async function nameTaken(name: string | undefined, { client, organization, urn }: Platform) {
  if (name === undefined) return undefined;
  const taken = await client
    .retrieveDatabase({ organizationSlug: organization.slug, databaseName: name })
    .catch(unlessAbsent);
  return (
    taken &&
    `the name "${name}" is taken by a live database (${taken.database.DbId}): give another \`name\`. If that one is what this resource manages now, first \`pulumi destroy --target ${urn}\`, then import`
  );
}

/** Only a group that was deleted together with the database comes back with it. */
async function groupMissing(
  { groupDeletedAt, groupId, groupName }: Deleted,
  { client, organization, names }: Platform,
): Promise<string | undefined> {
  const groups = await organization.groups(client);
  // Named by this run, it is restored by this run.
  if (names.has(groupId) || groups.some(({ uuid }) => uuid === groupId)) return undefined;
  const successor = groups.find(({ name }) => name === groupName);
  if (groupDeletedAt === undefined)
    return `its group "${groupName}" (${groupId}) was deleted after it: restore that group, or another database that was deleted with it, first`;
  return (
    successor &&
    `its group "${groupName}" was deleted with it and cannot come back: that name is taken by a live group (${successor.uuid}); rename or delete that one first`
  );
}
