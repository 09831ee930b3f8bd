import type { AnyResource } from "../definition";
import { explainForbiddenStep } from "../explain";
import { assertSameAccountIfVisible } from "../lifecycle/account";
import { Comparison, type Difference, type Sides } from "../lifecycle/comparison";
import type { Context } from "../lifecycle/context";
import { createOnlyChangeWarnings } from "../lifecycle/create-only";
import { describeDrift, judgeDrift } from "../lifecycle/drift";
import { noteNextObject } from "../lifecycle/lasting-settings";
import { expired, expiresSoon } from "../lifecycle/messages";
import { isKnown } from "../lifecycle/properties";
import { planReplacement, type ReplacementPlan } from "../lifecycle/replace";
import { findTakenBack, warnOfReplacedEarlier } from "../lifecycle/replaced-object";
import { ownerDeleted } from "../lifecycle/restore/messages";
import { firstValueWarnings, warningOfFinalDeletion, warnOnceOfLeftDeleted } from "../lifecycle/warnings";
import { nounOf } from "../phrases";
import type { Property } from "../property";
import { unlessRefused } from "../refusal";
import { isPartOfRestored, ownerInRun, type Run } from "../run";
import { seen } from "../run-events";

export interface DiffAnswer {
  readonly differences: readonly Difference[];
  /** Whether to delete the old object first, because the new object needs its name. */
  readonly deleteBeforeReplace: boolean;
  /** Whether an update records something in the state, even if there are no differences. */
  readonly isRecorded?: boolean;
}

/**
 * Compares the program with the platform, property by property. The live object, not the recorded state, decides
 * whether a replacement is needed.
 *
 * @throws Refusal if the replacement would fail.
 */
export async function diff(resource: AnyResource, sides: Sides, context: Context): Promise<DiffAnswer> {
  const { platform, run } = context;
  const comparison = new Comparison(resource, run.sharing(resource, sides));
  await assertSameAccountIfVisible(comparison.state, context);
  run.recognizeCompared(resource, platform.urn, comparison.id);
  // The engine also calls Diff before it runs the program, so it is not certain yet that the program still declares the
  // resource.
  const isDeclared = run.resource(platform.urn).inputs !== undefined;
  const { id, oldInputs: inputs, state } = comparison;
  run.note({ step: "diff", resource, urn: platform.urn, id, inputs, state, isDeclared });
  const owner = isDeclared ? diffWarningOfDeletedOwner(comparison, run) : undefined;
  // Before the program runs, the restoration or the new name of the owner is not planned yet, so a renewal would be
  // refused.
  const expiry = isDeclared ? await diffWarningOfExpiry(comparison, context) : undefined;
  const planned = await planDiff(comparison, expiry !== undefined, context);
  const { refusal, lack, deletes, deleteBeforeReplace, takenBack } = planned;
  const replaces = planned.differences.some((difference) => difference.replaces);
  const plan = { replaces, deleteBeforeReplace, isRefused: refusal !== undefined, lack, takenBack };
  run.note({ step: "decided", resource, urn: platform.urn, id, comparison, isDeclared, ...plan });
  const { differences, warnings: driftWarnings } = await judgeDrift(comparison, planned.differences, context);
  const notRestorable =
    deletes && !refusal ? await warningOfFinalDeletion(resource, comparison, context, { isPlanned: true }) : undefined;
  for (const warning of [owner, expiry, ...(isDeclared ? driftWarnings : []), ...planned.warnings, notRestorable])
    if (warning) platform.warn(warning);
  if (isDeclared && !refusal) await warnOfReplacedEarlier(comparison, replaces, context);
  if (isDeclared && comparison.staysDeleted) await warnOnceOfLeftDeleted(comparison, context);
  if (refusal) throw refusal;
  if (isDeclared) await noteNextObject(comparison, replaces, context);
  if (isDeclared) for (const message of await describeDrift(comparison, differences, context)) platform.warn(message);
  if (isDeclared && differences.length === 0 && (await isThere(comparison, context)))
    run.note({ step: "kept", ...seen(comparison, platform.urn) });
  return { differences, deleteBeforeReplace };
}

/**
 * Returns a warning if the object has expired, or expires so soon that the program's settings require a replacement.
 */
async function diffWarningOfExpiry(
  { resource, state, news }: Comparison,
  context: Context,
): Promise<string | undefined> {
  if (!resource.expires) return undefined;
  const { at, early, durationOf } = resource.expires;
  const end = state[at];
  if (typeof end !== "string") return undefined;
  const before = isKnown(news[early]) ? news[early] : state[early];
  const leftMs = Date.parse(end) - (await context.platformTime());
  if (leftMs <= 0) return expired({ kind: nounOf(resource), end });
  if (leftMs > durationOf(String(before ?? ""))) return undefined;
  return expiresSoon({ kind: nounOf(resource), end, property: early, before: String(before) });
}

/**
 * Compares the program with the state that the engine has read or recorded. If a replacement seems necessary, also reads
 * the object from the platform.
 */
async function planDiff(comparison: Comparison, isExpired: boolean, context: Context): Promise<ReplacementPlan> {
  const { run } = context;
  const { resource } = comparison;
  const replacedBy = (name: string) => diffThatReplaces(resource.properties.get(name));
  // Restoring the new object of a replacement that the program takes back would only be refused.
  const takenBack = comparison.state.deletedAt === undefined ? undefined : findTakenBack(comparison, context);
  if (takenBack && takenBack.state.deletedAt === undefined)
    return { differences: [replacedBy("deletedAt")], deleteBeforeReplace: false, warnings: [], takenBack };
  const owner = ownerInRun(resource, comparison.state, run);
  const ended = [
    ...(isExpired && resource.expires ? [replacedBy(resource.expires.at)] : []),
    // If a container is replaced and keeps its name, everything in it is deleted too. Resources that refer to the
    // container by a literal name must then also be replaced.
    ...(resource.inside && (owner?.deleted || owner?.isDeletedFirst) ? [replacedBy(resource.inside.by)] : []),
  ];
  const differences = [
    ...comparison.differencesGiven(run.names),
    ...differencesAppliedAgain(comparison, context),
    ...ended,
  ];
  if (differences.some(({ replaces }) => replaces) || (await isReplacedOnceRead(comparison, context)))
    return explainForbiddenStep(resource, { replace: comparison.news }, context, () =>
      planReplacement(comparison, { differences, ended }, context),
    );
  const warnings = [
    ...createOnlyChangeWarnings(comparison, run.names),
    ...firstValueWarnings(comparison, differences, context),
  ];
  return { differences, deleteBeforeReplace: false, warnings };
}

/**
 * Returns whether the first value of an input replaces the object. The state does not hold such a value before the
 * program sets it, so the object is read.
 */
async function isReplacedOnceRead(comparison: Comparison, { platform, run }: Context): Promise<boolean> {
  const { resource, id, state, news } = comparison;
  const isOpen = resource.properties.inputs.some(
    (property) => property.onChange === "replace" && property.isLeftOutOf(state) && !property.isLeftOutOf(news),
  );
  if (!isOpen) return false;
  const reading = await resource.read(id, platform, { known: state, maxAge: "seconds" });
  if (reading.status !== "live") return false;
  const live = comparison.with({ state: { ...state, ...reading.state } });
  return live.differencesGiven(run.names).some(({ replaces }) => replaces);
}

/**
 * Returns whether the object still exists. Sends a request only if an interrupted replacement may have deleted the
 * object. Otherwise, the object is assumed to exist.
 */
async function isThere({ resource, id, state }: Comparison, { platform, run }: Context): Promise<boolean> {
  if (!run.mayBeDeletedAlready(resource, id)) return true;
  const reading = await resource.read(id, platform, { known: state, maxAge: "seconds" }).catch(unlessRefused);
  return reading?.status === "live";
}

export const diffThatReplaces = (property: Property): Difference => ({
  property,
  path: property.name,
  kind: "update",
  replaces: true,
});

/**
 * Returns a warning if the container to which the resource belongs is deleted. Returns `undefined` if the stack
 * manages that container, because reading it already reports the deletion. Asked once the program has declared the
 * resource, because the engine may not have read the container before.
 */
function diffWarningOfDeletedOwner({ resource, id }: Comparison, run: Run): string | undefined {
  const { deletedOwner: owner } = run.object(resource.type, id);
  if (!owner || run.inStack(owner.type, owner.id)) return undefined;
  return ownerDeleted({ kind: nounOf(resource), container: { ...owner, kind: nounOf(owner) } });
}

function differencesAppliedAgain(comparison: Comparison, context: Context): Difference[] {
  const { resource, state } = comparison;
  if (!isPartOfRestored(resource, state, context.run)) return [];
  const names = Object.keys(comparison.updatable);
  return names.map((name) => ({
    property: resource.properties.get(name),
    path: name,
    kind: "update",
    replaces: false,
  }));
}
