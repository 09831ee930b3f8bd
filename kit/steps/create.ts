import { assertCreateChecks } from "../checks";
import { type AnyResource, findByName } from "../definition";
import { explainFailedCreation } from "../explain";
import { takeOver } from "../lifecycle/apply";
import { untilCallEnds } from "../lifecycle/call";
import { Comparison } from "../lifecycle/comparison";
import { type Context, creationContext } from "../lifecycle/context";
import { type Changed, InitFailedError, initFailed } from "../lifecycle/init-failed";
import { explainInterruptedReplacement, findObjectToTakeOver } from "../lifecycle/interrupted-replacement";
import { warnOfSettingsTakenOver } from "../lifecycle/lasting-settings";
import { findLostCreation, keyOrName, type LostCreation } from "../lifecycle/lost-creation";
import {
  createdAgain,
  createdDespiteLostResponse,
  createdWithoutId,
  creationIncomplete,
  creationUncertain,
  listCancelled,
} from "../lifecycle/messages";
import { isFilledInArgument, type Properties, type State } from "../lifecycle/properties";
import { assertRecordable, recordableSecrets, runRecordable } from "../lifecycle/recordable";
import { warnOfNamesakes } from "../lifecycle/taken/namesakes";
import { explainNameTaken } from "../lifecycle/taken/taken";
import { creationWarnings } from "../lifecycle/warnings";
import { nounOf, titleOf } from "../phrases";
import { isRefusal, messageOf, Refusal, unlessForbidden, unlessRefused } from "../refusal";
import type { Made } from "../results";
import { nameIn, seen } from "../run-events";

/** Creates an object, or restores the object of an interrupted replacement that the program has taken back. */
export const create = (resource: AnyResource, args: Properties, context: Context): Promise<Made<State>> =>
  runRecordable(resource, () => takeOverOrCreate(resource, args, context));

async function takeOverOrCreate(resource: AnyResource, args: Properties, context: Context): Promise<Made<State>> {
  const oldObject = await findObjectToTakeOver(resource, args, context);
  if (oldObject) return { id: oldObject.id, state: await takeOver(oldObject, context) };
  try {
    return await createNew(resource, args, context);
  } catch (failure) {
    const explained = await explainFailedCreation(resource, args, failure, context);
    throw await explainInterruptedReplacement(resource, explained, context);
  }
}

async function createNew(resource: AnyResource, args: Properties, context: Context): Promise<Made<State>> {
  const { id, state } = await createOrFind(resource, args, context);
  const made = { id, observed: state, wanted: args, prior: { ...args, ...state } };
  try {
    const completed = await completeCreation(resource, made, context);
    for (const warning of creationWarnings(resource, args)) context.platform.warn(warning);
    return completed;
  } catch (failure) {
    if (failure instanceof InitFailedError) throw failure;
    throw initFailed(
      resource,
      made,
      creationIncomplete({ title: titleOf(resource, args), id, ...creationFailureReason(failure), secrets: [] }),
    );
  }
}

/** Notes that the platform has created the object of the resource. */
function noteCreation(resource: AnyResource, { id, state }: Made<State>, { platform, run }: Context): void {
  const name = nameIn(resource, state);
  run.note({ step: "created", ...seen({ resource, id, state }, platform.urn), name });
}

/** Records the new object, and sets what the creation could not set. */
async function completeCreation(resource: AnyResource, made: Changed, context: Context): Promise<Made<State>> {
  const { id, observed: state, wanted: args, prior } = made;
  noteCreation(resource, { id, state }, context);
  assertRecordable(resource, { id, state }, (right) => resource.properties.record(right, args, { ...args, ...right }));
  await warnOfSettingsTakenOver(resource, args, context, { id, state });
  const { changes } = new Comparison(resource, { id, oldInputs: {}, state, news: args });
  let completed = state;
  if (Object.keys(changes).length > 0 && resource.update) {
    const note = (step: Properties) => {
      completed = { ...completed, ...step };
    };
    try {
      completed = await resource.update(id, changes, { ...context.platform, now: state, inputs: args, done: note });
    } catch (failure) {
      const cause = await explainFailedCreation(resource, args, failure, context);
      throw initFailed(resource, { ...made, observed: completed }, messageOf(cause));
    }
  }
  const recorded = resource.properties.record(completed, args, prior);
  // Asks the author which values are secret while a failure can still be reported as an incomplete creation.
  recordableSecrets(resource, recorded);
  return { id, state: recorded };
}

/** Any error that is no refusal is a defect of the provider. */
const creationFailureReason = (failure: unknown) => ({ reason: messageOf(failure), isDefect: !isRefusal(failure) });

async function createOrFind(resource: AnyResource, args: Properties, context: Context): Promise<Made<State>> {
  const { platform } = context;
  // Looks up the account first, so that a wrong account is reported as such, and not as a later error.
  await context.home?.id();
  await assertCreateChecks(resource, args, context);
  await warnOfNamesakes(resource, args, context, "update");
  const sent = (await resource.prepare?.(args, creationContext(context))) ?? args;
  // Lists the existing ids immediately before the request is sent. If the response is lost, only an object that is not
  // in this list counts as created by the request.
  const ids = resource.named?.ids(platform).catch(unlessForbidden);
  const before = await (ids && untilCallEnds(ids, context.ends, listCancelled({ kind: nounOf(resource) })));
  try {
    return await createAfterRestores(resource, sent, context);
  } catch (failure) {
    if (isRefusal(failure, "taken")) throw await creationRefusedAsTaken(resource, args, { cause: failure, ...context });
    if (isRefusal(failure) && !failure.uncertain) throw failure;
    // An object without a name or a key cannot be found.
    if (!resource.keyed && args.name === undefined) throw failure;
    const lost = { args, sent, before, failure };
    if (isRefusal(failure)) return resultAfterLostResponse(resource, lost, context);
    throw await errorAfterDefect(resource, lost, context);
  }
}

/**
 * Creates an object. If its container does not exist, tries again after this update has restored other objects. Restoring
 * one of them can also restore the container, and Pulumi creates this resource without waiting for it.
 */
async function createAfterRestores(resource: AnyResource, args: Properties, context: Context) {
  let created: Made<State> | undefined;
  const absent = await context.run.restorations.stillFinds(async () => {
    try {
      const made = await resource.create(args, creationContext(context));
      if (!made.id) throw new TypeError(createdWithoutId({ type: resource.type }));
      created = made;
    } catch (failure) {
      if (isRefusal(failure, "absent")) return failure;
      throw failure;
    }
    return undefined;
  });
  if (created) return created;
  throw absent;
}

async function creationRefusedAsTaken(
  resource: AnyResource,
  args: Properties,
  { cause, ...context }: Context & { cause: Refusal },
): Promise<Refusal> {
  const holder = await findByName(resource, args.name, context.platform).catch(unlessRefused);
  return new Refusal("conflict", {
    tried: cause.message,
    ...(await explainNameTaken(resource, args, holder?.id, context)),
    cause,
  });
}

interface Lost extends LostCreation {
  /** The arguments as the author has prepared them for the request. */
  readonly sent: Properties;
}

/** Returns the object that the request has made whose response was lost, or one that is created in its place. */
async function resultAfterLostResponse(resource: AnyResource, lost: Lost, context: Context): Promise<Made<State>> {
  const { args, sent, failure } = lost;
  const { platform } = context;
  const { shownOnce } = resource.properties;
  try {
    const found = await findLostCreation(resource, lost, context);
    if (found.status !== "made") throw resource.keyed ? failure : uncertainCreation(resource, args, failure);
    const { id, state } = found.object;
    // An object with a key is never deleted: if its look-up was forbidden before, it may belong to somebody else.
    if (resource.keyed || shownOnce.length === 0) {
      platform.warn(createdDespiteLostResponse({ title: titleOf(resource, args), id }));
      return found.object;
    }
    platform.warn(createdAgain({ kind: nounOf(resource), name: String(args.name), id, secrets: shownOnce }));
    await resource.delete(id, { ...platform, now: state, replacedBy: undefined });
    return await resource.create(sent, creationContext(context)).catch((again) => {
      throw isRefusal(again) && again.uncertain ? uncertainCreation(resource, args, again) : again;
    });
  } catch (thrown) {
    throw isRefusal(thrown) ? thrown : uncertainCreation(resource, args, failure);
  }
}

/**
 * Returns the error to throw after the author's code has failed in the middle of a creation, when its request may have
 * had an effect. The object is recorded if it can be found, because nobody would know of it otherwise.
 */
async function errorAfterDefect(resource: AnyResource, lost: Lost, context: Context): Promise<unknown> {
  const { args, sent, failure } = lost;
  const found = await findLostCreation(resource, lost, context);
  if (found.status === "not made") return failure;
  if (found.status === "unknown")
    return new Error(uncertainCreation(resource, args, failure).message, { cause: failure });
  const { id, state } = found.object;
  noteCreation(resource, found.object, context);
  const facts = { title: titleOf(resource, args), id, secrets: resource.properties.shownOnce };
  return initFailed(
    resource,
    { id, observed: state, wanted: args, prior: { ...sent, ...state } },
    creationIncomplete({ ...facts, ...creationFailureReason(failure) }),
  );
}

function uncertainCreation(resource: AnyResource, args: Properties, cause: unknown): Refusal {
  const isGenerated = isFilledInArgument(args, "name");
  return new Refusal("unavailable", {
    tried: messageOf(cause),
    ...creationUncertain({ kind: nounOf(resource), name: keyOrName(resource, args), isGenerated }),
    cause,
  });
}
