import { isRefusal, messageOf, Refusal, unlessAbsent, unlessRefused } from "../../../kit/refusal";
import type { PlatformContext } from "../../platform";
import type { Encryption } from "../database/encryption";
import { copyDatabase, finishCopy } from "../database/kept-data";
import { type LiveDatabaseRecord, retrieveLiveDatabaseNamed } from "../database/live-databases";
import { isTemporaryCopy, temporaryCopyName } from "../database/temporary-copies";
import {
  migrationRehearsalFailed,
  migrationRehearsalImpossible,
  migrationRehearsalLeft,
  migrationRehearsalNameTaken,
} from "./messages";

/**
 * Copies a database, does the work on the copy, and deletes the copy. A copy that an interrupted update has left is
 * deleted first.
 *
 * @throws Refusal after which the database itself is unchanged.
 */
export async function rehearse(
  database: LiveDatabaseRecord,
  encryptionKey: string | undefined,
  work: (copy: LiveDatabaseRecord) => Promise<void>,
  context: PlatformContext,
): Promise<void> {
  const { Name, DbId, group, encryption_cipher: cipher } = database;
  const name = temporaryCopyName("migrations", DbId, context);
  const existing = await retrieveLiveDatabaseNamed(name, context);
  if (existing && !isTemporaryCopy("migrations", existing, context))
    throw new Refusal("conflict", { answer: migrationRehearsalNameTaken({ name, id: existing.DbId }) });
  if (existing) await context.platform.api.deleteDatabaseById({ databaseId: existing.DbId }).catch(unlessAbsent);
  // What the platform refuses, it says itself.
  const encryption = cipher ? ({ cipher, key: encryptionKey } as Encryption) : undefined;
  const refuse = (say: typeof migrationRehearsalFailed) => (failure: unknown) => {
    if (!isRefusal(failure) || failure.kind === "cancelled") throw failure;
    throw new Refusal("conflict", { ...say({ name: Name, id: DbId, cause: failure.message }), cause: failure });
  };
  const copy = await copyDatabase(database, { name, group, encryption }, context).catch(async (failure) => {
    // A refused copy may have its name from another update, which still needs it.
    if (isRefusal(failure) && failure.uncertain) await deleteRehearsal(name, undefined, context);
    return refuse(migrationRehearsalImpossible)(failure);
  });
  try {
    await finishCopy(database, copy, context).catch(refuse(migrationRehearsalImpossible));
    await work(copy).catch(refuse(migrationRehearsalFailed));
  } finally {
    await deleteRehearsal(name, copy.DbId, context);
  }
}

/** Also after a cancellation. Without an id, the copy is found by its name. */
async function deleteRehearsal(
  name: string,
  id: string | undefined,
  { platform, warn, ...context }: PlatformContext,
): Promise<void> {
  const { apiToUndo: api } = platform;
  const undoing = { ...context, warn, platform: { ...platform, api } };
  try {
    const left = id === undefined ? await retrieveLiveDatabaseNamed(name, undoing) : undefined;
    const isOurs = left && isTemporaryCopy("migrations", left, undoing);
    const databaseId = id ?? (isOurs ? left.DbId : undefined);
    if (databaseId !== undefined) await api.deleteDatabaseById({ databaseId }).catch(unlessAbsent);
  } catch (failure) {
    unlessRefused(failure);
    warn(migrationRehearsalLeft({ name, cause: messageOf(failure) }));
  }
}
