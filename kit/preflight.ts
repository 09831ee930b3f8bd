import type { ResourceContext } from "./context";

/** The reason why the platform would refuse an operation, as determined by read requests. */
export interface PreflightFailure {
  /** A clause that can follow a colon in an error message. */
  readonly reason: string;
  /**
   * What the user must do to allow the deletion of an object, as an imperative clause that `pulumi up` then applies, for
   * example "set `isProtected: false`".
   */
  readonly toAllow?: string;
  /** Set if another credential may be allowed to run the operation. A preview then only warns, but the update fails. */
  readonly isOfCredential?: true;
  /** Merges a later failure of the same credential into this one. Absent if nothing can be added to the reason. */
  and?(later: PreflightFailure): PreflightFailure;
}

/** The reason why an operation would fail: a clause that can follow a colon, alone or with further facts. */
export type Refused = string | PreflightFailure | undefined;

/** A lifecycle step that can change an object on the platform. */
export type Step = "create" | "update" | "delete" | "restore";

/** The steps that Pulumi asks for, and the facts that are known before they run. */
export interface Work {
  readonly steps: readonly Step[];
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of the properties that the steps send to the platform. */
  readonly sets: readonly string[];
  /** Whether the new object replaces another one. If it is not given, it may. */
  readonly isReplacement?: boolean;
}

/** The permissions that a credential needs to work on the objects of one resource type. */
export interface Permissions<P> {
  /**
   * Returns a failure if the credential certainly lacks a permission. Sends no request.
   *
   * @param reads Whether reading the object is part of the work.
   */
  lacking(work: Work, reads: boolean, context: ResourceContext<P>): PreflightFailure | undefined;
}

/**
 * Runs checks in order. Returns the first failure that applies to every credential. If there is none, returns the first
 * failure that applies only to this credential, and adds what later checks report that the credential lacks.
 */
export async function firstPreflightFailure(
  ...checks: readonly (() => Promise<Refused> | Refused)[]
): Promise<PreflightFailure | undefined> {
  let lacking: PreflightFailure | undefined;
  for (const check of checks) {
    const refused = await check();
    const found = typeof refused === "string" ? { reason: refused } : refused;
    if (found && !found.isOfCredential) return found;
    lacking = found && lacking ? (lacking.and?.(found) ?? lacking) : (lacking ?? found);
  }
  return lacking;
}

export const preflightFailure = (reason: string | undefined): PreflightFailure | undefined =>
  reason === undefined ? undefined : { reason };

export const credentialPreflightFailure = (reason: string | undefined): PreflightFailure | undefined =>
  reason === undefined ? undefined : { reason, isOfCredential: true };

export const DELETION: Work = { steps: ["delete"], inputs: {}, sets: [] };

export const preflightWorkOfCreation = (inputs: Work["inputs"]): Work => ({
  steps: ["create"],
  inputs,
  sets: Object.keys(inputs),
});
