import { assertPlanChecks, assertUpdateChecks } from "../checks";
import type { DeletedContainer } from "../context";
import type { AnyResource } from "../definition";
import { explainForbiddenStep } from "../explain";
import { Comparison, type Sides } from "../lifecycle/comparison";
import type { Context } from "../lifecycle/context";
import { findObjectToTakeOver, warnOfObjectLostInReplacement } from "../lifecycle/interrupted-replacement";
import { warnOfSettingsTakenOver } from "../lifecycle/lasting-settings";
import { isIgnoredProperty, type Properties, present, type State, UNKNOWN } from "../lifecycle/properties";
import { restorePlanned } from "../lifecycle/restore/messages";
import { warnOfNamesakes } from "../lifecycle/taken/namesakes";
import { creationWarnings } from "../lifecycle/warnings";
import { bringsOf, titleOf } from "../phrases";
import { nameIn } from "../run-events";

interface PlanAnswer {
  /** Known only if the resource takes over the old object of a failed replacement. */
  readonly id?: string;
  readonly state: Properties;
}

/**
 * Returns the expected state of an object after its creation, with unknown outputs. Throws an error if read requests
 * show that the object could not be created.
 */
export async function planCreate(resource: AnyResource, args: Properties, context: Context): Promise<PlanAnswer> {
  const { run, platform } = context;
  const oldObject = await findObjectToTakeOver(resource, args, context);
  if (oldObject) {
    return { id: oldObject.id, state: await planUpdate(resource, oldObject, context) };
  }
  // Runs the checks first: once the creation is noted, the checks would report that name as taken.
  await explainForbiddenStep(resource, { create: args }, context, () => assertPlanChecks(resource, args, context));
  await warnOfObjectLostInReplacement(resource, context);
  await warnOfNamesakes(resource, args, context, "preview");
  await warnOfSettingsTakenOver(resource, args, context);
  for (const warning of creationWarnings(resource, args)) platform.warn(warning);
  const { urn } = platform;
  run.note({ step: "plan create", resource, urn, id: urn, name: nameIn(resource, args), as: urn });
  const computed = resource.properties.outputs.filter(({ kind }) => kind !== "whileDeleted");
  return {
    state: { ...Object.fromEntries(computed.map(({ name }) => [name, UNKNOWN])), ...plannedInputs(resource, args) },
  };
}

/** Returns the expected state after an update. Throws an error if read requests show that the update would fail. */
export async function planUpdate(resource: AnyResource, sides: Sides, context: Context): Promise<State> {
  const comparison = new Comparison(resource, sides);
  const { state, news, ignored, isRestored, staysDeleted } = comparison;
  const { properties } = resource;
  await explainForbiddenStep(resource, { update: comparison }, context, async () => {
    if (isRestored) await context.run.restorations.run(() => planRestoringUpdate(comparison, context));
    else await assertUpdateChecks(comparison, context);
  });
  const about = { resource, urn: context.platform.urn, id: comparison.id };
  if (!staysDeleted) context.run.note({ step: "plan update", ...about, name: comparison.nextName });
  const altered = comparison.differences.flatMap(({ property }) =>
    property.isOnlyRecorded(comparison) ? [] : property.moves,
  );
  const live = isRestored
    ? Object.fromEntries(Object.entries(state).filter(([name]) => properties.get(name).kind !== "whileDeleted"))
    : state;
  const recorded = properties.inputs.filter(
    ({ name, onChange, isSent }) =>
      onChange !== "warn" && !isIgnoredProperty(name, ignored) && (news[name] !== undefined || !isSent),
  );
  const { changes } = isRestored ? comparison.with({ state: live }) : comparison;
  return present({
    ...properties.withoutLeftOut(live, news),
    // The changes include the defaults of the arguments that the program has removed.
    ...properties.withoutLeftOut(staysDeleted ? {} : changes, news),
    ...Object.fromEntries(recorded.map(({ name }) => [name, news[name]])),
    ...Object.fromEntries(altered.map((property) => [property, UNKNOWN])),
  });
}

async function planRestoringUpdate(comparison: Comparison, context: Context): Promise<void> {
  const isPossible = await assertUpdateChecks(comparison, context);
  const { resource, id, state } = comparison;
  const { run, platform } = context;
  const { deletedAt, restorableUntil } = state;
  run.note({ step: "plan restore", resource, urn: platform.urn, id, deletedAt, restorableUntil });
  const revived = resource.softDeleted?.alsoRestores?.(state);
  if (isPossible) announceRestoration(resource, { id, state, owner: revived }, context);
  if (!revived || (await revived.isLive(platform))) return;
  const isNamed = run.names.of(revived.type, revived.id) !== undefined;
  const { type, id: containerId, name } = revived;
  run.note({ step: "plan return", urn: platform.urn, type, id: containerId, name });
  if (isPossible && !isNamed) platform.warn(revived.sentence(run.inStack(revived.type, revived.id)));
}

/**
 * Says that `pulumi up` restores the object, and remembers it for that update, which then only says `Restored`. An
 * object that comes back with its container is part of the message about the container.
 */
function announceRestoration(
  resource: AnyResource,
  { id, state, owner }: { id: string; state: State; owner: DeletedContainer | undefined },
  { platform, run }: Context,
): void {
  run.announced.add(`${resource.type} ${id}`);
  if (owner && run.restoresWith(owner)) return;
  platform.inform(restorePlanned({ title: titleOf(resource, state), id, brings: bringsOf(resource) }));
}

const plannedInputs = ({ properties }: AnyResource, inputs: Properties): Properties =>
  present(Object.fromEntries(properties.inputs.map(({ name }) => [name, inputs[name]])));
