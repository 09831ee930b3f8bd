import { assertReplaceChecks, firstFailedCheck, isFirstHalfOfReplacement, refusalOfDeletion } from "../checks";
import type { AnyResource } from "../definition";
import { explainForbiddenStep } from "../explain";
import { assertSameAccount } from "../lifecycle/account";
import { Comparison } from "../lifecycle/comparison";
import type { Context } from "../lifecycle/context";
import { listSettingsLeft, settingsLeft, withoutSettingsOfOthers } from "../lifecycle/lasting-settings";
import {
  deletedWithReplaced,
  deletionBesideImport,
  deletionSkipped,
  deletionUndecided,
  keptDespiteImport,
  noLongerManaged,
  notDeleted,
  stillDeclaredInside,
} from "../lifecycle/messages";
import { IMPORTED, type Properties, type State } from "../lifecycle/properties";
import {
  assertReplacementLive,
  explainReplacedKept,
  explainReplacedLeft,
  isReplacedEarlier,
  warnOfOneOfSeveral,
  warnOfReplacedDeletion,
} from "../lifecycle/replaced-object";
import { warningOfFinalDeletion } from "../lifecycle/warnings";
import { nounOf, titleOf } from "../phrases";
import { isRefusal, Refusal, unlessRefused } from "../refusal";
import { inUseInsideReplaced } from "../run";

interface DeleteRequest {
  readonly id: string;
  readonly state: State;
  /** The recorded inputs, if they are known. */
  readonly inputs?: Properties;
}

/** Deletes one object. Succeeds if the object is already deleted or no longer exists. */
export async function remove(resource: AnyResource, existing: DeleteRequest, context: Context): Promise<void> {
  context.run.recognizeDeleted(resource, context.platform.urn, existing.id);
  await assertDeletionDecided(resource, existing, context);
  try {
    await explainForbiddenStep(resource, "delete", context, () => deleteUnlessSpared(resource, existing, context));
  } catch (failure) {
    throw await explainReplacedLeft(resource, { inputs: {}, ...existing }, failure, context);
  }
}

/**
 * Refuses to delete an object if this update failed to take it over, to import it, or to create the object that replaces
 * another one of the resource. With `--continue-on-error`, the engine deletes nevertheless.
 */
async function assertDeletionDecided(
  resource: AnyResource,
  { id, state }: DeleteRequest,
  { platform, run }: Context,
): Promise<void> {
  const record = run.resource(platform.urn);
  const { takeover, isImportFailed } = run.object(resource.type, id);
  const isOlder = resource.softDeleted !== undefined && isReplacedEarlier(record, id);
  const isReplacementMissing = isOlder && record.lacksReplacement && takeover !== "done";
  if (takeover !== "begun" && !isImportFailed && !isReplacementMissing) return;
  const reading = await resource.read(id, platform, { known: state }).catch(unlessRefused);
  if (reading?.status === "absent") return;
  throw new Refusal("conflict", { tried: notDeleted({ title: titleOf(resource, state), id }), ...deletionUndecided() });
}

async function deleteUnlessSpared(resource: AnyResource, existing: DeleteRequest, context: Context): Promise<void> {
  const { platform, run } = context;
  const { id, state } = existing;
  const managed = run.resource(platform.urn);
  const object = run.object(resource.type, id);
  // The engine also deletes the old object of an interrupted replacement, with the provider that managed it then.
  if (object.takeover === "done") return;
  const left = settingsLeft(resource, { inputs: {}, ...existing }, context);
  if (left) {
    run.note({ step: "leave", resource, urn: platform.urn, inputs: {}, ...existing });
    await assertReplaceChecks(resource, id, context);
    listSettingsLeft(resource, id, left, context);
    return;
  }
  if (object.isInUse) {
    // If the program no longer requires an interrupted replacement, the new object can have the id of the old one.
    const isSame = managed.hasOtherObject && managed.comparisonUnlessReplaced?.id === id;
    if (!isSame && !run.mayBeDeletedAlready(resource, id))
      platform.warn(deletionSkipped({ title: titleOf(resource, state), id }));
    return;
  }
  const isImported = state[IMPORTED] === true && (managed.compared?.id ?? id) === id;
  run.note({ step: "delete", resource, urn: platform.urn, id, isImported });
  const { importedId = id } = managed;
  if (importedId !== id) return keepInsteadOfDeleting(resource, { id, state }, importedId, context);
  const held = { inputs: {}, ...existing };
  const kept = explainReplacedKept(resource, held, context);
  // An object that is deleted already is not kept, but its deletion may have been interrupted before its end.
  if (kept !== undefined && state.deletedAt === undefined) {
    platform.warn(kept);
    return;
  }
  assertReplacementLive(resource, held, context);
  await warnOfReplacedDeletion(resource, held, managed.hasOtherObject, context);
  await warnOfOneOfSeveral(resource, held, context);
  assertNotDeletedBesideImport(resource, { id, state }, context);
  await assertReplaceChecks(resource, id, context);
  const { container } = resource;
  if (!container) {
    await assertDeletesNothingInside(resource, { id, state }, context);
    return run.deletions.run(() => deleteDespiteLostResponse(resource, existing, context));
  }
  await assertSameAccount(state, context);
  // Waits for the deletions in progress. Ignores deletions of other containers, because two containers could otherwise
  // wait for each other.
  const full = await run.deletions.lookBetween(() => container.remaining(id, { ...platform, now: state }));
  if (full) throw new Refusal("conflict", { tried: notDeleted({ title: titleOf(resource, state), id }), answer: full });
  await assertDeletesNothingInside(resource, { id, state }, context);
  await deleteDespiteLostResponse(resource, existing, context);
}

/**
 * Keeps an object that the engine wants to delete only because an import put another object in its place. The engine
 * treats such an import as a replacement, even for a protected resource, but the user did not ask to delete anything.
 */
async function keepInsteadOfDeleting(
  resource: AnyResource,
  { id, state }: DeleteRequest,
  importedId: string,
  context: Context,
): Promise<void> {
  const { platform, run } = context;
  await assertSameAccount(state, context);
  const reading = await resource.read(id, platform, { known: state });
  if (reading.status === "absent") return;
  if (reading.status === "deleted")
    return platform.warn(noLongerManaged({ kind: nounOf(resource), id, deletion: reading.message }));
  const isDeclared = run.resource(platform.urn).inputs !== undefined;
  platform.warn(keptDespiteImport({ title: titleOf(resource, reading.state), id, importedId, isDeclared }));
}

/**
 * Refuses to delete an object if the same update imports another object of its type. The import may have replaced the
 * object in the stack by means of an alias. The provider cannot distinguish this case from the removal of the resource
 * from the program. If the resource was removed, the next update deletes the object.
 */
function assertNotDeletedBesideImport(
  resource: AnyResource,
  { id, state }: DeleteRequest,
  { platform, run }: Context,
): void {
  if (run.resource(platform.urn).inputs || state.deletedAt !== undefined) return;
  const imported = [...run.imports].filter(({ type }) => type === resource.type).map((object) => object.id);
  if (imported.length === 0) return;
  throw new Refusal("conflict", {
    tried: notDeleted({ title: titleOf(resource, state), id }),
    ...deletionBesideImport({ id, importedIds: imported }),
  });
}

/**
 * Refuses to delete a container while the program still declares objects in it. The container may have been removed from
 * the program by mistake, or be replaced before the engine comes to objects that refer to it by a literal name.
 */
async function assertDeletesNothingInside(
  resource: AnyResource,
  { id, state }: DeleteRequest,
  { platform, run }: Context,
): Promise<void> {
  const container = run.object(resource.type, id);
  const isReplaced = isFirstHalfOfReplacement(id, run.resource(platform.urn));
  const inside = isReplaced ? inUseInsideReplaced(container, run) : container.inUseInside;
  if (inside === undefined) return;
  // A container that was deleted outside of this update may be live again, because restoring an object can also restore
  // its container.
  if (state.deletedAt !== undefined && (await resource.read(id, platform, { known: state })).status !== "live") return;
  const kind = nounOf(resource);
  throw new Refusal("conflict", {
    tried: notDeleted({ title: titleOf(resource, state), id }),
    ...(isReplaced ? deletedWithReplaced({ kind, inside }) : stillDeclaredInside({ kind, inside })),
  });
}

async function deleteDespiteLostResponse(
  resource: AnyResource,
  existing: DeleteRequest,
  context: Context,
): Promise<void> {
  const { platform, run } = context;
  const { id, state } = existing;
  const deleted = () => run.note({ step: "deleted", resource, urn: platform.urn, id });
  await assertSameAccount(state, context);
  const warning = await warningOfFinalDeletion(resource, { id, state }, context);
  // Another resource may have imported the object during the requests of the checks.
  if (run.object(resource.type, id).isInUse)
    return platform.warn(deletionSkipped({ title: titleOf(resource, state), id }));
  if (warning !== undefined) platform.warn(warning);
  try {
    const now = withoutSettingsOfOthers(resource, { inputs: {}, ...existing });
    const record = run.resource(platform.urn);
    const isReplaced = record.hasOtherObject || isReplacedEarlier(record, id);
    await resource.delete(id, { ...platform, now, replacedBy: isReplaced ? record.inputs : undefined });
    deleted();
  } catch (cause) {
    const isLost = isRefusal(cause) && cause.uncertain;
    if (isLost || isRefusal(cause, "absent")) {
      // If the credential cannot see the object, the read throws an error, so that a hidden object is not mistaken for
      // a deleted one.
      const reading = await resource.read(id, platform, { known: state }).catch((unseen) => {
        throw isLost ? cause : unseen;
      });
      if (reading.status !== "live") return deleted();
    }
    const why = isRefusal(cause, "forbidden")
      ? await firstFailedCheck(
          "deleteFailed",
          resource,
          { news: {}, existing: new Comparison(resource, { id, state, oldInputs: {}, news: {} }) },
          context,
        ).catch(unlessRefused)
      : undefined;
    throw why ? refusalOfDeletion(resource, existing, why, cause) : cause;
  }
}
