import type { z } from "zod";
import { eachPage, type Pages, readPages } from "../../../platform/client/pages";
import { unlessAbsent, unlessRefused } from "../../../platform/client/refusal";
import type { DeletedDatabase } from "../../../platform/contract/recovery";
import { readableInstant } from "../../../platform/values/instant";
import type { ResourceContext } from "../../resource/context";
import { credentialLacks, firstFailure, type PreflightFailure, preflightFailure } from "../../resource/preflight";
import type { Restorable } from "../../resource/results";
import { unlessHidden } from "./caller";
import { restorable, restorableUntil } from "./deletion";
import { type AmongDeleted, amongDeleted, recoveryDisabled, roleTooLow, windowPassed } from "./restoration";

export type DeletedRecord = z.output<typeof DeletedDatabase>;

/** The record of a deleted database that can still be restored. */
export const findDeletedDatabase = (id: string, platform: ResourceContext): Promise<AmongDeleted<DeletedRecord>> =>
  amongDeleted(async () => (await deletedDatabases(platform)).find(({ DbId }) => DbId === id), platform);

/** The same, if a list of a moment ago shows it; what that does not show must be asked for. */
export async function recentlyDeleted(id: string, platform: ResourceContext): Promise<DeletedRecord | undefined> {
  const recent = await platform.lists
    .recent("deletedDatabases", async () => {
      const records = await deletedDatabases(platform);
      return new Map(records.map((record) => [record.DbId, record]));
    })
    // The list only saves requests: what it cannot tell is asked for by itself.
    .catch(unlessRefused);
  return recent?.isCurrent(id) ? recent.items.get(id) : undefined;
}

/** Everything that can still be restored, asked for now. */
export async function deletedDatabases(platform: ResourceContext): Promise<readonly DeletedRecord[]> {
  return (await readDeletedDatabases(platform)).items;
}

/** The same within limits. `search`: part of a name. */
export async function readDeletedDatabases(
  { client, organization }: ResourceContext,
  { search, most }: { readonly search?: string | undefined; readonly most?: number | undefined } = {},
): Promise<Pages<DeletedRecord>> {
  const organizationId = await organization.id(client);
  return readPages(
    (page) => client.listDeletedDatabases({ organizationId, query: { deleted: "true", search, ...page } }),
    ({ databases }) => databases,
    most,
  );
}

/** Everything that can still be restored, each page asked for when the one before has been dealt with. */
export async function* eachDeletedDatabase({ client, organization }: ResourceContext): AsyncGenerator<DeletedRecord> {
  const organizationId = await organization.id(client);
  const fetch = (page: object) => client.listDeletedDatabases({ organizationId, query: { deleted: "true", ...page } });
  for await (const { databases } of eachPage(fetch)) yield* databases;
}

export function describeDeletion({ Name, DbId, group, deleted_at, group_deleted_at }: DeletedRecord): string {
  const withGroup = group_deleted_at ? ", together with its group," : "";
  return `Database "${Name}" (${DbId}) of group "${group}" was deleted on ${readableInstant(deleted_at)}${withGroup} and can be restored until ${readableInstant(restorableUntil(deleted_at))}.`;
}

/** Deleted databases of that name that can still be restored; `undefined` where they cannot be seen. Asked for once a run. */
export async function restorableDatabases(
  name: string,
  platform: ResourceContext,
): Promise<readonly Restorable[] | undefined> {
  const records = await platform.once("deleted databases", () => deletedDatabases(platform).catch(unlessHidden));
  return records?.filter((record) => record.Name === name).map(({ DbId, deleted_at }) => restorable(DbId, deleted_at));
}

interface Deleted {
  readonly groupId: string;
  readonly groupName: string;
  readonly groupDeletedAt?: string | undefined;
}

/** Everything that would make the platform refuse a restoration (§4.1, §7), found out by reading. */
export const databaseRestoreFailure = (
  id: string,
  deleted: Deleted,
  { name }: { readonly name?: string },
  platform: ResourceContext,
): Promise<PreflightFailure | undefined> =>
  firstFailure(
    () => nameTaken(name, platform),
    async () => windowPassed(`database ${id}`, await findDeletedDatabase(id, platform)),
    () => groupMissing(deleted, platform),
    () => recoveryDisabled(platform),
    () => credentialLacks("restoreDatabase", platform),
    () => roleTooLow(platform),
  );

async function nameTaken(
  name: string | undefined,
  { client, organization }: ResourceContext,
): Promise<PreflightFailure | undefined> {
  if (name === undefined) return undefined;
  const taken = await client
    .retrieveDatabase({ organizationSlug: organization.slug, databaseName: name })
    .catch(unlessAbsent);
  return preflightFailure(
    taken && `the name "${name}" is in use by database ${taken.database.DbId}: give this resource another \`name\``,
  );
}

/** Only a group that was deleted together with the database comes back with it. */
async function groupMissing(
  { groupDeletedAt, groupId, groupName }: Deleted,
  { client, organization, names, once, planned }: ResourceContext,
): Promise<PreflightFailure | undefined> {
  // Named by this run, it is restored by this run.
  if (names.has(groupId)) return undefined;
  const groups = await once("groups", () => organization.groups(client));
  if (groups.some(({ uuid }) => uuid === groupId)) return undefined;
  if (groupDeletedAt === undefined)
    return preflightFailure(
      `its group "${groupName}" (${groupId}) was deleted after it: restore that group, or another database that was deleted with it, first`,
    );
  const creator = planned("Group", groupName);
  if (creator)
    return preflightFailure(
      `its group "${groupName}" (${groupId}) was deleted with it, and this program creates another group of that name (${creator}). To restore the group with its databases, set the resource option \`import: "${groupId}"\` on that group`,
    );
  const successor = groups.find(({ uuid, name }) => (names.get(uuid) ?? name) === groupName);
  return preflightFailure(
    successor &&
      `its group "${groupName}" (${groupId}) was deleted with it, and group ${successor.uuid} has that name now. Give group ${successor.uuid} another \`name\`, write \`group: "${groupId}"\` for this database (with \`dependsOn\` if this program manages group ${successor.uuid}), and run \`pulumi up\` again`,
  );
}
