import { isDeepStrictEqual } from "node:util";
import { nameInUseBy } from "../../../kit/messages";
import { type PreflightFailure, preflightFailure } from "../../../kit/preflight";
import { isRefusal, messageOf, Refusal, unlessAbsent, unlessRefused } from "../../../kit/refusal";
import type { CreateContext } from "../../../kit/resource";
import {
  type Configuration,
  type ConfigurationField,
  UNCONFIGURED,
} from "../../../platform/contract/configuration-fields";
import type { Platform, PlatformContext } from "../../platform";
import { assertWholeCopy } from "./content";
import { type Encryption, sameEncryption, wireEncryption } from "./encryption";
import { engineDiffers } from "./engine";
import {
  eachCopyOf,
  isListedAs,
  type LiveDatabaseRecord,
  retrieveLiveDatabase,
  retrieveLiveDatabaseNamed,
} from "./live-databases";
import {
  copyKeepsEncryption,
  copyLeft,
  copyNotFinished,
  copyNotSeen,
  copyUndone,
  KEPT_DATA_DELETED_FIRST,
  keptDataKeepsEngine,
  originalNotLive,
  rehearsalLeft,
  rehearsalNameTaken,
  writesAllowedAgain,
  writesAllowedMeanwhile,
  writesBlockedAlready,
} from "./messages";
import { withoutSecretsOf } from "./seed";
import { findTemporaryCopy, temporaryCopyName } from "./temporary-copies";

// With `keepData`, a replacement begins as a copy of the old database. From the copy on, writes to the old one are
// blocked, so that no acknowledged row is missing in the new one. Before that, a rehearsal copies it under a name made of
// its DbId: what the platform refuses, it refuses before anything is blocked, and as long as the rehearsal exists, the
// block is taken for the provider's. It is deleted after the old database, or when the copy is undone.

interface Encrypted {
  readonly encryption?: Encryption | undefined;
  readonly encryptionCipher?: string | undefined;
}

interface Wanted {
  readonly keepData?: boolean | undefined;
  readonly encryption?: Encryption | undefined;
  readonly engine?: string | undefined;
}

type Replacing<State> = Pick<CreateContext<Platform, State>, "replaced">;

/** Returns the reason why the new database cannot bring along the data. Sends read requests only. */
export async function keptDataFailure(
  wanted: Wanted,
  context: PlatformContext & Replacing<Encrypted> & { readonly isDeletedFirst: boolean },
): Promise<PreflightFailure | undefined> {
  const { replaced, isDeletedFirst } = context;
  if (!wanted.keepData || !replaced) return undefined;
  if (isDeletedFirst) return preflightFailure(KEPT_DATA_DELETED_FIRST);
  const { id, state } = replaced;
  const old = await retrieveLiveDatabase(id, context);
  if (!old) return preflightFailure(originalNotLive({ id }));
  const { Name: name, engine = "" } = old;
  const encryptionCipher = old.encryption_cipher ?? state.encryptionCipher;
  const isEncryptedAlike =
    wanted.encryption === undefined
      ? encryptionCipher === undefined
      : sameEncryption(wanted.encryption, state.encryption, { encryptionCipher });
  if (!isEncryptedAlike) return preflightFailure(copyKeepsEncryption({ name }));
  if (engineDiffers({ now: old, news: { ...wanted } })) return preflightFailure(keptDataKeepsEngine({ name, engine }));
  const rehearsal = await retrieveLiveDatabaseNamed(temporaryCopyName("keepData", id, context), context);
  if (rehearsal && rehearsal.parent?.id !== id)
    return preflightFailure(rehearsalNameTaken({ name: rehearsal.Name, id: rehearsal.DbId }));
  return preflightFailure(old.block_writes && !rehearsal ? writesBlockedAlready({ name, id }) : undefined);
}

interface Copy {
  readonly name: string;
  /** Name of the group. */
  readonly group: string;
  readonly encryption: Encryption | undefined;
}

/**
 * Creates a database with the data and the configuration of another one, to which nobody can write from then on. If that
 * fails, the other one accepts writes again.
 */
export async function createWithDataOf(
  { id }: { readonly id: string },
  wanted: Copy,
  context: PlatformContext,
): Promise<LiveDatabaseRecord> {
  const old = await retrieveLiveDatabase(id, context);
  if (!old) throw new Refusal("conflict", { answer: originalNotLive({ id }) });
  const rehearsal = await findRehearsal(id, context);
  if (old.block_writes && !rehearsal)
    throw new Refusal("conflict", { answer: writesBlockedAlready({ name: old.Name, id }) });
  const holder = await retrieveLiveDatabaseNamed(wanted.name, context);
  const begun = holder && old.block_writes && rehearsal && isBegun(holder, rehearsal, wanted) ? holder : undefined;
  if (holder && !begun)
    throw new Refusal("taken", { answer: nameInUseBy({ kind: "database", name: holder.Name, id: holder.DbId }) });
  if (!old.block_writes) {
    // The age of a rehearsal tells which copies were begun after the block.
    if (rehearsal) await deleteRehearsal(id, context);
    await rehearse(old, wanted, context);
  }
  const checked = async (made: LiveDatabaseRecord) => {
    await assertWholeCopy(old, made, wanted.encryption?.key, context);
    return finishCopy(old, made, context);
  };
  if (begun)
    return checked(begun).catch((failure: unknown) => {
      throw refusalOfCopy(failure, copyNotFinished({ cause: messageOf(failure), name: old.Name, id }));
    });
  let mayBeMade = false;
  try {
    await setWritesBlocked(old, true, context.platform.api);
    mayBeMade = true;
    const made = await copyDatabase(old, wanted, context).catch((failure: unknown) => {
      mayBeMade = isRefusal(failure) && failure.uncertain;
      throw failure;
    });
    return await checked(made);
  } catch (failure) {
    throw await undoCopy(old, mayBeMade ? wanted.name : undefined, { failure, context });
  }
}

/**
 * Copies the database and returns the copy, also if the response was lost.
 *
 * @throws Refusal that is uncertain if there may be a copy.
 */
export async function copyDatabase(
  { DbId, Name }: LiveDatabaseRecord,
  { name, group, encryption }: Copy,
  context: PlatformContext,
): Promise<LiveDatabaseRecord> {
  const lost = await context.platform.api
    .createDatabase({
      body: {
        name,
        group,
        seed: { type: "database", name: Name },
        ...(encryption && { remote_encryption: wireEncryption(encryption) }),
      },
    })
    .then(() => undefined)
    .catch(withoutSecretsOf({ encryption }))
    .catch((failure: unknown) => {
      if (isRefusal(failure) && failure.uncertain) return failure;
      throw failure;
    });
  const made = await retrieveLiveDatabaseNamed(name, context).catch((failure: unknown) => {
    throw new Refusal("unavailable", { answer: messageOf(failure), uncertain: true, cause: failure });
  });
  if (made?.parent?.id === DbId) return made;
  throw lost ?? new Refusal("unavailable", { answer: copyNotSeen({ name, origin: Name }), uncertain: true });
}

/** Copies the database under another name, to see whether the platform does, and with the same configuration. */
async function rehearse(old: LiveDatabaseRecord, wanted: Copy, context: PlatformContext): Promise<void> {
  try {
    const made = await copyDatabase(
      old,
      { ...wanted, name: temporaryCopyName("keepData", old.DbId, context) },
      context,
    );
    await finishCopy(old, made, context);
  } catch (failure) {
    if (!isRefusal(failure)) throw failure;
    // The name that is taken is that of the rehearsal.
    const kind = failure.kind === "taken" ? "conflict" : failure.kind;
    throw new Refusal(kind, { ...copyUndone({ cause: failure.message, name: old.Name }), cause: failure });
  }
}

/** Gives the copy the configuration of its source. */
export async function finishCopy(
  { Name }: LiveDatabaseRecord,
  made: LiveDatabaseRecord,
  { platform: { api } }: PlatformContext,
): Promise<LiveDatabaseRecord> {
  const configuration = await api.retrieveDatabaseConfiguration({ databaseName: Name });
  const body: Partial<Configuration> = Object.fromEntries(
    Object.entries(configuration).filter(
      ([name, value]) =>
        name !== "block_writes" &&
        name !== "delete_protection" &&
        !isDeepStrictEqual(value ?? undefined, UNCONFIGURED[name as ConfigurationField]),
    ),
  );
  if (made.block_writes) body.block_writes = false;
  if (Object.keys(body).length > 0) await api.updateDatabaseConfiguration({ databaseName: made.Name, body });
  return made;
}

/**
 * Deletes what this update has copied, and allows writes again.
 *
 * @param copyName Name of the copy, if there may be one.
 */
async function undoCopy(
  old: LiveDatabaseRecord,
  copyName: string | undefined,
  { failure, context }: { readonly failure: unknown; readonly context: PlatformContext },
): Promise<Refusal> {
  const { apiToUndo: api } = context.platform;
  const undoing = { ...context, platform: { ...context.platform, api } };
  try {
    const found = copyName === undefined ? undefined : await retrieveLiveDatabaseNamed(copyName, undoing);
    if (found?.parent?.id === old.DbId) await api.deleteDatabaseById({ databaseId: found.DbId });
    const live = await retrieveLiveDatabase(old.DbId, undoing);
    if (live) await setWritesBlocked(live, false, api);
  } catch (again) {
    unlessRefused(again);
    return refusalOfCopy(failure, copyNotFinished({ cause: messageOf(failure), name: old.Name, id: old.DbId }));
  }
  // A rehearsal that is left is shown by the next preview.
  await deleteRehearsal(old.DbId, undoing).catch(unlessRefused);
  return refusalOfCopy(failure, copyUndone({ cause: messageOf(failure), name: old.Name }));
}

/** Nothing is uncertain any more: what the requests have made was looked for. */
const refusalOfCopy = (failure: unknown, said: { readonly answer: string; readonly advice: string }): Refusal =>
  isRefusal(failure)
    ? new Refusal(failure.kind, { ...said, status: failure.status, code: failure.code, cause: failure })
    : new Refusal("unavailable", { ...said, cause: failure });

const setWritesBlocked = (
  { Name }: LiveDatabaseRecord,
  block_writes: boolean,
  api: Pick<Platform["api"], "updateDatabaseConfiguration">,
) => api.updateDatabaseConfiguration({ databaseName: Name, body: { block_writes } });

/** Returns whether the copy is newer than the rehearsal, and its source is blocked. Writes allowed in between are not seen. */
export async function canContinueCopy(
  id: string,
  found: string,
  wanted: Pick<Copy, "group" | "encryption">,
  context: PlatformContext,
): Promise<boolean> {
  const [rehearsal, copy, old] = await Promise.all([
    findRehearsal(id, context),
    retrieveLiveDatabase(found, context),
    retrieveLiveDatabase(id, context),
  ]);
  return Boolean(old?.block_writes && rehearsal && copy && isBegun(copy, rehearsal, wanted));
}

/** Returns whether the copy is one of the same database as the rehearsal, not older, and what the program wants. */
const isBegun = (
  { parent, group, encryption_cipher }: LiveDatabaseRecord,
  rehearsal: LiveDatabaseRecord,
  wanted: Pick<Copy, "group" | "encryption">,
): boolean =>
  parent?.id === rehearsal.parent?.id &&
  Date.parse(parent?.branched_at ?? "") >= Date.parse(rehearsal.parent?.branched_at ?? "") &&
  group === wanted.group &&
  (encryption_cipher ?? wanted.encryption?.cipher) === wanted.encryption?.cipher;

/** Returns whether an update that was to copy the database was interrupted. */
export async function isCopyInterrupted(
  { DbId, block_writes }: Pick<LiveDatabaseRecord, "DbId" | "block_writes">,
  context: PlatformContext & { readonly maxAge?: "seconds" | undefined },
): Promise<boolean> {
  const isListed =
    context.maxAge !== undefined && (await isListedAs(temporaryCopyName("keepData", DbId, context), context));
  return (block_writes === true || isListed) && (await findRehearsal(DbId, context, context.maxAge)) !== undefined;
}

/** Says what `endCopying` does. */
export const describeEndOfCopying = async (
  { id, name }: { readonly id: string; readonly name: string },
  context: PlatformContext,
): Promise<string> =>
  [writesAllowedAgain({ name, id }), ...(await describeLeftCopies(id, undefined, context))].join(" ");

/**
 * Describes the copies that an interrupted update has made, and that nothing manages.
 *
 * @param wanted Name of the copy with which this update goes on.
 */
export async function describeLeftCopies(
  id: string,
  wanted: string | undefined,
  context: PlatformContext,
): Promise<string[]> {
  const { parent: rehearsed } = (await findRehearsal(id, context)) ?? {};
  if (!rehearsed) return [];
  const begun = Date.parse(rehearsed.branched_at);
  const left: string[] = [];
  for await (const { DbId, Name, parent } of eachCopyOf(id, context)) {
    const isOther =
      Name !== wanted && Name !== temporaryCopyName("keepData", id, context) && !context.run.inStack("Database", DbId);
    if (isOther && parent && Date.parse(parent.branched_at) >= begun)
      left.push(copyLeft({ name: Name, id: DbId, origin: parent.name }));
  }
  return left;
}

/** Ends what an interrupted update has begun: allows writes again. */
export async function endCopying(id: string, context: PlatformContext): Promise<void> {
  const old = await retrieveLiveDatabase(id, context);
  if (old) await setWritesBlocked(old, false, context.platform.api);
  await deleteRehearsal(id, context);
}

async function deleteRehearsal(id: string, context: PlatformContext): Promise<void> {
  const rehearsal = await findRehearsal(id, context);
  if (rehearsal) await context.platform.api.deleteDatabaseById({ databaseId: rehearsal.DbId }).catch(unlessAbsent);
}

/**
 * Deletes a database, of which an update has made or begun a copy, and the rehearsal.
 *
 * @param isReplaced Whether another database has replaced it. Then nothing may have been written to it since its copy.
 */
export async function deleteOriginal(id: string, isReplaced: boolean, context: PlatformContext): Promise<void> {
  const rehearsal = await findRehearsal(id, context);
  const old = await retrieveLiveDatabase(id, context);
  if (isReplaced && old && !old.block_writes && (await hasCopyBesides(rehearsal?.DbId, id, context)))
    throw new Refusal("conflict", writesAllowedMeanwhile({ name: old.Name, id }));
  const { api } = context.platform;
  const absent = await api.deleteDatabaseById({ databaseId: id }).then(
    () => undefined,
    async (failure: unknown) => {
      // A repeated request may find nothing any more. The kit finds out what that means.
      if (!isRefusal(failure) || (await retrieveLiveDatabase(id, context))) throw failure;
      return failure;
    },
  );
  if (rehearsal)
    await api
      .deleteDatabaseById({ databaseId: rehearsal.DbId })
      .catch(unlessAbsent)
      .catch((failure: unknown) => {
        if (!isRefusal(failure)) throw failure;
        const left = rehearsalLeft({ id, name: rehearsal.Name, cause: failure.message });
        throw new Refusal("conflict", { ...left, cause: failure });
      });
  if (absent) throw absent;
}

async function hasCopyBesides(rehearsal: string | undefined, id: string, context: PlatformContext): Promise<boolean> {
  for await (const { DbId } of eachCopyOf(id, context)) if (DbId !== rehearsal) return true;
  return false;
}

const findRehearsal = (id: string, context: PlatformContext, maxAge?: "seconds") =>
  findTemporaryCopy("keepData", id, context, maxAge);
