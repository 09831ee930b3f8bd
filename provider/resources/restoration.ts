import { credentialPreflightFailure, type PreflightFailure, preflightFailure } from "../../kit/preflight";
import { isRefusal } from "../../kit/refusal";
import type { DeletionTimes } from "../../kit/resource";
import type { Deletion, Restorable } from "../../kit/results";
import { FREE_PLAN } from "../../platform/contract/organization";
import { RECOVERY_WINDOW_MS } from "../../platform/contract/recovery";
import { PLAN_REFUSAL } from "../../platform/contract/schemas";
import type { AuditSubject } from "../client/audit-log/acts";
import { lastDeletionOf, restorationOf } from "../client/audit-log/authors";
import { unlessHidden } from "../client/credential";
import type { PlatformContext } from "../platform";
import {
  ADMIN_TO_RESTORE,
  CREDENTIAL_HIDES_DELETED,
  planHasNoRecovery,
  planHidesDeleted,
  RECOVERY_ENABLED,
  RECOVERY_PERIOD,
  recoveryDisabledByUpdate,
  recoveryDisabledIn,
  restorePeriodOver,
  restoreUnseen,
  UPGRADE_TO_RESTORE,
} from "./messages";

/** Options of a resource that is deleted softly. */
export const deletion = {
  restorableUntil: ({ platform: { clock } }: PlatformContext) => restorableUntil(new Date(clock.now()).toISOString()),
  describe: {
    deletedAt:
      "Time of the deletion (RFC 3339). If the plan or the token hides deleted objects, the time at which the object was first found missing. Present only while the object is deleted; the next update restores it.",
  },
};

/** Returns the id of a deleted object, its deletion time, and the time until which it can be restored. */
export const restorableObject = (id: string, deletedAt: string): Restorable => ({
  id,
  deletedAt,
  restorableUntil: restorableUntil(deletedAt),
});

/** Returns the time until which a deleted object can be restored: five days after it was deleted (§3). */
export const restorableUntil = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + RECOVERY_WINDOW_MS).toISOString();

export interface RecoveryTime extends Pick<Restorable, "deletedAt" | "restorableUntil"> {
  readonly secondsLeft: number;
}

/**
 * Returns when an object was deleted, and how long it can still be restored. Uses the platform's clock, because the
 * platform decides whether a restore is still possible.
 */
export function recoveryTimeOf(deletedAt: string, { platform: { clock } }: PlatformContext): RecoveryTime {
  const until = restorableUntil(deletedAt);
  // The result is rounded to seconds, because the platform's clock is accurate only to the second.
  const left = Math.round((Date.parse(until) - clock.now()) / 1000);
  return { deletedAt, restorableUntil: until, secondsLeft: Math.max(0, left) };
}

/** The result of looking for a deleted object: its record, or the reason why deleted objects are hidden. */
export interface DeletedLookup<Found> {
  readonly deleted?: Found;
  readonly hidden?: PreflightFailure;
}

/**
 * Looks for a deleted object. If the plan or the credential hides deleted objects, returns the reason. Rethrows any
 * other error.
 */
export async function restorableOrHidden<Found>(
  look: () => Promise<Found | undefined>,
  { platform: { organization } }: PlatformContext,
): Promise<DeletedLookup<Found>> {
  try {
    const deleted = await look();
    return deleted === undefined ? {} : { deleted };
  } catch (cause) {
    if (!isRefusal(cause, "forbidden")) throw cause;
    const hidden =
      cause.code === PLAN_REFUSAL
        ? preflightFailure(planHidesDeleted({ organization: organization.slug }))
        : credentialPreflightFailure(CREDENTIAL_HIDES_DELETED);
    return hidden ? { hidden } : {};
  }
}

/**
 * Returns what is known of the deletion of a missing object that may be restorable, although the plan or the credential
 * hides deleted objects. Returns `undefined` once the five-day restore window has certainly passed (§3).
 */
export function unseenDeletion(
  { deletedAt, restorableUntil: until }: DeletionTimes,
  { reason: because }: PreflightFailure,
  { platform: { clock } }: PlatformContext,
): Deletion | undefined {
  // The object cannot have been deleted after the time at which it was first found missing.
  const missingSince = deletedAt ?? new Date(clock.now()).toISOString();
  return clock.now() > Date.parse(restorableUntil(missingSince))
    ? undefined
    : { deletedAt: missingSince, restorableUntil: until, unseen: { period: RECOVERY_PERIOD, because } };
}

/** Returns advice for a user whose plan or credential hides deleted objects. */
export const adviceForHidden = ({ isOfCredential }: PreflightFailure): string =>
  isOfCredential ? ADMIN_TO_RESTORE : UPGRADE_TO_RESTORE;

/** Returns a failure if the object is no longer in the list of deleted objects (§3), or if that list is hidden. */
export function restorationWindowFailure(
  kind: "database" | "group",
  id: string,
  { deleted, hidden }: DeletedLookup<unknown>,
): PreflightFailure | undefined {
  if (hidden)
    return {
      ...hidden,
      reason: restoreUnseen({ kind, hiddenBecause: hidden.reason, advice: adviceForHidden(hidden) }),
    };
  return preflightFailure(deleted ? undefined : restorePeriodOver({ kind, id }));
}

/**
 * Returns a failure if restoring is disabled in the organization (§7).
 *
 * @param maxAge If given, the organization's record is used as this run has received it.
 */
export async function recoveryDisabled(
  { platform: { api, organization }, run }: PlatformContext,
  maxAge?: "seconds",
): Promise<PreflightFailure | undefined> {
  if (organization.plannedRecovery) return undefined;
  const known = maxAge && (await organization.known());
  const record =
    known ?? (await run.once("organization", () => api.retrieveOrganization().catch(unlessHidden)))?.organization;
  return preflightFailure(
    record?.restore_enabled === false ? recoveryDisabledIn({ organization: organization.slug }) : undefined,
  );
}

/**
 * Returns the reason why nothing can be restored in the organization after this run (§3, §8), or `undefined` if restoring
 * is possible. Also returns `undefined` if the credential may not read the organization.
 */
export async function recoveryUnavailable(context: PlatformContext): Promise<string | undefined> {
  const { organization } = context.platform;
  const record = await organization.known();
  if (record?.plan_id === FREE_PLAN) return planHasNoRecovery({ organization: organization.slug });
  if (organization.plannedRecovery === false) return recoveryDisabledByUpdate({ organization: organization.slug });
  return (await isRecoveryDisabled(context)) ? recoveryDisabledIn({ organization: organization.slug }) : undefined;
}

/**
 * Returns whether recovery is known to be disabled. Used only for messages: unlike `recoveryDisabled`, it does not
 * request the organization's record again.
 */
async function isRecoveryDisabled({ platform: { organization } }: PlatformContext): Promise<boolean> {
  const record = await organization.known();
  return record?.restore_enabled === false && !organization.plannedRecovery;
}

/**
 * Returns the condition under which a deleted object can be restored, or `undefined` if it holds. Shorter than the reason
 * of `recoveryUnavailable`, because the engine repeats the sentence in each later row, and the preview refuses the
 * restoration with that reason anyway. A plan without recovery hides deleted objects, so it is no condition.
 */
export const restorationCondition = async (context: PlatformContext): Promise<string | undefined> =>
  (await isRecoveryDisabled(context)) ? RECOVERY_ENABLED : undefined;

/**
 * Returns whether an object may be live although its restoration has failed: somebody else may have restored it, or the
 * response may have been lost.
 */
export const mayBeRestored = (failure: unknown): boolean =>
  isRefusal(failure, "absent") || (isRefusal(failure) && failure.uncertain);

/** Returns a function that tells whether the audit log shows a restoration of an object of this kind. */
export const wasRestored =
  (kind: AuditSubject["kind"]) =>
  async (id: string, { name }: { readonly name: string }, { platform }: PlatformContext): Promise<boolean> =>
    (await platform.authorOf(restorationOf({ kind, id, name }))) !== undefined;

/**
 * Returns when the last object with this name was deleted, if it can no longer be restored and the audit log shows the
 * deletion.
 */
export async function unrestorableDeletionTime(
  kind: AuditSubject["kind"],
  name: string,
  { platform: { authorOf, clock } }: PlatformContext,
): Promise<string | undefined> {
  const deed = await authorOf(lastDeletionOf({ kind, name }));
  return deed && clock.now() > Date.parse(restorableUntil(deed.at)) ? deed.at : undefined;
}
