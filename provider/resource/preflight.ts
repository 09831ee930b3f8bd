import { isRefusal, Refusal } from "../../platform/client/refusal";
import { api, type Operation } from "../../platform/contract/api";
import type { Access } from "../../platform/contract/endpoint";
import type { ResourceContext } from "./context";
import { ORGANIZATION_LEVEL, organizationTokenNeeded, scopeMissing } from "./messages";

/** The reason why the platform would refuse an operation, as far as read requests show. */
export interface PreflightFailure {
  /** A clause that can follow a colon in an error message. */
  readonly reason: string;
  /** Set if another credential may be allowed to run the operation. A preview then only warns, but the update fails. */
  readonly isOfCredential?: true;
}

/**
 * Runs checks in order and returns the first failure that applies to every credential. If there is none, returns the
 * first failure that applies only to this credential.
 */
export async function firstFailure(
  ...checks: readonly (() => Promise<PreflightFailure | undefined> | PreflightFailure | undefined)[]
): Promise<PreflightFailure | undefined> {
  let lacking: PreflightFailure | undefined;
  for (const check of checks) {
    const found = await check();
    if (found && !found.isOfCredential) return found;
    lacking ??= found;
  }
  return lacking;
}

export const preflightFailure = (reason: string | undefined): PreflightFailure | undefined =>
  reason === undefined ? undefined : { reason };

export const credentialFailure = (reason: string | undefined): PreflightFailure | undefined =>
  reason === undefined ? undefined : { reason, isOfCredential: true };

/**
 * Returns what a group-scoped token lacks for an operation (§5 rules 5 and 7). Other tokens are not limited by scopes.
 */
export function credentialLacks(operation: Operation, { credential }: ResourceContext): PreflightFailure | undefined {
  if (credential.groupId === undefined) return undefined;
  const what = ORGANIZATION_LEVEL[operation];
  if (what) return credentialFailure(organizationTokenNeeded(what, credential.groupId));
  const { scope }: Access = api[operation].access;
  return scope === undefined || credential.scopes?.includes(scope) ? undefined : credentialFailure(scopeMissing(scope));
}

/**
 * Runs an operation, and explains the platform's error if the operation is forbidden.
 *
 * @throws Refusal that names what the group-scoped token lacks.
 */
export async function explainForbidden<T>(
  operation: Operation,
  context: ResourceContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const why = isRefusal(cause, "forbidden") && credentialLacks(operation, context)?.reason;
    if (!why) throw cause;
    // The inner error's message is used, because the outer message may contain advice that would not help here.
    const { message } = isRefusal(cause.cause) ? cause.cause : cause;
    throw new Refusal("forbidden", { tried: message, answer: why, cause });
  }
}
