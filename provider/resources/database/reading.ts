import type { z } from "zod";
import { Absent, Deleted, type ReadContext } from "../../../kit/resource";
import type { Author } from "../../facts";
import type { Platform, PlatformContext } from "../../platform";
import {
  type DeletedDatabaseRecord,
  deletedDatabaseSubject,
  findDeletedDatabase,
  recentlyDeletedDatabase,
} from "../deleted-databases";
import { deletionAuthor } from "../drift-authors";
import { assertGroupVisible } from "../group/reference";
import { objectNotFound, restorableUnseen } from "../messages";
import {
  adviceForHidden,
  type DeletedLookup,
  hiddenRestorable,
  isRecoveryDisabled,
  restorableUntil,
} from "../restoration";
import { type LiveDatabaseRecord, recentlyListedDatabases, retrieveLiveDatabase } from "./live-databases";
import { databaseDeleted } from "./messages";
import { databaseStateOf, type Parent } from "./state";

/** The recorded state of a database, as far as it matters here. */
interface Recorded {
  readonly name: string;
  readonly groupId: string;
  readonly parent?: z.output<typeof Parent> | undefined;
  readonly deletedAt?: string | undefined;
}

export async function readDatabase<Known extends Recorded>(id: string, context: ReadContext<Platform, Known>) {
  const listed = context.maxAge && (await findDatabaseRecently(id, context));
  return databaseReading(id, listed ?? (await findDatabaseNow(id, context)), context);
}

/**
 * The result of a database lookup: the live or deleted record, or the reason why deleted databases cannot be listed.
 */
interface DatabaseLookup extends DeletedLookup<DeletedDatabaseRecord> {
  readonly live?: LiveDatabaseRecord | undefined;
}

/**
 * Finds a database in lists that may be a few seconds old. A database that is missing from these lists may still exist,
 * so the caller must request the database itself.
 */
async function findDatabaseRecently(id: string, context: PlatformContext): Promise<DatabaseLookup | undefined> {
  const { items, isCurrent } = await recentlyListedDatabases(context);
  const found = await items.list.look(() => items.byId.get(id));
  const live = found && isCurrent(id, found.Name) ? found : undefined;
  if (live) return { live };
  const deleted = await recentlyDeletedDatabase(id, context);
  return deleted && { deleted };
}

async function findDatabaseNow(id: string, context: PlatformContext): Promise<DatabaseLookup> {
  const live = await retrieveLiveDatabase(id, context);
  return live ? { live } : findDeletedDatabase(id, context);
}

/** Converts what was found of a database to what the platform shows of it. */
async function databaseReading<Known extends Recorded>(
  id: string,
  { live, deleted, hidden }: DatabaseLookup,
  context: ReadContext<Platform, Known>,
) {
  const { known, platform } = context;
  if (live) return databaseStateOf(live, context);
  if (deleted) {
    const { deleted_at: deletedAt, group_deleted_at } = deleted;
    const shown = { ...(await databaseStateOf(deleted, context)), parent: known?.parent };
    // Without a recorded state, the database is being imported or looked up. Its deletion is then not drift, so the
    // message does not say who deleted the database.
    const by = known && (await databaseDeletionAuthor(deleted, context));
    const message = await deletionMessage(deleted, by, context);
    const also = { groupDeletedAt: group_deleted_at ?? undefined };
    return new Deleted({ shown, deletedAt, restorableUntil: restorableUntil(deletedAt), also, message });
  }
  assertGroupVisible(known?.groupId, context);
  const unseen = hidden && known && hiddenRestorable(known, context);
  if (unseen) {
    const message = restorableUnseen({ kind: "database", name: known.name, id, hiddenBecause: hidden.reason });
    return new Deleted({ shown: known, restorableUntil: known.restorableUntil, ...unseen, message });
  }
  const { organization, credential } = platform;
  return new Absent({
    advice: hidden && adviceForHidden(hidden),
    isHidden: hidden?.isOfCredential === true || credential.groupId !== undefined,
    message: objectNotFound({
      kind: "database",
      id,
      organization: organization.slug,
      isKnown: known !== undefined,
      hiddenBecause: hidden?.reason,
      pinnedTo: credential.groupId,
    }),
  });
}

/** @param by Who deleted the database, or its group if both were deleted together. */
const deletionMessage = async (
  { Name, deleted_at, group_deleted_at }: DeletedDatabaseRecord,
  by: Author | undefined,
  context: PlatformContext,
): Promise<string> =>
  databaseDeleted({
    name: Name,
    deletedAt: deleted_at,
    restorableUntil: restorableUntil(deleted_at),
    isDeletedWithGroup: Boolean(group_deleted_at),
    by,
    isRecoveryDisabled: await isRecoveryDisabled(context),
  });

/** Returns who deleted a database, if the audit log proves it. */
function databaseDeletionAuthor(record: DeletedDatabaseRecord, context: PlatformContext): Promise<Author | undefined> {
  const subject = deletedDatabaseSubject(record);
  return deletionAuthor(subject, subject.deletedAt, context);
}
