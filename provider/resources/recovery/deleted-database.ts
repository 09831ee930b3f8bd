import type { z } from "zod";
import { eachPage, type Pages, readPages } from "../../../platform/client/pages";
import { unlessAbsent, unlessRefused } from "../../../platform/client/refusal";
import type { DeletedDatabase } from "../../../platform/contract/recovery";
import type { ResourceContext } from "../../resource/context";
import { credentialLacks, firstFailure, type PreflightFailure, preflightFailure } from "../../resource/preflight";
import type { Restorable } from "../../resource/results";
import { unlessHidden } from "./caller";
import { restorable } from "./deletion";
import { databaseDeleted, groupDeletedLater, groupNamePlanned, groupNameReused, restoredNameTaken } from "./messages";
import { type AmongDeleted, amongDeleted, recoveryDisabled, roleTooLow, windowPassed } from "./restoration";

export type DeletedRecord = z.output<typeof DeletedDatabase>;

/** Finds the record of a deleted database that can still be restored. */
export const findDeletedDatabase = (id: string, context: ResourceContext): Promise<AmongDeleted<DeletedRecord>> =>
  amongDeleted(async () => (await deletedDatabases(context)).find(({ DbId }) => DbId === id), context);

/** Finds a deleted database in a list that is a few seconds old; a database missing there must be requested. */
export async function recentlyDeleted(id: string, context: ResourceContext): Promise<DeletedRecord | undefined> {
  const recent = await context.lists
    .recent("deletedDatabases", async () => {
      const records = await deletedDatabases(context);
      return new Map(records.map((record) => [record.DbId, record]));
    })
    // The list only saves requests, so a failure to load it is ignored.
    .catch(unlessRefused);
  return recent?.isCurrent(id) ? recent.items.get(id) : undefined;
}

/** Returns all deleted databases that can still be restored, with new requests. */
export async function deletedDatabases(context: ResourceContext): Promise<readonly DeletedRecord[]> {
  return (await readDeletedDatabases(context)).items;
}

/**
 * Returns deleted databases that can still be restored, up to a limit.
 *
 * @param limits `search` is part of a name; `most` is the maximum number.
 */
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

/**
 * Lists all deleted databases that can still be restored; each page is requested after the previous one was processed.
 */
export async function* eachDeletedDatabase({ client, organization }: ResourceContext): AsyncGenerator<DeletedRecord> {
  const organizationId = await organization.id(client);
  const fetch = (page: object) => client.listDeletedDatabases({ organizationId, query: { deleted: "true", ...page } });
  for await (const { databases } of eachPage(fetch)) yield* databases;
}

export const describeDeletion = ({ Name, DbId, group, deleted_at, group_deleted_at }: DeletedRecord): string =>
  databaseDeleted({
    name: Name,
    groupName: group,
    isDeletedWithGroup: group_deleted_at !== undefined,
    ...restorable(DbId, deleted_at),
  });

/**
 * Returns deleted databases with a given name that can still be restored, from a list requested once per run;
 * `undefined` if deleted databases cannot be seen.
 */
export async function restorableDatabases(
  name: string,
  context: ResourceContext,
): Promise<readonly Restorable[] | undefined> {
  const records = await context.once("deleted databases", () => deletedDatabases(context).catch(unlessHidden));
  return records?.filter((record) => record.Name === name).map(({ DbId, deleted_at }) => restorable(DbId, deleted_at));
}

interface Deleted {
  readonly groupId: string;
  readonly groupName: string;
  readonly groupDeletedAt?: string | undefined;
}

/** Finds, with read requests only, why the platform would refuse to restore a database (§4.1, §7). */
export const databaseRestoreFailure = (
  id: string,
  deleted: Deleted,
  { name }: { readonly name?: string },
  context: ResourceContext,
): Promise<PreflightFailure | undefined> =>
  firstFailure(
    () => nameTaken(name, context),
    async () => windowPassed("database", id, await findDeletedDatabase(id, context)),
    () => groupMissing(deleted, context),
    () => recoveryDisabled(context),
    () => credentialLacks("restoreDatabase", context),
    () => roleTooLow(context),
  );

async function nameTaken(
  name: string | undefined,
  { client, organization }: ResourceContext,
): Promise<PreflightFailure | undefined> {
  if (name === undefined) return undefined;
  const taken = await client
    .retrieveDatabase({ organizationSlug: organization.slug, databaseName: name })
    .catch(unlessAbsent);
  return preflightFailure(taken && restoredNameTaken(name, taken.database.DbId));
}

/**
 * Returns why the group of a deleted database prevents a restore. Only a group that was deleted together with the
 * database is restored with it.
 */
async function groupMissing(
  deleted: Deleted,
  { client, organization, names, once, planned }: ResourceContext,
): Promise<PreflightFailure | undefined> {
  const { groupDeletedAt, groupId, groupName } = deleted;
  // A group whose name this run has recorded is restored by this run.
  if (names.has(groupId)) return undefined;
  const groups = await once("groups", () => organization.groups(client));
  if (groups.some(({ uuid }) => uuid === groupId)) return undefined;
  if (groupDeletedAt === undefined) return preflightFailure(groupDeletedLater(deleted));
  const creator = planned("Group", groupName);
  if (creator) return preflightFailure(groupNamePlanned(deleted, creator));
  const successor = groups.find(({ uuid, name }) => (names.get(uuid) ?? name) === groupName);
  return preflightFailure(successor && groupNameReused(deleted, successor.uuid));
}
