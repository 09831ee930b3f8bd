import type { z } from "zod";
import { Absent, Deleted, type ReadContext } from "../../../kit/resource";
import type { Author } from "../../facts";
import type { Platform, PlatformContext } from "../../platform";
import { deletedBy } from "../authors";
import { type DeletedRecord, deletedSubject, findDeletedDatabase, recentlyDeleted } from "../deleted-databases";
import { assertSeesGroup } from "../group/reference";
import { objectNotFound, restorableUnseen } from "../messages";
import {
  type AmongDeleted,
  adviceForHidden,
  hiddenDeletion,
  isRecoveryDisabled,
  restorableUntil,
} from "../restoration";
import { databaseDeleted } from "./messages";
import { type LiveRecord, type Parent, recentlyListed, retrieve, shownOf } from "./records";

/** What the stack has recorded of a database. */
interface Recorded {
  readonly name: string;
  readonly groupId: string;
  readonly parent?: z.output<typeof Parent> | undefined;
  readonly deletedAt?: string | undefined;
}

export async function recallDatabase<Known extends Recorded>(id: string, context: ReadContext<Platform, Known>) {
  const found = await findRecently(id, context);
  return found && readingOf(id, found, context);
}

export async function readDatabase<Known extends Recorded>(id: string, context: ReadContext<Platform, Known>) {
  return readingOf(id, await findNow(id, context), context);
}

/**
 * The result of a database lookup: the live or deleted record, or the reason why deleted databases cannot be listed.
 */
interface Found extends AmongDeleted<DeletedRecord> {
  readonly live?: LiveRecord | undefined;
}

/**
 * Finds a database in lists that may be a few seconds old. A database that is missing from these lists may still exist,
 * so the caller must request the database itself.
 */
async function findRecently(id: string, context: PlatformContext): Promise<Found | undefined> {
  const { items, isCurrent } = await recentlyListed(context);
  const found = await items.list.look(() => items.byId.get(id));
  const live = found && isCurrent(id, found.Name) ? found : undefined;
  if (live) return { live };
  const deleted = await recentlyDeleted(id, context);
  return deleted && { deleted };
}

async function findNow(id: string, context: PlatformContext): Promise<Found> {
  const live = await retrieve(id, context);
  return live ? { live } : findDeletedDatabase(id, context);
}

/** Converts what was found of a database to what the platform shows of it. */
async function readingOf<Known extends Recorded>(
  id: string,
  { live, deleted, hidden }: Found,
  context: ReadContext<Platform, Known>,
) {
  const { known, platform } = context;
  if (live) return shownOf(live, context);
  if (deleted) {
    const { deleted_at: deletedAt, group_deleted_at } = deleted;
    const shown = { ...(await shownOf(deleted, context)), parent: known?.parent };
    // Without a recorded state, the database is being imported or looked up. Its deletion is then not drift, so the
    // message does not say who deleted the database.
    const by = known && (await databaseDeletedBy(deleted, context));
    const message = await describeDeletion(deleted, by, context);
    const also = { groupDeletedAt: group_deleted_at ?? undefined };
    return new Deleted({ shown, deletedAt, restorableUntil: restorableUntil(deletedAt), also, message });
  }
  assertSeesGroup(known?.groupId, context);
  const unseen = hidden && known && hiddenDeletion(known, context);
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
const describeDeletion = async (
  { Name, deleted_at, group_deleted_at }: DeletedRecord,
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
function databaseDeletedBy(record: DeletedRecord, context: PlatformContext): Promise<Author | undefined> {
  const subject = deletedSubject(record);
  return deletedBy(subject, subject.deletedAt, context);
}
