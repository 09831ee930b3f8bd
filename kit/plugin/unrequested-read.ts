import type { AnyResource } from "../definition";
import type { Sides } from "../lifecycle/comparison";
import type { Context } from "../lifecycle/context";
import { IMPORTED, type Properties, type State } from "../lifecycle/properties";
import { type DiffAnswer, diff, diffThatReplaces } from "../steps/diff";
import { readManaged } from "../steps/read";
import { stateWillBeCompleted } from "./messages";

// The engine reads an object before a preview or update only if the update that recorded it asked for that. A state that
// was recorded while the settings said otherwise, or by the dynamic providers, lacks the request. An interrupted
// replacement leaves an object unread as well, but with the request, so the state itself has to tell the two apart.

/** State key of an object that the engine does not read before previews and updates. */
const UNREQUESTED = "__unrequested";

const isHidden = (property: string): boolean => property.startsWith("__");

/** Returns the state to record, which remembers whether the response asks the engine to read the object. */
export const withReadRequest = (state: State, isRequested: boolean): State =>
  isRequested ? state : { ...state, [UNREQUESTED]: true };

/** Returns the state without what another adapter has recorded in it, for example the provider's code and settings. */
export const withoutForeignProperties = (state: Properties): Properties =>
  Object.fromEntries(Object.entries(state).filter(([property]) => !isHidden(property) || property === IMPORTED));

const isForeign = (state: Properties): boolean =>
  Object.keys(state).some((property) => isHidden(property) && property !== IMPORTED && property !== UNREQUESTED);

/** Why the state of an object lacks the request to read it. `undefined` if it has the request. */
export type Unrequested = "bySettings" | "byAnotherAdapter" | undefined;

export function findUnrequested(state: Properties): Unrequested {
  if (isForeign(state)) return "byAnotherAdapter";
  return state[UNREQUESTED] === true ? "bySettings" : undefined;
}

interface DiffRequest {
  readonly resource: AnyResource;
  /** Returns what is compared, with what this run has observed. */
  readonly sides: () => Sides;
  readonly unrequested: Unrequested;
  /** Whether the settings of this run say that the engine reads every object first. */
  readonly readsBeforeUpdate: boolean;
}

/**
 * Compares an object whose state lacks the request to read it. Reads the object in place of the engine, and reports a
 * change even if nothing differs, so that the update records the request.
 */
export async function diffUnrequested(
  { resource, sides, unrequested, readsBeforeUpdate }: DiffRequest,
  context: Context,
): Promise<DiffAnswer> {
  const isCompleted = unrequested === "byAnotherAdapter" || (unrequested === "bySettings" && readsBeforeUpdate);
  if (!isCompleted) return diff(resource, sides(), context);
  const { platform, run } = context;
  const { id, oldInputs: inputs, state } = sides();
  if (readsBeforeUpdate && !run.inStack(resource.type, id)) {
    const read = await readManaged(resource, { id, inputs, state }, context);
    if (!read) return { differences: [diffThatReplaces(resource.properties.get("id"))], deleteBeforeReplace: false };
    run.note({ step: "observed", resource, urn: platform.urn, id, state: read.state });
  }
  const found = await diff(resource, sides(), context);
  await run.once("state completed", async () => platform.warn(stateWillBeCompleted({ isRead: readsBeforeUpdate })));
  return { ...found, isRecorded: true };
}
