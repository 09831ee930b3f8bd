import { type AnyResource, findByName } from "../definition";
import { explainForbiddenStep } from "../explain";
import { newNameInUse } from "../messages";
import { nounOf } from "../phrases";
import { isRefusal, messageOf, Refusal, unlessRefused } from "../refusal";
import { isPartOfRestored } from "../run";
import { nameIn, seen } from "../run-events";
import { assertSameAccount } from "./account";
import type { Comparison } from "./comparison";
import type { Context } from "./context";
import { InitFailedError, initFailed } from "./init-failed";
import type { Properties, State } from "./properties";
import { incompleteUpdate } from "./restore/messages";
import { differencesAfterRestore, restoreDeleted } from "./restore/restore";
import { warnOfConsequence } from "./warnings";

/**
 * Brings an existing object to what the program wants: restores it if it is deleted, then changes the properties that
 * differ.
 */
export async function applyToExisting(comparison: Comparison, context: Context): Promise<State> {
  const { resource, id, state, news } = comparison;
  const step = { update: comparison };
  await assertSameAccount(state, context);
  const { run, platform } = context;
  run.note({ step: "update", ...seen(comparison, platform.urn), name: comparison.nextName });
  const restored = comparison.isRestored
    ? await context.run.restorations.run(() =>
        explainForbiddenStep(resource, step, context, () => restoreDeleted(comparison, context)),
      )
    : undefined;
  if (restored) {
    run.note({ step: "updated", resource, urn: platform.urn, id, name: nameIn(resource, restored) });
    for (const message of differencesAfterRestore(comparison.with({ state: restored }), context))
      context.platform.warn(message);
  }
  const observed = restored ?? state;
  const appliedAgain = isPartOfRestored(resource, state, context.run);
  const changes = {
    ...(restored ? comparison.with({ state: restored }) : comparison).changes,
    ...(appliedAgain ? comparison.updatable : {}),
  };
  if (Object.keys(changes).length === 0 || !resource.update) return resource.properties.record(observed, news, state);
  await explainForbiddenStep(resource, step, context, () =>
    warnOfConsequence(resource, { id, observed, changes, inputs: news }, context),
  );
  // After an object is restored, all inputs of its parts are applied again. If that fails, the update is
  // recorded as incomplete, so that the next run tries again.
  let completed = restored ?? (appliedAgain ? state : undefined);
  const note = (step: Properties) => {
    completed = { ...observed, ...completed, ...step };
  };
  try {
    const settled = await explainForbiddenStep(resource, step, context, async () =>
      resource.update?.(id, changes, { ...context.platform, now: observed, inputs: news, done: note }),
    );
    completed = settled ?? completed ?? observed;
    if (restored && settled)
      run.note({ step: "updated", resource, urn: platform.urn, id, name: nameIn(resource, settled) });
    return resource.properties.record(completed, news, state);
  } catch (refused) {
    const cause = isRefusal(refused, "taken") ? await refusalAfterApplying(comparison, refused, context) : refused;
    // A read knows what is recorded, such as local inputs.
    const recorded = completed && resource.properties.record(completed, news, state);
    const done = await stateAfterApplying(cause, resource, { id, observed, changes, completed: recorded }, context);
    if (!done) throw cause;
    const changed = { id, observed: done, wanted: news, prior: state };
    throw initFailed(resource, changed, incompleteUpdate({ cause: messageOf(cause) }));
  }
}

/** Brings an object that the resource takes over to what the program wants, and notes that the resource manages it. */
export async function takeOver(comparison: Comparison, context: Context): Promise<State> {
  const { resource, id } = comparison;
  const { platform, run } = context;
  const isTakenBack = run.resource(platform.urn).takenBack !== undefined;
  const noteTakenOver = () => run.note({ step: "taken over", resource, urn: platform.urn, id, isTakenBack });
  try {
    const state = await applyToExisting(comparison, context);
    noteTakenOver();
    return state;
  } catch (failure) {
    // The engine records an incomplete object.
    if (failure instanceof InitFailedError) noteTakenOver();
    throw failure;
  }
}

async function refusalAfterApplying({ resource, id, news }: Comparison, cause: Refusal, { platform }: Context) {
  const found = await findByName(resource, news.name, platform).catch(unlessRefused);
  if (!found || found.id === id) return cause;
  const taken = newNameInUse({ kind: nounOf(resource), name: String(news.name), id: found.id });
  return new Refusal("conflict", { tried: cause.message, ...taken, cause });
}

interface FailedUpdate {
  readonly id: string;
  readonly observed: State;
  readonly changes: Properties;
  readonly completed: State | undefined;
}

/**
 * Returns the state after a failed update: the state on the platform or, if it cannot be read, the state after the last
 * successful request. Returns `undefined` if the update seems to have changed nothing. If no request succeeded but a
 * response was lost, the object is compared with `observed` to find out whether it has changed.
 */
async function stateAfterApplying(
  cause: unknown,
  resource: AnyResource,
  { id, observed, changes, completed }: FailedUpdate,
  { platform }: Context,
): Promise<State | undefined> {
  if (!completed && !(isRefusal(cause) && cause.uncertain)) return undefined;
  // The author's code may be the cause, and fail here again.
  const reading = await resource
    .read(id, platform, { known: completed ?? observed })
    .catch(isRefusal(cause) ? unlessRefused : () => undefined);
  if (reading?.status !== "live") return completed;
  const now = reading.state;
  const isChanged = (name: string) => {
    const property = resource.properties.get(name);
    if (property.isLeftOutOf(observed)) return name in changes && property.isEqual(changes[name], now);
    return !property.isEqual(observed[name], now);
  };
  return completed || Object.keys(now).some(isChanged) ? now : undefined;
}
