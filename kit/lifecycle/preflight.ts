import { creationWouldFail, restoreWouldFail, updateWouldFail } from "../checks";
import { Refusal } from "../refusal";
import type { AnyResource } from "../resource/definition";
import { firstFailure, type PreflightFailure } from "../resource/preflight";
import { type Compared, changesInPlace, compare, isRestored } from "./compare";
import { assertSameAccount, type Context } from "./context";
import { chosenName } from "./inputs/filled-in";
import { nothingDeleted, operationImpossible, replacementLacksAccess, tokenLacksAccess } from "./messages";
import { isKnown, knownOf, nounOf, type Properties, shownDifference, thingOf, titleOf, traitsOf } from "./properties";
import { restoreContradiction } from "./restore/messages";
import { assertKeyFree, assertNameFree, keyOf } from "./taken/taken";
import { warnOfConsequence } from "./warnings";

/**
 * Throws an error if the operation would fail with every credential. Only warns if a different credential could
 * succeed, because previews often run with weaker credentials.
 */
function assertNoFailure(failure: PreflightFailure | undefined, tried: string, { platform }: Context): void {
  if (!failure) return;
  if (!failure.isOfCredential) throw new Refusal("conflict", { tried, answer: failure.reason });
  platform.warn(tokenLacksAccess(tried, failure.reason));
}

/**
 * Returns a failure if an argument makes it impossible to create the object.
 *
 * @param gone Id of the object that a replacement deletes first.
 */
export async function creationFailure(
  resource: AnyResource,
  args: Properties,
  { platform }: Context,
  gone?: string,
): Promise<PreflightFailure | undefined> {
  return firstFailure(
    ...Object.entries(args).map(([property, value]) => async () => {
      const found = isGiven(value)
        ? await traitsOf(resource, property).semantics?.preflight?.(value, platform, gone, args)
        : undefined;
      return found && { ...found, reason: `${found.property}: ${found.reason}` };
    }),
  );
}

/**
 * Called before an object is created. Throws an error if an argument cannot be used, if an object with the same key
 * exists, or if Diff found that this credential cannot replace the old object.
 */
export async function assertCreatable(resource: AnyResource, args: Properties, context: Context): Promise<void> {
  assertNothingLacks(context);
  const failure = await context.run.restorations.lookAgain(() => creationFailure(resource, args, context));
  if (failure) throw new Refusal("invalid", { answer: failure.reason });
  await assertKeyFree(resource, args, context);
}

/**
 * Called before a replacement deletes the old object. Throws an error if the new object could not be created (decision
 * 112).
 */
export async function assertReplaceable(resource: AnyResource, context: Context): Promise<void> {
  assertNothingLacks(context);
  const { platform, run } = context;
  const { created, inputs } = run.resource(platform.urn);
  // The deletion is the first half of a replacement if the program declares the resource, but has no new object yet.
  const wanted = created ? undefined : inputs;
  const failure =
    wanted &&
    (await run.restorations.lookAgain(() =>
      firstFailure(
        () => creationFailure(resource, wanted, context),
        () => creationWouldFail(resource, knownOf(wanted), platform),
      ),
    ));
  if (failure) throw new Refusal("conflict", { tried: nothingDeleted(nounOf(resource)), answer: failure.reason });
}

function assertNothingLacks({ run, platform }: Context): void {
  const { lack } = run.resource(platform.urn);
  // The error's kind must not be `forbidden`, because `explainForbidden` would mistake the error for a response from
  // the platform.
  if (lack !== undefined) throw new Refusal("conflict", replacementLacksAccess(lack.replaced, lack.reason));
}

/** Throws an error in a preview if `pulumi up` could not create the object. */
export async function assertPlannable(resource: AnyResource, args: Properties, context: Context): Promise<void> {
  const { platform } = context;
  const managed = context.run.resource(platform.urn);
  // Throws an error if the account or the credential is wrong.
  await context.home?.id();
  const unusable = await context.run.restorations.lookAgain(() => creationFailure(resource, args, context));
  if (unusable && !unusable.isOfCredential) throw new Refusal("invalid", { answer: unusable.reason });
  const key = keyOf(resource, args);
  // Skips the check if a replacement keeps the key, because the old object still exists during the preview.
  if (key !== undefined && managed.manages?.id !== key) await assertKeyFree(resource, args, context);
  const why = await context.run.restorations.lookAgain(() => creationWouldFail(resource, knownOf(args), platform));
  const failure = await firstFailure(
    () => unusable,
    () => why,
  );
  const { lack } = managed;
  if (failure && !(failure.isOfCredential && lack !== undefined))
    assertNoFailure(failure, operationImpossible("create", thingOf(resource, args)), context);
  if (lack !== undefined)
    assertNoFailure(
      { reason: lack.reason, isOfCredential: true },
      operationImpossible("replace", lack.replaced),
      context,
    );
  if (chosenName(args) !== undefined) await assertNameFree(resource, args, context);
}

const isGiven = (value: unknown): value is NonNullable<unknown> =>
  value !== undefined && value !== null && isKnown(value);

/**
 * Throws an error if read requests show that an update would fail, and warns about the update's side effects. Returns
 * whether this credential can run the update.
 */
export async function assertUpdatable(resource: AnyResource, compared: Compared, context: Context): Promise<boolean> {
  const { id, state, news } = compared;
  if (state.deletedAt === undefined) return assertChangeable(resource, compared, context);
  if (!isRestored(compared)) return false;
  await assertSameAccount(state, context);
  const why = await firstFailure(
    () => restoreWouldFail(resource, { id, state, args: knownOf(news) }, context.platform, "snapshot"),
    () => contradictionOf(resource, compared, context),
    () => failureAfterRestore(resource, compared, context),
  );
  if (!why) return true;
  // Skips the check if another resource or user has already restored the object.
  if ((await resource.read(id, undefined, "platform", context.platform)).status === "live") return true;
  assertNoFailure(why, operationImpossible("restore", `${titleOf(resource, state)} (${id})`), context);
  return false;
}

/** Returns a failure if the changes that the update makes to the restored object would fail. */
async function failureAfterRestore(
  resource: AnyResource,
  { id, state, ...compared }: Compared,
  { platform }: Context,
): Promise<PreflightFailure | undefined> {
  const live = { ...state, deletedAt: undefined };
  const changes = changesInPlace(resource, { ...compared, state: live });
  if (Object.keys(changes).length === 0) return undefined;
  return updateWouldFail(resource, { id, state: live, changes: knownOf(changes) }, platform);
}

async function assertChangeable(resource: AnyResource, compared: Compared, context: Context): Promise<boolean> {
  const { id, state } = compared;
  const changes = changesInPlace(resource, compared);
  if (Object.keys(changes).length === 0) return true;
  await assertSameAccount(state, context);
  const why = await updateWouldFail(resource, { id, state, changes: knownOf(changes) }, context.platform);
  assertNoFailure(why, operationImpossible("update", `${titleOf(resource, state)} (${id})`), context);
  await warnOfConsequence(resource, { id, observed: state, changes: knownOf(changes) }, context);
  return !why;
}

/**
 * Returns a failure if the program differs from the deleted object in a way that prevents a restore. An object is
 * restored with the properties that it had when it was deleted. Few of these properties can be changed during the
 * restore.
 */
export function contradictionOf(
  resource: AnyResource,
  compared: Compared,
  { run }: Context,
): PreflightFailure | undefined {
  const { state, news } = compared;
  const live = { ...state, deletedAt: undefined };
  for (const { property, replaces } of compare(resource, { ...compared, state: live }, run.names)) {
    const canBeRenamed = property === "name" && resource.restorable?.renames;
    // Skips properties that can change without a replacement, and properties whose old or new value is unknown.
    if (!replaces || canBeRenamed || state[property] === undefined || !isKnown(news[property])) continue;
    return { reason: restoreContradiction(shownDifference(resource, property, { state, news })) };
  }
  return undefined;
}
