import { type AnyResource, findByName } from "../definition";
import { nounOf } from "../phrases";
import { isRefusal, unlessRefused } from "../refusal";
import type { Ids, Made } from "../results";
import { eachUntilCallEnds } from "./call";
import { compare } from "./comparison";
import type { Context } from "./context";
import { listCancelled } from "./messages";
import { isGeneratedName } from "./naming";
import type { Properties, State } from "./properties";
import { canonicalResourceKey, resourceKey } from "./taken/taken";

/** A creation whose response nobody has understood, so that its request may have made an object. */
export interface LostCreation {
  readonly args: Properties;
  /** The ids immediately before the request. Without them, no object that is found by its name counts as new. */
  readonly before: Ids | undefined;
  /** A refusal if the response was lost. Any other error is a defect of the author's code. */
  readonly failure: unknown;
}

/** What a lost creation has made. */
type Found =
  | { readonly status: "made"; readonly object: Made<State> }
  | { readonly status: "not made" }
  | { readonly status: "unknown" };

/**
 * Looks for the object that a lost creation has made, by its name or key. It counts as made by the request if it did not
 * exist immediately before, and if this update has kept it for no other resource. After a lost response, it must also
 * have the requested properties; after a defect, the author's code may be unable to compare them.
 *
 * @throws Error if the author's code fails to find the object of a lost response.
 */
export async function findLostCreation(resource: AnyResource, lost: LostCreation, context: Context): Promise<Found> {
  const { args, before, failure } = lost;
  const { keyed, type } = resource;
  const { platform, run } = context;
  const isResponseLost = isRefusal(failure);
  const isMade = (id: string) => (keyed !== undefined || before?.has(id) === false) && !run.object(type, id).isInUse;
  if (isResponseLost && !keyed && !before) return { status: "unknown" };
  try {
    const found = await (keyed
      ? keyed.find(keyOrName(resource, args), platform)
      : findByName(resource, args.name, platform));
    if (!found || before?.has(found.id)) return { status: "not made" };
    const isFound = isMade(found.id) && (!isResponseLost || isCreatedAsRequested(resource, args, found.state));
    return isFound ? { status: "made", object: found } : { status: "unknown" };
  } catch (thrown) {
    const object = isResponseLost
      ? unlessRefused(thrown)
      : await findInList(resource, args, isMade, context).catch(() => undefined);
    return object ? { status: "made", object } : { status: "unknown" };
  }
}

/** Finds an object that the author's code cannot read: the list shows it by its id and name alone. */
async function findInList(
  resource: AnyResource,
  args: Properties,
  isMade: (id: string) => boolean,
  { platform, ends }: Context,
): Promise<Made<State> | undefined> {
  const wanted = canonicalResourceKey(resource, keyOrName(resource, args));
  const all = resource.list?.({ ...platform, deleted: false });
  if (!all) return undefined;
  for await (const { id, name } of eachUntilCallEnds(all, ends, listCancelled({ kind: nounOf(resource) })))
    if (canonicalResourceKey(resource, name) === wanted && isMade(id)) return { id, state: args };
  return undefined;
}

/** Returns the key or the name by which the object of a creation is found. */
export const keyOrName = (resource: AnyResource, args: Properties): string =>
  String(resourceKey(resource, args) ?? args.name);

/**
 * Returns whether an object has the requested values: all of them if it has a key, and otherwise those that can be set
 * only when the object is created.
 */
function isCreatedAsRequested(resource: AnyResource, args: Properties, state: State): boolean {
  const { keyed, named, properties } = resource;
  const differs = new Set(
    compare(resource, { oldInputs: args, state, news: args }).map(({ property }) => property.name),
  );
  if (keyed) return differs.size === 0;
  if (named?.madeWith?.(args, state) === false) return false;
  return properties.inputs
    .filter(({ name, onChange }) => onChange === "replace" || isGeneratedName(resource, name))
    .filter(({ isShown }) => isShown)
    .every(({ name, isRecordedIfSet }) => {
      const isSet = isRecordedIfSet || (args[name] === undefined) === (state[name] === undefined);
      return isSet && !differs.has(name);
    });
}
