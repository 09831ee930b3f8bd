import { type Failure, firstFailedCheck, refusalOfDeletion } from "../checks";
import type { AnyResource } from "../definition";
import { nounOf, titleOf } from "../phrases";
import { firstPreflightFailure } from "../preflight";
import type { Property } from "../property";
import { Refusal, unlessRefused } from "../refusal";
import { ownerInRun, type Run } from "../run";
import { assertSameAccount } from "./account";
import type { Comparison, Difference } from "./comparison";
import type { Context } from "./context";
import { createOnlyReuseWarnings } from "./create-only";
import {
  deletedWithReplaced,
  operationImpossible,
  RESTORE_BEFORE_REPLACEMENT,
  replacementByImport,
  replacementImpossible,
  replacementOfRestoredRefused,
  replacementPrevented,
  retainedUnderName,
} from "./messages";
import { isGeneratedName } from "./naming";
import { isFilledInArgument, isKnown, knownOf, type Properties, type State } from "./properties";
import { findTakenBack } from "./replaced-object";
import { importContradiction } from "./restore/messages";
import { canonicalResourceKey, resourceKey } from "./taken/taken";
import { isRestorationAnnounced } from "./warnings";

/**
 * The differences of a resource, and what replacing it would involve. Planning sends only read requests, shows no
 * warnings and records nothing.
 */
export interface ReplacementPlan {
  readonly differences: readonly Difference[];
  readonly deleteBeforeReplace: boolean;
  readonly warnings: readonly string[];
  /** Whether the replacement deletes a live object. */
  readonly deletes?: boolean;
  /** The object that the update manages again instead of creating a new one. */
  readonly takenBack?: Comparison | undefined;
  /** The reason why the replacement would fail, whichever credential is used. */
  readonly refusal?: Refusal;
  /** The reason why the replacement would fail with this credential. The preview only warns; the update fails. */
  readonly lack?: string;
}

interface DifferencesFromState {
  readonly differences: readonly Difference[];
  /**
   * Differences that require a replacement even if the live object matches the program, for example because the object
   * has expired.
   */
  readonly ended: readonly Difference[];
}

/**
 * Plans a replacement based on the live object, and checks whether the old object can be deleted and the new object
 * created.
 */
export async function planReplacement(
  comparison: Comparison,
  fromState: DifferencesFromState,
  context: Context,
): Promise<ReplacementPlan> {
  const { platform, run } = context;
  const { resource, id, state, news } = comparison;
  await assertSameAccount(state, context);
  const reading = await resource.read(id, platform, { known: state });
  const isPending = reading.status === "deleted" && run.mayBeDeletedAlready(resource, id);
  if (reading.status === "absent" || isPending)
    return { differences: fromState.differences, deleteBeforeReplace: false, warnings: [] };

  const live = comparison.with({ state: { ...state, ...reading.state } });
  const differences = [...live.differencesGiven(run.names), ...fromState.ended];
  const replaces = differences.some((difference) => difference.replaces);
  const plan = {
    differences,
    deleteBeforeReplace: replaces && keepsNameOrKey(live),
    warnings: [],
    deletes: replaces && reading.status === "live",
  };
  if (reading.status === "deleted") return { ...plan, refusal: replacementBeforeRestore(reading.message) };
  const refusal =
    replacementOfImport(live, differences, context) ??
    replacementWithOwner(live, differences, context) ??
    (replaces ? await replacementDeletedWithReferred(live, context) : undefined) ??
    (plan.deleteBeforeReplace ? replacementOfContents(live, context) : undefined) ??
    replacementMovedByImport(live, context) ??
    (replaces ? await replacementOfLive(live, state, context) : undefined);
  if (refusal) return { ...plan, refusal };
  const existing = comparison.with({ state: reading.state });
  const takenBack = replaces ? findTakenBack(live, context) : undefined;
  if (takenBack) return planTakingBack(existing, { ...plan, takenBack }, context);
  const losses = new Set<string>();
  for (const { property, replaces } of differences) {
    if (!replaces) continue;
    const wanted = isKnown(news[property.name]) ? news[property.name] : undefined;
    const replaced = {
      id,
      news,
      isDeletedFirst: plan.deleteBeforeReplace,
      title: titleOf(resource, state),
      now: live.state,
    };
    const loss = await property.lossByReplacing(wanted ?? undefined, { ...platform, ...replaced });
    if (loss !== undefined) losses.add(loss);
  }
  // The checks are skipped if only unknown values require a replacement, because these values may turn out to be
  // unchanged.
  if (!differences.some((difference) => difference.replaces && isKnown(news[difference.property.name])))
    return { ...plan, warnings: [...losses] };
  const failure = await firstFailedCheck(
    "diff",
    resource,
    { news, existing, gone: plan.deleteBeforeReplace ? id : undefined },
    context,
  );
  const warnings = [...losses, ...createOnlyReuseWarnings(comparison)];
  if (!failure) return { ...plan, warnings };
  return failure.isOfCredential
    ? { ...plan, warnings, lack: failure.reason }
    : { ...plan, refusal: refusalOfReplacement(comparison, differences, failure) };
}

function refusalOfReplacement(
  { resource, id, state, news }: Comparison,
  differences: readonly Difference[],
  { reason, toAllow, isOfDeletion }: Failure,
): Refusal {
  const replacing = differences.filter(({ replaces, property }) => replaces && property.isInput);
  const properties = [...new Set(replacing.map(({ property }) => property.name))];
  const replaced = { title: titleOf(resource, state), id, properties, reason };
  if (!isOfDeletion) return new Refusal("conflict", { answer: replacementImpossible(replaced) });
  const isRestorable = resource.softDeleted !== undefined;
  const facts = {
    ...replaced,
    kind: nounOf(resource),
    isRestorable,
    isSeeded: resource.properties.hasContent(news) || resource.bringsContent?.(news) === true,
  };
  return new Refusal("conflict", replacementPrevented({ ...facts, ...(toAllow === undefined ? {} : { toAllow }) }));
}

/** Plans to manage the old object of a replacement again, which creates nothing and deletes the new object. */
async function planTakingBack(existing: Comparison, plan: ReplacementPlan, context: Context): Promise<ReplacementPlan> {
  const { resource } = existing;
  const failure = await firstFailedCheck("deleteFailed", resource, { news: {}, existing }, context);
  if (!failure) return plan;
  return failure.isOfCredential
    ? { ...plan, lack: failure.reason }
    : { ...plan, refusal: refusalOfDeletion(resource, existing, failure) };
}

/**
 * Returns whether a replacement keeps the object's name or key. If so, the old object must be deleted before the new
 * object is created. Generated names change with every replacement.
 */
function keepsNameOrKey({ resource, news, state }: Comparison): boolean {
  if (resource.named && !isFilledInArgument(news, "name") && news.name === state.name) return true;
  const [next, now] = [resourceKey(resource, news), resourceKey(resource, state)];
  return (
    next !== undefined &&
    now !== undefined &&
    canonicalResourceKey(resource, next) === canonicalResourceKey(resource, now)
  );
}

/**
 * Returns an error that advises the user to restore the deleted object before replacing it.
 *
 * @param message Complete sentences that describe the deletion.
 */
const replacementBeforeRestore = (message: string): Refusal =>
  new Refusal("conflict", { answer: `${message} ${RESTORE_BEFORE_REPLACEMENT}` });

/**
 * Returns an error if the preview of this command has said that `pulumi up` restores the object, but somebody else has
 * restored it since, or if an interrupted replacement should have deleted the object, but it is live. If it was restored,
 * the engine would delete it again or, if the new object has the same name, fail to create the new object. If it was
 * never deleted, because of the option `retainOnDelete`, only its name is in the way.
 *
 * @param recordedState The state that the last update has recorded.
 */
async function replacementOfLive(
  live: Comparison,
  recordedState: State,
  context: Context,
): Promise<Refusal | undefined> {
  const { platform, run } = context;
  const { resource, id, state } = live;
  const isAnnounced = isRestorationAnnounced(resource, id, context);
  if (!resource.softDeleted || !(isAnnounced || run.mayBeDeletedAlready(resource, id))) return undefined;
  const [kind, title] = [nounOf(resource), titleOf(resource, state)];
  const tried = operationImpossible({ operation: "replace", object: `${title} (${id})` });
  const isRestored =
    isAnnounced ||
    state.name !== recordedState.name ||
    (await resource.softDeleted.wasRestored?.(id, state, platform).catch(unlessRefused));
  if (isRestored) return new Refusal("conflict", { tried, ...replacementOfRestoredRefused({ kind }) });
  if (!keepsNameOrKey(live)) return undefined;
  return new Refusal("conflict", { tried, ...retainedUnderName({ kind, name: String(state.name) }) });
}

/**
 * Returns an error if the object would be deleted only because its container is deleted before the new container is
 * created. The engine deletes resources that depend on the container by an output before the container, and before the
 * program declares them.
 */
function replacementWithOwner(
  { resource, id, state, news }: Comparison,
  differences: readonly Difference[],
  { platform, run }: Context,
): Refusal | undefined {
  const owner = ownerInRun(resource, state, run);
  if (!owner?.isDeletedFirst || !resource.softDeleted || !run.resource(platform.urn).inputs) return undefined;
  const isKnownInput = ({ isInput, name }: Property) => isInput && isKnown(news[name]);
  if (differences.some(({ property, replaces }) => replaces && isKnownInput(property))) return undefined;
  const inside = `${titleOf(resource, state)} (${id})`;
  const kind = nounOf(owner);
  return new Refusal("conflict", {
    tried: operationImpossible({ operation: "replace", object: `${kind} ${owner.id}` }),
    ...deletedWithReplaced({ kind, inside }),
  });
}

/**
 * Returns an error if the object would be deleted because something to which it refers is deleted first, and the new
 * object could then not be created. The engine asks that before the program declares the resource, and compares the new
 * object with nothing.
 */
async function replacementDeletedWithReferred(
  { resource, id, state, news }: Comparison,
  { platform, run }: Context,
): Promise<Refusal | undefined> {
  if (!resource.bringsContent?.(news)) return undefined;
  const isDeclared = run.resource(platform.urn).inputs !== undefined;
  if (isDeclared && !ownerInRun(resource, state, run)?.isDeletedFirst) return undefined;
  const failure = await firstPreflightFailure(() =>
    resource.checks?.create?.(knownOf(news), { ...platform, replaced: { id, state }, isDeletedFirst: true }),
  );
  if (!failure || failure.isOfCredential) return undefined;
  const tried = operationImpossible({ operation: "replace", object: `${titleOf(resource, state)} (${id})` });
  return new Refusal("conflict", { tried, answer: failure.reason });
}

/** Returns an error if the program still declares what would be deleted with the old object. */
function replacementOfContents({ resource, id, state }: Comparison, { run }: Context): Refusal | undefined {
  const { inUseInside } = run.object(resource.type, id);
  if (inUseInside === undefined) return undefined;
  return new Refusal("conflict", {
    tried: operationImpossible({ operation: "replace", object: `${titleOf(resource, state)} (${id})` }),
    ...deletedWithReplaced({ kind: nounOf(resource), inside: inUseInside }),
  });
}

/** Returns an error if the program's arguments would replace an object that this update imports. */
function replacementOfImport(
  { resource, id, state, news }: Comparison,
  differences: readonly Difference[],
  { run }: Context,
): Refusal | undefined {
  const found = differences.find(({ replaces, property }) => replaces && isKnown(news[property.name]));
  if (!found || !run.imports.has(run.object(resource.type, id))) return undefined;
  const difference = found.property.difference({ state, news });
  return new Refusal("conflict", importContradiction({ title: titleOf(resource, state), id, difference }));
}

/**
 * Returns an error if a resource would be replaced only because the program refers to a container that this or an
 * earlier update imported. The replacement would delete the object. Types that cannot be restored hold no data, and are
 * not checked.
 */
function replacementMovedByImport({ resource, id, state, news }: Comparison, { run }: Context): Refusal | undefined {
  const owner = resource.inside;
  if (!owner || !resource.softDeleted) return undefined;
  if (run.inStack(resource.type, id)) return undefined;
  const from = state[owner.by];
  const [property, to] = importedOwnerOfReplacement(resource, news, run) ?? [];
  if (property === undefined || to === from) return undefined;
  return new Refusal("conflict", {
    tried: operationImpossible({ operation: "replace", object: `${titleOf(resource, state)} (${id})` }),
    ...replacementByImport({
      kind: nounOf(resource),
      moved: { kind: nounOf(owner), from: String(from), to: String(to) },
      property,
    }),
  });
}

/**
 * Finds an argument whose value is the id or name of an imported object that can contain the resource. Returns the
 * argument's name, and the id of that object.
 */
function importedOwnerOfReplacement(
  resource: AnyResource,
  news: Properties,
  run: Run,
): readonly [property: string, id: string] | undefined {
  const { inside } = resource;
  if (!inside) return undefined;
  for (const [property, value] of Object.entries(news)) {
    if (isGeneratedName(resource, property) || typeof value !== "string") continue;
    const candidates = [
      run.object(inside.type, inside.canonicalId?.(value) ?? value),
      ...run.named(inside.type, value),
    ];
    const owner = candidates.find(({ importedAs }) => importedAs);
    if (owner) return [property, owner.id];
  }
  return undefined;
}
