import type { z } from "zod";
import type { ReadContext } from "../../../kit/resource";
import { Absent, Deleted } from "../../../kit/results";
import type { Engine } from "../../../platform/values/engine";
import type { Platform, PlatformContext } from "../../platform";
import {
  type DeletedDatabaseRecord,
  deletedDatabaseSubject,
  findDeletedDatabase,
  recentlyDeletedDatabase,
} from "../deleted-databases";
import { deletionAuthor } from "../drift-authors";
import { assertGroupVisible } from "../group/reference";
import { objectNotFound } from "../messages";
import {
  adviceForHidden,
  type DeletedLookup,
  restorableUntil,
  restorationCondition,
  unseenDeletion,
} from "../restoration";
import { isCopyInterrupted } from "./kept-data";
import { type LiveDatabaseRecord, recentlyListedDatabases, retrieveLiveDatabase } from "./live-databases";
import { ITS_GROUP } from "./messages";
import { databaseStateOf, type Parent } from "./state";

/** The recorded state of a database, as far as it matters here. */
interface Recorded {
  readonly name: string;
  readonly groupId: string;
  readonly parent?: z.output<typeof Parent> | undefined;
  readonly engine?: Engine | undefined;
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
  if (live) {
    const shown = await databaseStateOf(live, context);
    const beingCopied = (await isCopyInterrupted(live, context)) || undefined;
    return { ...shown, engine: shown.engine ?? known?.engine, beingCopied };
  }
  if (deleted) {
    const { deleted_at: deletedAt, group_deleted_at } = deleted;
    const beingCopied = (await isCopyInterrupted(deleted, context)) || undefined;
    const shown = {
      ...(await databaseStateOf(deleted, context)),
      parent: known?.parent,
      engine: known?.engine,
      beingCopied,
    };
    const subject = deletedDatabaseSubject(deleted);
    return new Deleted(
      { ...shown, groupDeletedAt: group_deleted_at ?? undefined },
      {
        deletedAt,
        restorableUntil: restorableUntil(deletedAt),
        // Without a recorded state, the database is being imported or looked up. Its deletion is then not drift, so the
        // message does not say who deleted the database.
        by: known && (await deletionAuthor(subject, subject.deletedAt, context)),
        together: group_deleted_at ? ITS_GROUP : undefined,
        once: await restorationCondition(context),
      },
    );
  }
  assertGroupVisible(known?.groupId, context);
  const unseen = hidden && known && unseenDeletion(known, hidden, context);
  if (unseen) return new Deleted(known, unseen);
  const { organization, credential } = platform;
  const message = objectNotFound({
    kind: "database",
    id,
    organization: organization.slug,
    isKnown: known !== undefined,
    hiddenBecause: hidden?.reason,
    pinnedTo: credential.groupId,
  });
  return new Absent(message, {
    advice: hidden && adviceForHidden(hidden),
    isHidden: hidden?.isOfCredential === true || credential.groupId !== undefined,
  });
}
