import type { z } from "zod";
import type { DeletedContainer } from "../../kit/context";
import { isSameInstant } from "../../kit/instant";
import { unlessRefused } from "../../kit/refusal";
import type { Restorable } from "../../kit/results";
import type { DeletedDatabase } from "../../platform/contract/recovery";
import type { DeletedSubject } from "../client/audit-log/authors";
import { unlessHidden } from "../client/credential";
import { eachPage, firstItems } from "../client/pages";
import type { PlatformContext } from "../platform";
import { type DeletedLookup, restorableObject, restorableOrHidden } from "./restoration";

export type DeletedDatabaseRecord = z.output<ReturnType<typeof DeletedDatabase>>;

export async function findDeletedDatabase(
  id: string,
  context: PlatformContext,
  maxAge?: "seconds",
): Promise<DeletedLookup<DeletedDatabaseRecord>> {
  const listed = maxAge && (await recentlyDeletedDatabase(id, context));
  if (listed) return { deleted: listed };
  const isWanted = ({ DbId }: DeletedDatabaseRecord) => DbId === id;
  return restorableOrHidden(async () => (await readEveryDeletedDatabase(context)).find(isWanted), context);
}

/**
 * Finds a deleted database in a list that may be a few seconds old. If the result is `undefined`, the caller must
 * request the database, because it may have been deleted after the list was requested.
 */
export async function recentlyDeletedDatabase(
  id: string,
  context: PlatformContext,
): Promise<DeletedDatabaseRecord | undefined> {
  // A failure to load the list is ignored, because the list only saves requests.
  const recent = await recentlyDeletedDatabases(context).catch(unlessRefused);
  return recent?.isCurrent(id) ? recent.items.get(id) : undefined;
}

function recentlyDeletedDatabases(context: PlatformContext) {
  const load = async () => {
    const records = await readEveryDeletedDatabase(context);
    return new Map(records.map((record) => [record.DbId, record]));
  };
  return context.platform.lists.get("deletedDatabases", load, "seconds");
}

/** Returns the deleted databases of a group, whether or not they were deleted together with it. */
export async function deletedDatabasesIn(
  groupId: string,
  context: PlatformContext,
  maxAge?: "seconds",
): Promise<readonly DeletedDatabaseRecord[]> {
  const records = maxAge
    ? [...(await recentlyDeletedDatabases(context)).items.values()]
    : await readEveryDeletedDatabase(context);
  return records.filter(({ group_id }) => group_id === groupId);
}

export const readEveryDeletedDatabase = async (context: PlatformContext): Promise<readonly DeletedDatabaseRecord[]> =>
  (await firstItems(eachDeletedDatabase(context))).items;

/**
 * Lists all deleted databases that can still be restored, page by page. A page is requested only after the previous
 * page has been processed.
 */
export async function* eachDeletedDatabase({
  platform: { api },
}: PlatformContext): AsyncGenerator<DeletedDatabaseRecord> {
  const fetch = (page: object) => api.listDeletedDatabases({ query: { deleted: "true", ...page } });
  for await (const { databases } of eachPage(fetch)) yield* databases;
}

/** Returns the object that was deleted: the database itself, or its group if both were deleted together. */
export const deletedDatabaseSubject = ({
  Name,
  DbId,
  group,
  group_id,
  deleted_at,
  group_deleted_at,
}: DeletedDatabaseRecord): DeletedSubject =>
  group_deleted_at
    ? { kind: "group", id: group_id, name: group, deletedAt: group_deleted_at }
    : { kind: "database", id: DbId, name: Name, deletedAt: deleted_at };

/** Returns whether a database returns with its group, which may have been restored and deleted again meanwhile. */
export const returnsWithGroup = ({ group_deleted_at }: DeletedDatabaseRecord, groupDeletedAt: string): boolean =>
  isSameInstant(group_deleted_at ?? undefined, groupDeletedAt);

const groupDeletedWith = ({ group_id, group_deleted_at }: DeletedDatabaseRecord): DeletedContainer | undefined =>
  group_deleted_at ? { type: "Group", id: group_id, deletedAt: group_deleted_at } : undefined;

/**
 * Returns the deleted databases with this name that can still be restored, or `undefined` if the credential or the plan
 * hides deleted databases. The list is requested once per update.
 */
export async function restorableDatabases(
  name: string,
  context: PlatformContext,
): Promise<readonly Restorable[] | undefined> {
  const records = await context.run.once("deleted databases", () =>
    readEveryDeletedDatabase(context).catch(unlessHidden),
  );
  return records
    ?.filter((record) => record.Name === name)
    .map((record) => ({ ...restorableObject(record.DbId, record.deleted_at), restoredWith: groupDeletedWith(record) }));
}
