import { isRefusal, Refusal } from "../../platform/client/refusal";
import { api, type Operation } from "../../platform/contract/api";
import type { Access } from "../../platform/contract/endpoint";
import type { ResourceContext } from "./context";
import { ORGANIZATION_LEVEL, organizationTokenNeeded, scopeMissing } from "./messages";

/** The reason why the platform would refuse an operation, found by read requests. */
export interface PreflightFailure {
  /** A clause that can follow a colon. */
  readonly reason: string;
  /** Another credential may be allowed to run the operation, so a preview only warns and the update refuses. */
  readonly isOfCredential?: true;
}

/**
 * Returns the first failure that applies to every credential; without one, the first failure that applies to this
 * credential.
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

/** Finds what a group-scoped token lacks for an operation (§5 rules 5 and 7). Scopes do not limit other tokens. */
export function credentialLacks(operation: Operation, { credential }: ResourceContext): PreflightFailure | undefined {
  if (credential.groupId === undefined) return undefined;
  const what = ORGANIZATION_LEVEL[operation];
  if (what) return credentialFailure(organizationTokenNeeded(what, credential.groupId));
  const { scope }: Access = api[operation].access;
  return scope === undefined || credential.scopes?.includes(scope) ? undefined : credentialFailure(scopeMissing(scope));
}

/**
 * Runs the work of an operation.
 *
 * @throws Refusal that names what a group-scoped token lacks, when the platform forbids the operation to that token.
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
    // The inner refusal's message is used, because the outer one may add advice about a failed look-up of the
    // organization, which would not help here.
    const { message } = isRefusal(cause.cause) ? cause.cause : cause;
    throw new Refusal("forbidden", { tried: message, answer: why, cause });
  }
}
