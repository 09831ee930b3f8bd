import { assertCreatable, creationExplained } from "../checks";
import { type AnyResource, findNamed } from "../definition";
import { bring } from "../lifecycle/bring";
import { changesInPlace, compare } from "../lifecycle/compare";
import type { Context } from "../lifecycle/context";
import { InitFailedError } from "../lifecycle/init-failed";
import { filledInBefore, isGeneratedName } from "../lifecycle/inputs/filled-in";
import { findWithdrawn, withFateOfReplaced } from "../lifecycle/interrupted";
import { createdAgain, createdDespiteLostResponse, creationUncertain } from "../lifecycle/messages";
import { nounOf, type Properties, remember, type State, titleOf, traitsOf } from "../lifecycle/properties";
import { assertRecordable } from "../lifecycle/recordable";
import { warnOfSettingsTakenOver } from "../lifecycle/settings-left";
import { keyOf, nameTaken } from "../lifecycle/taken/taken";
import { warnOfNamesakes } from "../lifecycle/warnings";
import { isRefusal, messageOf, Refusal, unlessForbidden, unlessRefused } from "../refusal";
import type { Ids, Made } from "../results";
import { giveName, keep } from "../run";

/** Creates an object, or restores the object of an interrupted replacement that the program has taken back. */
export async function create(resource: AnyResource, args: Properties, context: Context): Promise<Made<State>> {
  const withdrawn = await findWithdrawn(resource, args, context);
  if (withdrawn) {
    const state = await bring(resource, withdrawn, context);
    context.run.resource(context.platform.urn).created = true;
    return { id: withdrawn.id, state };
  }
  try {
    return await createNew(resource, args, context);
  } catch (failure) {
    const explained = await creationExplained(resource, args, failure, context);
    throw await withFateOfReplaced(resource, explained, context);
  }
}

async function createNew(resource: AnyResource, args: Properties, context: Context): Promise<Made<State>> {
  const { id, state } = await make(resource, args, context);
  const asCreated = { ...args, ...state };
  const { run } = context;
  run.resource(context.platform.urn).created = true;
  keep(resource, id, state, run);
  giveName(resource, id, state, run);
  assertRecordable(resource, { id, state }, (right) => remember(resource, right, args, { ...args, ...right }));
  await warnOfSettingsTakenOver(resource, args, context, { id, state });
  const changes = changesInPlace(resource, { oldInputs: {}, state, news: args });
  if (Object.keys(changes).length === 0 || !resource.update)
    return { id, state: remember(resource, state, args, asCreated) };
  let completed = state;
  const note = (step: Properties) => {
    completed = { ...completed, ...step };
  };
  try {
    const settled = await resource.update(id, changes, { ...context.platform, now: state, done: note });
    return { id, state: remember(resource, settled ?? state, args, asCreated) };
  } catch (failure) {
    const cause = await creationExplained(resource, args, failure, context);
    throw new InitFailedError(id, remember(resource, completed, args, asCreated), undefined, [messageOf(cause)]);
  }
}

async function make(resource: AnyResource, args: Properties, context: Context): Promise<Made<State>> {
  const { platform } = context;
  // Looks up the account first, so that a wrong account is reported as such, and not as a later error.
  await context.home?.id();
  await assertCreatable(resource, args, context);
  await warnOfNamesakes(resource, args, context, "update");
  const sent = (await resource.prepare?.(args, platform)) ?? args;
  // Lists the existing ids immediately before the request is sent. If the response is lost, only an object that is not
  // in this list counts as created by the request.
  const before = await resource.named?.ids(platform).catch(unlessForbidden);
  try {
    return await createAfterRestores(resource, sent, context);
  } catch (failure) {
    if (isRefusal(failure, "taken")) throw await refusedName(resource, args, { cause: failure, ...context });
    if (!isRefusal(failure) || !failure.uncertain) throw failure;
    if (resource.keyed) return findByKeyAfterLostResponse(resource, args, failure, context);
    // An object without a name cannot be found, so the error about the lost response is rethrown unchanged.
    if (args.name === undefined) throw failure;
    return findAfterLostResponse(resource, args, { sent, failure, before, ...context });
  }
}

/**
 * Creates an object. If its container does not exist, tries again after this update has restored other objects. Restoring
 * one of them can also restore the container, and Pulumi creates this resource without waiting for it.
 */
async function createAfterRestores(resource: AnyResource, args: Properties, { platform, run }: Context) {
  let created: Made<State> | undefined;
  const absent = await run.restorations.lookAgain(async () => {
    try {
      created = await resource.create(args, platform);
    } catch (failure) {
      if (isRefusal(failure, "absent")) return failure;
      throw failure;
    }
    return undefined;
  });
  if (created) return created;
  throw absent;
}

async function refusedName(
  resource: AnyResource,
  args: Properties,
  { cause, ...context }: Context & { cause: Refusal },
): Promise<Refusal> {
  const holder = await findNamed(resource, args.name, context.platform).catch(unlessRefused);
  return new Refusal("conflict", {
    tried: cause.message,
    ...(await nameTaken(resource, args, holder?.id, context)),
    cause,
  });
}

interface Lost {
  readonly sent: Properties;
  readonly failure: Refusal;
  readonly before: Ids | undefined;
}

/**
 * Looks for the object after the response to the create request was lost. An object with the requested name counts as
 * created by this request if it has the requested properties and did not exist a few seconds earlier. Objects that
 * another resource of this update has created or kept are excluded (decision 6).
 */
async function findAfterLostResponse(
  resource: AnyResource,
  args: Properties,
  { sent, failure, before, platform, run }: Context & Lost,
): Promise<Made<State>> {
  const holder = before && (await findNamed(resource, args.name, platform).catch(unlessRefused));
  if (
    !holder ||
    !hasRequestedValues(resource, args, holder.state) ||
    before.has(holder.id) ||
    run.object(resource.type, holder.id).kept
  )
    throw uncertainCreation(resource, args, failure);
  if (resource.shownOnce.length === 0) {
    platform.warn(createdDespiteLostResponse({ title: titleOf(resource, args), id: holder.id }));
    return holder;
  }
  platform.warn(
    createdAgain({ kind: nounOf(resource), name: String(args.name), id: holder.id, secrets: resource.shownOnce }),
  );
  await resource.delete(holder.id, { ...platform, now: holder.state });
  return resource.create(sent, platform).catch((again) => {
    throw isRefusal(again) && again.uncertain ? uncertainCreation(resource, args, again) : again;
  });
}

/**
 * Looks for an object with the requested key after the response to the create request was lost. An object found now
 * counts as created by this request, because `assertCreatable` did not find it a few seconds earlier (decision 6).
 */
async function findByKeyAfterLostResponse(
  resource: AnyResource,
  args: Properties,
  failure: Refusal,
  { platform }: Context,
): Promise<Made<State>> {
  const found = await resource.keyed?.find(keyOf(resource, args) ?? "", platform).catch(unlessRefused);
  if (!found || compare(resource, { oldInputs: args, state: found.state, news: args }).length > 0) throw failure;
  platform.warn(createdDespiteLostResponse({ title: titleOf(resource, args), id: found.id }));
  return found;
}

function uncertainCreation(resource: AnyResource, args: Properties, cause: Refusal): Refusal {
  const isGenerated = filledInBefore(args, "name");
  return new Refusal("unavailable", {
    tried: cause.message,
    ...creationUncertain({ kind: nounOf(resource), name: String(args.name), isGenerated }),
    cause,
  });
}

/**
 * Returns whether an object has the requested values in all properties that can be set only when the object is created.
 */
function hasRequestedValues(resource: AnyResource, args: Properties, state: State): boolean {
  if (resource.named?.madeWith?.(args, state) === false) return false;
  const differs = new Set(compare(resource, { oldInputs: args, state, news: args }).map(({ property }) => property));
  return Object.keys(resource.args.shape)
    .filter((property) => traitsOf(resource, property).requiresReplace || isGeneratedName(resource, property))
    .filter((property) => !traitsOf(resource, property).local && !traitsOf(resource, property).writeOnly)
    .every((property) => !differs.has(property) && (args[property] === undefined) === (state[property] === undefined));
}
