import type { AnyResource } from "./definition";
import { assertSameAccount } from "./lifecycle/account";
import { chosenNameArgument } from "./lifecycle/arguments";
import type { Comparison } from "./lifecycle/comparison";
import { type Context, creationContext } from "./lifecycle/context";
import {
  deletionPrevented,
  nothingDeleted,
  operationImpossible,
  replacementLacksAccess,
  tokenLacksAccess,
} from "./lifecycle/messages";
import { isKnown, knownOf, type Properties } from "./lifecycle/properties";
import { restoreContradiction } from "./lifecycle/restore/messages";
import { assertKeyNotTaken, assertNameNotTaken, resourceKey } from "./lifecycle/taken/taken";
import { warnOfConsequence } from "./lifecycle/warnings";
import { nounOf, titleOf, titlePhrase } from "./phrases";
import {
  DELETION,
  firstPreflightFailure,
  type PreflightFailure,
  preflightWorkOfCreation,
  type Work,
} from "./preflight";
import { Refusal } from "./refusal";
import { ownerInRun, type ResourceRecord } from "./run";

/**
 * When checks are asked: in the preview of a creation (`plan`), when Diff plans a replacement (`diff`), before the
 * request of a creation (`create`), before a replacement deletes the old object (`replace`), in the preview of a change
 * or a restoration (`update`, `restore`), and after the platform has refused a request (`…Failed`).
 */
type When = "plan" | "diff" | "create" | "replace" | "update" | "restore" | `${"create" | "delete" | "restore"}Failed`;

/** The steps that may succeed once the restorations in progress have ended. */
const WAITING: readonly When[] = ["plan", "diff", "create", "replace"];

/** The facts that a step gives to its checks. */
interface Asked {
  /** The arguments in the program. Their values may be unknown. */
  readonly news: Properties;
  /** The object that the step changes, restores or deletes. */
  readonly existing?: Comparison;
  /** Id of the object that a replacement deletes before it creates the new one. */
  readonly gone?: string | undefined;
}

export interface Failure extends PreflightFailure {
  /** The argument that cannot be used, if the failure is about one. */
  readonly property?: string;
  /** Set if the old object of a replacement cannot be deleted. */
  readonly isOfDeletion?: true;
}

/** Returns a failure that the step reports, or throws an error that needs no more words. */
type Check = (
  resource: AnyResource,
  asked: Asked,
  context: Context,
  when: When,
) => Promise<Failure | undefined> | Failure | undefined;

/**
 * All checks, in the order in which every step asks them. Only whether a name is free is asked later, by
 * `assertPlanChecks`.
 */
const CHECKS: readonly (readonly [check: Check, ...when: When[]])[] = [
  [replacementCheck, "create", "replace"],
  [restorationCheck, "restore", "restoreFailed"],
  [contradictionCheck, "restore"],
  [changeCheck, "restore", "update"],
  [argumentsCheck, "plan", "diff", "create", "replace"],
  [keyCheck, "plan", "create"],
  [creationCheck, "plan", "diff", "replace", "createFailed"],
  // Asked after the new object, so that a typo is not answered with advice to remove the protection of the old one.
  [deletionCheck, "diff", "deleteFailed"],
];

/** Returns the reason why a step would fail, or why it has failed. */
export async function firstFailedCheck(
  when: When,
  resource: AnyResource,
  asked: Asked,
  context: Context,
): Promise<Failure | undefined> {
  const checks = CHECKS.filter(([, ...steps]) => steps.includes(when));
  const look = () =>
    firstPreflightFailure(
      ...checks.map(
        ([check]) =>
          () =>
            check(resource, asked, context, when),
      ),
    );
  return WAITING.includes(when) ? context.run.restorations.stillFinds(look) : look();
}

/** Fails if Diff found that this credential cannot replace the old object. */
function replacementCheck(_: AnyResource, __: Asked, { run, platform }: Context): undefined {
  const { lackOfCredential } = run.resource(platform.urn);
  // The error's kind must not be `forbidden`, because `explainedRefusal` would mistake the error for a response
  // from the platform.
  if (lackOfCredential !== undefined)
    throw new Refusal(
      "conflict",
      replacementLacksAccess({ object: lackOfCredential.replaced, reason: lackOfCredential.reason }),
    );
}

function restorationCheck(resource: AnyResource, { existing, news }: Asked, { platform }: Context, when: When) {
  if (!existing) return undefined;
  const args = knownOf(news);
  const maxAge = when === "restore" ? "seconds" : undefined;
  return firstPreflightFailure(
    () => resource.softDeleted?.refused?.(existing.id, args, { ...platform, now: existing.state, maxAge }),
    () => resource.permissions?.lacking({ steps: ["restore"], inputs: args, sets: [] }, false, platform),
  );
}

/**
 * Fails if the program differs from the deleted object in a way that prevents a restore. An object is restored with the
 * properties that it had when it was deleted. Few of these properties can be changed during the restore.
 */
function contradictionCheck(resource: AnyResource, { existing }: Asked, { run }: Context): Failure | undefined {
  if (!existing) return undefined;
  const { state, news } = existing;
  const live = existing.with({ state: { ...state, deletedAt: undefined } });
  for (const { property, replaces } of live.differencesGiven(run.names)) {
    const { name } = property;
    const canBeRenamed = name === "name" && resource.softDeleted?.renames;
    // Skips properties that can change without a replacement, and properties whose old or new value is unknown.
    if (!replaces || canBeRenamed || state[name] === undefined || !isKnown(news[name])) continue;
    return { reason: restoreContradiction({ difference: property.difference(existing) }) };
  }
  return undefined;
}

/** Fails if the object, once it is live, cannot be changed to what the program wants. */
function changeCheck(resource: AnyResource, { existing }: Asked, { platform }: Context) {
  if (!existing) return undefined;
  const state = { ...existing.state, deletedAt: undefined };
  const wanted = existing.with({ state }).changes;
  if (Object.keys(wanted).length === 0) return undefined;
  const changes = knownOf(wanted);
  const work: Work = { steps: ["update"], inputs: { ...state, ...changes }, sets: Object.keys(changes) };
  return firstPreflightFailure(
    () => resource.checks?.update?.(existing.id, changes, { ...platform, now: state, inputs: knownOf(existing.news) }),
    () => resource.permissions?.lacking(work, false, platform),
  );
}

async function deletionCheck(
  resource: AnyResource,
  { existing }: Asked,
  { platform }: Context,
): Promise<Failure | undefined> {
  if (!existing) return undefined;
  const failure = await firstPreflightFailure(
    () => resource.checks?.delete?.(existing.id, { ...platform, now: existing.state }),
    () => resource.permissions?.lacking(DELETION, false, platform),
  );
  return failure && { ...failure, isOfDeletion: true };
}

function argumentsCheck(resource: AnyResource, { news, gone }: Asked, context: Context): Promise<Failure | undefined> {
  return firstPreflightFailure(
    ...Object.keys(news).map((name) => async () => {
      const found = await resource.properties.get(name).preflight(news, creationContext(context), gone);
      return found && { ...found, reason: `${found.property}: ${found.reason}` };
    }),
  );
}

/** Fails if another object has the requested key. */
async function keyCheck(resource: AnyResource, { news }: Asked, context: Context, when: When): Promise<undefined> {
  const { manages } = context.run.resource(context.platform.urn);
  // In a preview, the old object of a replacement still exists, and may have the same key.
  if (when === "plan" && manages?.id === resourceKey(resource, news)) return;
  await assertKeyNotTaken(resource, news, context, when === "plan");
}

function creationCheck(resource: AnyResource, { news, gone }: Asked, context: Context) {
  const args = knownOf(news);
  const { platform, run } = context;
  const { replaced } = creationContext(context);
  const owner = replaced && ownerInRun(resource, replaced.state, run);
  const isDeletedFirst = gone !== undefined || owner?.isDeletedFirst === true;
  return firstPreflightFailure(
    () => resource.checks?.create?.(args, { ...platform, replaced, isDeletedFirst }),
    () =>
      resource.permissions?.lacking(
        { ...preflightWorkOfCreation(args), isReplacement: replaced !== undefined },
        false,
        platform,
      ),
  );
}

/** Throws an error in a preview if `pulumi up` could not create the object. */
export async function assertPlanChecks(resource: AnyResource, args: Properties, context: Context): Promise<void> {
  // Throws an error if the account or the credential is wrong.
  await context.home?.id();
  const failure = await firstFailedCheck("plan", resource, { news: args }, context);
  if (failure?.property !== undefined && !failure.isOfCredential)
    throw new Refusal("invalid", { answer: failure.reason });
  const { lackOfCredential, isNameProposed } = context.run.resource(context.platform.urn);
  if (!(failure?.isOfCredential && lackOfCredential !== undefined))
    assertNoFailure(
      failure,
      operationImpossible({ operation: "create", object: titlePhrase(resource, args) }),
      context,
    );
  if (lackOfCredential !== undefined)
    warnOfFailedCheck(
      operationImpossible({ operation: "replace", object: lackOfCredential.replaced }),
      lackOfCredential.reason,
      context,
    );
  // A generated name is practically never in use, unless the user's own settings make it.
  if (chosenNameArgument(args) !== undefined || isNameProposed) await assertNameNotTaken(resource, args, context);
}

/** Returns the error that says why an object cannot be deleted, or could not be. */
export const refusalOfDeletion = (
  resource: AnyResource,
  { id, state }: Pick<Comparison, "id" | "state">,
  { reason, toAllow }: Failure,
  cause?: unknown,
): Refusal =>
  new Refusal("conflict", {
    ...deletionPrevented({
      title: titleOf(resource, state),
      id,
      reason,
      ...(toAllow === undefined ? {} : { toAllow }),
    }),
    cause,
  });

/** Called before an object is created. Throws an error if `CHECKS` find a reason why it cannot be created. */
export async function assertCreateChecks(resource: AnyResource, args: Properties, context: Context): Promise<void> {
  const failure = await firstFailedCheck("create", resource, { news: args }, context);
  if (failure) throw new Refusal("invalid", { answer: failure.reason });
}

type Declared = ResourceRecord & { readonly inputs: Properties };

/**
 * Returns whether the deletion of the resource's object is the first half of a replacement. It is if the program
 * declares the resource, but has no new object yet: not from this update, and not from an earlier one that could not
 * delete the old object.
 */
export function isFirstHalfOfReplacement(id: string, record: ResourceRecord): record is Declared {
  const { hasOtherObject, inputs, manages } = record;
  return inputs !== undefined && !hasOtherObject && (manages === undefined || manages.id === id);
}

/**
 * Called before an object is deleted. If the deletion is the first half of a replacement, throws an error if the new
 * object could not be created.
 */
export async function assertReplaceChecks(resource: AnyResource, id: string, context: Context): Promise<void> {
  const record = context.run.resource(context.platform.urn);
  const failure = isFirstHalfOfReplacement(id, record)
    ? await firstFailedCheck("replace", resource, { news: record.inputs, gone: id }, context)
    : replacementCheck(resource, { news: {} }, context);
  if (failure)
    throw new Refusal("conflict", { tried: nothingDeleted({ kind: nounOf(resource) }), answer: failure.reason });
}

/**
 * Throws an error if read requests show that an update would fail, and warns about the update's side effects. Returns
 * whether this credential can run the update.
 */
export async function assertUpdateChecks(comparison: Comparison, context: Context): Promise<boolean> {
  const { resource, id, state, news, changes } = comparison;
  if (state.deletedAt !== undefined) return assertRestoreChecks(comparison, context);
  if (Object.keys(changes).length === 0) return true;
  await assertSameAccount(state, context);
  const failure = await firstFailedCheck("update", resource, { news, existing: comparison }, context);
  assertNoFailure(
    failure,
    operationImpossible({ operation: "update", object: `${titleOf(resource, state)} (${id})` }),
    context,
  );
  await warnOfConsequence(resource, { id, observed: state, changes: knownOf(changes), inputs: knownOf(news) }, context);
  return !failure;
}

async function assertRestoreChecks(comparison: Comparison, context: Context): Promise<boolean> {
  const { resource, id, state, news } = comparison;
  if (!comparison.isRestored) return false;
  await assertSameAccount(state, context);
  const failure = await firstFailedCheck("restore", resource, { news, existing: comparison }, context);
  if (!failure) return true;
  // Skips the check if another resource or user has already restored the object.
  if ((await resource.read(id, context.platform)).status === "live") return true;
  assertNoFailure(
    failure,
    operationImpossible({ operation: "restore", object: `${titleOf(resource, state)} (${id})` }),
    context,
  );
  return false;
}

/**
 * Throws an error if the operation would fail with every credential. Only warns if a different credential could
 * succeed, because previews often run with weaker credentials.
 */
function assertNoFailure(failure: Failure | undefined, tried: string, context: Context): void {
  if (!failure) return;
  if (!failure.isOfCredential) throw new Refusal("conflict", { tried, answer: failure.reason });
  warnOfFailedCheck(tried, failure.reason, context);
}

/** After this many warnings with one reason, a run shows a last one. */
const SHOWN_LACKS = 3;

function warnOfFailedCheck(attempt: string, reason: string, { platform, run }: Context): void {
  const count = run.count(`lack ${reason}`);
  if (count <= SHOWN_LACKS) platform.warn(tokenLacksAccess({ attempt, reason }));
  else if (count === SHOWN_LACKS + 1) platform.warn(tokenLacksAccess({ attempt, reason, isLast: true }));
}

/** Returns the reason why the program contradicts the restore of a deleted object. Sends no request. */
export const failedContradictionCheck = (comparison: Comparison, context: Context): Failure | undefined =>
  contradictionCheck(comparison.resource, { news: comparison.news, existing: comparison }, context);
