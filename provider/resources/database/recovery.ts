import { firstPreflightFailure, type PreflightFailure, preflightFailure } from "../../../kit/preflight";
import type { NowContext } from "../../../kit/resource";
import { restorableAfterDeletion } from "../../../kit/restorable";
import type { Engine } from "../../../platform/values/engine";
import { canonicalUuid } from "../../../platform/values/uuid";
import { rolePermissionFailure } from "../../permissions/permissions";
import type { Platform, PlatformContext } from "../../platform";
import { findDeletedDatabase } from "../deleted-databases";
import { groupsInRun, liveGroupThatGetsName } from "../group/live-groups";
import { deletion, recoveryDisabled, recoveryUnavailable, restorationWindowFailure } from "../restoration";
import { type Encryption, isEncryptionReplaced } from "./encryption";
import { engineDiffers } from "./engine";
import { describeLeftCopies } from "./kept-data";
import { retrieveLiveDatabaseNamed } from "./live-databases";
import {
  copiedByReplacement,
  dataCopied,
  dataLeftBehind,
  dataLeftBehindWithGroup,
  dataPossiblyLeftBehind,
  engineReplaced,
  groupDeletedLater,
  groupNamePlanned,
  groupNameReused,
  restoredDatabaseNameTaken,
  seededInstead,
} from "./messages";
import { findSeedOrigin, knownTexts } from "./seed-origin";

interface DeletedWith {
  readonly name: string;
  readonly groupId: string;
  readonly groupName: string;
  readonly groupDeletedAt?: string | undefined;
}

type Restoring = NowContext<Platform, DeletedWith> & { readonly maxAge: "seconds" | undefined };

/**
 * Returns the reason why the platform would refuse to restore a database (§4.1, §7). Sends read requests only.
 *
 * @param wanted The name that the database gets; `undefined` if it is not known yet.
 */
export const databaseRestoreFailure = (
  id: string,
  wanted: string | undefined,
  context: Restoring,
): Promise<PreflightFailure | undefined> =>
  firstPreflightFailure(
    () => restoredDatabaseNameFailure(wanted, context),
    async () => restorationWindowFailure("database", id, await findDeletedDatabase(id, context, context.maxAge)),
    () => restoredDatabaseGroupFailure(context.now, context),
    () => recoveryDisabled(context, context.maxAge),
    () => rolePermissionFailure("restoring", context),
  );

async function restoredDatabaseNameFailure(
  wanted: string | undefined,
  context: Restoring,
): Promise<PreflightFailure | undefined> {
  const { maxAge } = context;
  const { name, groupId, groupDeletedAt } = context.now;
  const holder = wanted === undefined ? undefined : await retrieveLiveDatabaseNamed(wanted, context, maxAge);
  if (wanted === undefined || holder === undefined) return undefined;
  // Restoring a group restores each database under its old name, unless another database has taken that name.
  const isBroughtBack =
    groupDeletedAt !== undefined && context.run.restoresWith({ type: "Group", id: groupId, deletedAt: groupDeletedAt });
  if (isBroughtBack && wanted !== name && !(await retrieveLiveDatabaseNamed(name, context, maxAge))) return undefined;
  return preflightFailure(restoredDatabaseNameTaken({ name: wanted, id: holder.DbId }));
}

/**
 * Returns a failure if the group of a deleted database prevents the restore. A deleted group is restored with the
 * database only if both were deleted together.
 */
async function restoredDatabaseGroupFailure(
  deleted: DeletedWith,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  const { run } = context;
  const { groupDeletedAt, groupId, groupName } = deleted;
  // `names` contains a deleted group only if this update restores the group.
  if (run.names.of("Group", groupId) !== undefined) return undefined;
  const groups = await groupsInRun(context);
  if (groups.some(({ uuid }) => uuid === groupId)) return undefined;
  if (groupDeletedAt === undefined) return preflightFailure(groupDeletedLater(deleted));
  const creator = run.plannedBy("Group", groupName);
  if (creator)
    return preflightFailure(groupNamePlanned({ ...deleted, urn: creator, isInStack: run.inStack("Group", groupId) }));
  const successor = liveGroupThatGetsName(groupName, groups, run.names);
  if (!successor) return undefined;
  const isPlanned = successor.name !== groupName;
  return preflightFailure(groupNameReused({ ...deleted, successor: successor.uuid, isPlanned }));
}

interface Recorded {
  readonly name: string;
  readonly groupId: string;
  readonly encryption?: Encryption | undefined;
  readonly encryptionCipher?: string | undefined;
  readonly engine?: Engine | undefined;
  readonly beingCopied?: boolean | undefined;
}

export type DatabaseReplacement = NowContext<Platform, Recorded> & {
  readonly id: string;
  readonly title: string;
  readonly isDeletedFirst: boolean;
  readonly news: Readonly<Record<string, unknown>>;
};

/** Returns a function that warns that a changed property replaces a database without its data. */
export const leavesDataBehind =
  (property: "name" | "group" | "engine") =>
  async (wanted: string | undefined, replaced: DatabaseReplacement): Promise<string | undefined> => {
    const { id, title, isDeletedFirst, run, now, news } = replaced;
    if (isEncryptionReplaced(replaced)) return undefined;
    const isKept = news.keepData === true && property !== "engine";
    const isWithGroup = wanted === undefined && property === "group" && run.replaces("Group", now.groupId);
    if (wanted === undefined && !isWithGroup)
      return dataPossiblyLeftBehind({
        title,
        property,
        seededFrom: property === "engine" ? undefined : isKept ? "keepData" : findSeedOrigin(replaced),
      });
    const until = await restorableAfterDeletion<PlatformContext>(
      { ...deletion, unavailable: recoveryUnavailable },
      replaced,
    );
    // A copy of the old one cannot have another engine, whatever else replaces it.
    if (property === "engine" || engineDiffers(replaced))
      return engineReplaced({ title, restorableUntil: until, isSeeded: news.seed !== undefined });
    const loss = { title, id, restorableUntil: until, isDeletedFirst };
    if (isKept) {
      const left = now.beingCopied ? await describeLeftCopies(id, String(news.name), replaced) : [];
      return [dataCopied(loss), ...left].join(" ");
    }
    if (news.seed === undefined) return isWithGroup ? dataLeftBehindWithGroup(loss) : dataLeftBehind(loss);
    const { database: source, timestamp: asOf } = knownTexts(news.seed);
    if (findSeedOrigin(replaced) === "itself") return copiedByReplacement({ title, restorableUntil: until, asOf });
    return seededInstead({ ...loss, source: source && (canonicalUuid(source) ?? `"${source}"`), asOf });
  };
