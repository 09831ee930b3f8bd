import type { Operation } from "../../platform/contract/api";
import { SCOPES, type Scope } from "../../platform/values/scope";
import type { Credential } from "../../provider/client/credential";
import { isRefusal, Refusal } from "../refusal";
import type { ResourceContext } from "./context";
import { ORGANIZATION_LEVEL, organizationTokenNeeded, scopesMissing } from "./messages";
import { scopeOf } from "./permissions";

/** The reason why the platform would refuse an operation, as determined by read requests. */
export interface PreflightFailure {
  /** A clause that can follow a colon in an error message. */
  readonly reason: string;
  /** Set if another credential may be allowed to run the operation. A preview then only warns, but the update fails. */
  readonly isOfCredential?: true;
  /** The scopes that the credential lacks. Set only if they are the reason for the failure. */
  readonly scopes?: readonly Scope[];
}

/**
 * Runs checks in order. Returns the first failure that applies to every credential. If there is none, returns the first
 * failure that applies only to this credential, and adds the missing scopes that later checks report.
 */
export async function firstFailure(
  ...checks: readonly (() => Promise<PreflightFailure | undefined> | PreflightFailure | undefined)[]
): Promise<PreflightFailure | undefined> {
  let lacking: PreflightFailure | undefined;
  for (const check of checks) {
    const found = await check();
    if (found && !found.isOfCredential) return found;
    lacking = found && lacking ? bothLacking(lacking, found) : (lacking ?? found);
  }
  return lacking;
}

/**
 * Merges two failures that apply only to this credential. Combines the missing scopes if both failures report scopes;
 * otherwise returns the first failure.
 */
function bothLacking(one: PreflightFailure, other: PreflightFailure): PreflightFailure {
  if (!one.scopes || !other.scopes || other.scopes.every((scope) => one.scopes?.includes(scope))) return one;
  return scopesLacking([...one.scopes, ...other.scopes]);
}

function scopesLacking(missing: readonly Scope[]): PreflightFailure {
  const scopes = SCOPES.filter((scope) => missing.includes(scope));
  return { reason: scopesMissing(...scopes), isOfCredential: true, scopes };
}

export const preflightFailure = (reason: string | undefined): PreflightFailure | undefined =>
  reason === undefined ? undefined : { reason };

export const credentialFailure = (reason: string | undefined): PreflightFailure | undefined =>
  reason === undefined ? undefined : { reason, isOfCredential: true };

/**
 * Returns a failure if a group-scoped token does not permit the operations (§5 rules 5 and 7). Other tokens are not
 * limited by scopes.
 */
export function credentialLacks(
  operations: Operation | readonly Operation[],
  { platform: { credential } }: ResourceContext<{ readonly credential: Credential }>,
): PreflightFailure | undefined {
  const { groupId, scopes: own = [] } = credential;
  if (groupId === undefined) return undefined;
  const all = [operations].flat();
  const impossible = all.map((operation) => ORGANIZATION_LEVEL[operation]).find((words) => words !== undefined);
  if (impossible) return credentialFailure(organizationTokenNeeded(impossible, groupId));
  const missing = all.map(scopeOf).filter((scope) => scope !== undefined && !own.includes(scope)) as Scope[];
  return missing.length === 0 ? undefined : scopesLacking(missing);
}

/**
 * Runs operations, and explains the platform's error if one of them is forbidden. The platform's error names only the
 * permission that the failed request requires.
 *
 * @throws Refusal that names all missing scopes, or says that no group-scoped token permits the operations.
 */
export async function explainForbidden<T>(
  operations: Operation | readonly Operation[],
  context: ResourceContext<{ readonly credential: Credential }>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const why = isRefusal(cause, "forbidden") && credentialLacks(operations, context)?.reason;
    if (!why) throw cause;
    // Uses the message of the inner error, because the outer message may contain advice that does not apply to missing
    // permissions.
    const { message } = isRefusal(cause.cause) ? cause.cause : cause;
    throw new Refusal("forbidden", { tried: message, answer: why, cause });
  }
}
