import { isRefusal, Refusal } from "../../platform/client/refusal";
import { api, type Operation } from "../../platform/contract/api";
import type { Access } from "../../platform/contract/endpoint";
import type { ResourceContext } from "./context";

/** Why the platform would refuse an operation, found out by reading. */
export interface PreflightFailure {
  /** A clause, which can follow a colon. */
  readonly reason: string;
  /** Another credential may do it, so a preview warns of it and only the update is refused. */
  readonly isOfCredential?: true;
}

/** The first failure that stops every credential, else the first one that stops this credential. */
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

/** Operations that are beyond every group-scoped token, as sentences name them. */
const ORGANIZATION_LEVEL: Partial<Record<Operation, string>> = {
  createGroup: "create groups",
  deleteGroup: "delete groups",
  restoreGroup: "restore groups",
  createApiToken: "mint API tokens",
  listApiTokens: "list API tokens",
  revokeApiToken: "revoke API tokens",
  listAuditLogs: "list audit logs",
  listDeletedGroups: "list deleted groups",
  retrieveOrganization: "read the organization's record",
};

/** Finds what a group-scoped token lacks for an operation (§5 rules 5 and 7). Other tokens are not limited by scopes. */
export function credentialLacks(operation: Operation, { credential }: ResourceContext): PreflightFailure | undefined {
  if (credential.groupId === undefined) return undefined;
  const what = ORGANIZATION_LEVEL[operation];
  if (what)
    return credentialFailure(
      `a group-scoped API token cannot ${what} (this one is pinned to group ${credential.groupId}); use an organization-level token`,
    );
  const { scope }: Access = api[operation].access;
  return scope === undefined || credential.scopes?.includes(scope)
    ? undefined
    : credentialFailure(`the API token lacks the scope \`${scope}\``);
}

/**
 * Does the work of an operation.
 *
 * @throws Refusal that names what a group-scoped token lacks, where the platform forbids the operation to it.
 */
export async function explainForbidden<T>(
  operation: Operation,
  platform: ResourceContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const why = isRefusal(cause, "forbidden") && credentialLacks(operation, platform)?.reason;
    if (!why) throw cause;
    // Advice for a failed look-up of the organization would not help.
    const { message } = isRefusal(cause.cause) ? cause.cause : cause;
    throw new Refusal("forbidden", { tried: message, answer: why, cause });
  }
}
