import { isRefusal } from "../../../platform/client/refusal";
import { PLAN_REFUSAL } from "../../../platform/contract/error";
import type { ResourceContext } from "../../resource/context";
import { credentialFailure, type PreflightFailure, preflightFailure } from "../../resource/preflight";
import { callerOf, isAdmin, unlessHidden } from "./caller";
import { restorableUntil } from "./deletion";

/** A deleted object's record, or the reason why deleted objects cannot be seen. */
export interface AmongDeleted<Found> {
  readonly deleted?: Found;
  readonly hidden?: PreflightFailure;
}

/** Looks for a deleted object. The plan or the credential may hide deleted objects; any other failure is thrown. */
export async function amongDeleted<Found>(
  look: () => Promise<Found | undefined>,
  { organization }: ResourceContext,
): Promise<AmongDeleted<Found>> {
  try {
    const deleted = await look();
    return deleted === undefined ? {} : { deleted };
  } catch (cause) {
    if (!isRefusal(cause, "forbidden")) throw cause;
    const hidden =
      cause.code === PLAN_REFUSAL
        ? preflightFailure(
            `the plan of organization "${organization.slug}" neither shows nor restores deleted databases and groups`,
          )
        : credentialFailure("this credential may not see deleted databases and groups");
    return hidden ? { hidden } : {};
  }
}

/** State of an object that no longer exists and may be restorable, but this credential cannot list deleted objects. */
export interface Hidden {
  readonly deletedAt: string;
}

/**
 * Records when an object was first missing, which is the latest possible time of its deletion. Returns `undefined`
 * after the five days for a restore have certainly passed (§3).
 */
export function hiddenDeletion(
  known: { readonly deletedAt?: string | undefined },
  { clock }: ResourceContext,
): Hidden | undefined {
  const deletedAt = known.deletedAt ?? new Date(clock.now()).toISOString();
  return clock.now() > Date.parse(restorableUntil(deletedAt)) ? undefined : { deletedAt };
}

/** Returns the advice to give if deleted objects cannot be seen. */
export const adviceForHidden = ({ isOfCredential }: PreflightFailure): string =>
  `${isOfCredential ? "Use the organization-level API token of an admin or owner" : "Upgrade the plan"} within five days of the deletion and run \`pulumi up\` again`;

/** @param what For example `Database "orders" (<id>)`. */
export const describeHidden = (what: string, { reason }: PreflightFailure): string =>
  `${what} no longer exists. It may be restorable for five days after its deletion, but ${reason}.`;

/**
 * Returns why an object that is not live can no longer be restored (§3), or why deleted objects cannot be seen. Judged
 * by the result of a search among the deleted objects.
 */
export function windowPassed(what: string, { deleted, hidden }: AmongDeleted<unknown>): PreflightFailure | undefined {
  if (hidden)
    return {
      ...hidden,
      reason: `${hidden.reason}. ${adviceForHidden(hidden)}; or create an empty one instead: set the resource option \`replaceOnChanges: ["deletedAt"]\`, or with dynamic providers run \`pulumi up --replace <urn>\``,
    };
  return deleted
    ? undefined
    : preflightFailure(
        `the five days in which ${what} could be restored have passed: \`pulumi up --refresh\` creates an empty one (remove \`import\` first)`,
      );
}

/** Returns a failure if the organization has disabled restores (§7). */
export async function recoveryDisabled({
  client,
  organization,
  once,
}: ResourceContext): Promise<PreflightFailure | undefined> {
  const answer = await once("organization", () =>
    client.retrieveOrganization({ organizationSlug: organization.slug }).catch(unlessHidden),
  );
  return preflightFailure(
    answer?.organization.restore_enabled === false
      ? `recovery is disabled for organization "${organization.slug}": an admin or owner can enable it (restore_enabled)`
      : undefined,
  );
}

/** Returns a failure if the caller's role is too low for a restore (§5 rule 8). */
export async function roleTooLow(context: ResourceContext): Promise<PreflightFailure | undefined> {
  const caller = await context.once("caller", () => callerOf(context));
  return caller === undefined || isAdmin(caller)
    ? undefined
    : credentialFailure(
        `restoring needs an admin or owner of organization "${context.organization.slug}"; "${caller.username}" is a ${caller.role}`,
      );
}
