import { firstFailure, type PreflightFailure, preflightFailure } from "../../../kit/resource/preflight";
import type { Authorship } from "../../client/messages";
import type { PlatformContext } from "../../platform";
import { type DeletedRecord, deletedSubject, findDeletedDatabase, recentlyDeleted } from "../deleted-databases";
import { deletedBy, restorableUntil } from "../deletion";
import { isRecoveryDisabled, recoveryDisabled, restorerNotAdmin, windowPassed } from "../restoration";
import { databaseDeleted, groupDeletedLater, groupNamePlanned, groupNameReused, restoredNameTaken } from "./messages";

/** @param by Who deleted the database, or its group if both were deleted together. */
export const describeDeletion = async (
  { Name, deleted_at, group_deleted_at }: DeletedRecord,
  by: Authorship | undefined,
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
export function databaseDeletedBy(record: DeletedRecord, context: PlatformContext): Promise<Authorship | undefined> {
  const subject = deletedSubject(record);
  return deletedBy(subject, subject.deletedAt, context);
}

interface DeletedWith {
  readonly name: string;
  readonly groupId: string;
  readonly groupName: string;
  readonly groupDeletedAt?: string | undefined;
}

interface Wanted {
  readonly name?: string;
  readonly from: "platform" | "snapshot";
  /** Returns the DbId of the live database with this name. */
  readonly holderOf: (name: string) => Promise<string | undefined>;
}

/** Returns the reason why the platform would refuse to restore a database (§4.1, §7). Sends read requests only. */
export const databaseRestoreFailure = (
  id: string,
  deleted: DeletedWith,
  { name, from, holderOf }: Wanted,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> =>
  firstFailure(
    () => nameTaken(name, deleted, holderOf, context),
    async () => {
      const isListed = from === "snapshot" && (await recentlyDeleted(id, context)) !== undefined;
      return isListed ? undefined : windowPassed("database", id, await findDeletedDatabase(id, context));
    },
    () => groupMissing(deleted, context),
    () => recoveryDisabled(context, from === "snapshot" ? "seconds" : "now"),
    () => restorerNotAdmin(context),
  );

async function nameTaken(
  wanted: string | undefined,
  { name, groupId, groupDeletedAt }: DeletedWith,
  holderOf: Wanted["holderOf"],
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  const holder = wanted === undefined ? undefined : await holderOf(wanted);
  if (wanted === undefined || holder === undefined) return undefined;
  // Restoring a group restores each database under its old name, unless another database has taken that name.
  const isBroughtBack = groupDeletedAt !== undefined && context.run.restores("Group", groupId);
  if (isBroughtBack && wanted !== name && (await holderOf(name)) === undefined) return undefined;
  return preflightFailure(restoredNameTaken(wanted, holder));
}

/**
 * Returns a failure if the group of a deleted database prevents the restore. A deleted group is restored with the
 * database only if both were deleted together.
 */
async function groupMissing(
  deleted: DeletedWith,
  { platform: { organization }, run }: PlatformContext,
): Promise<PreflightFailure | undefined> {
  const { groupDeletedAt, groupId, groupName } = deleted;
  // `names` contains a deleted group only if this update restores the group.
  if (run.names.of("Group", groupId) !== undefined) return undefined;
  const groups = await run.once("groups", () => organization.groups());
  if (groups.some(({ uuid }) => uuid === groupId)) return undefined;
  if (groupDeletedAt === undefined) return preflightFailure(groupDeletedLater(deleted));
  const creator = run.planned("Group", groupName);
  if (creator) return preflightFailure(groupNamePlanned(deleted, creator, run.inStack("Group", groupId)));
  const successor = groups.find(({ uuid, name }) => (run.names.of("Group", uuid) ?? name) === groupName);
  return preflightFailure(successor && groupNameReused(deleted, successor.uuid));
}
