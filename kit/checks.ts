import { explainForbidden } from "./explain";
import { type Compared, changesInPlace, isRestored } from "./lifecycle/compare";
import type { Context } from "./lifecycle/context";
import type { Properties, State } from "./lifecycle/properties";
import type { ResourceContext } from "./resource/context";
import type { AnyResource } from "./resource/definition";
import { firstFailure, type PreflightFailure, type Work } from "./resource/preflight";

type Found = Promise<PreflightFailure | undefined>;

const DELETION: Work = { steps: ["delete"], inputs: {}, sets: [] };
const NOTHING: Work = { steps: [], inputs: {}, sets: [] };

const creationOf = (inputs: Properties): Work => ({ steps: ["create"], inputs, sets: Object.keys(inputs) });

/** Returns the reason why an object with these known arguments could not be created. */
export const creationWouldFail = (resource: AnyResource, args: Properties, platform: ResourceContext): Found =>
  firstFailure(
    () => resource.preflight?.create?.(args, platform),
    () => resource.permissions?.lacking(creationOf(args), false, platform),
  );

/** Returns the reason why changing these properties to their known new values would fail. */
export function updateWouldFail(
  resource: AnyResource,
  { id, state, changes }: { readonly id: string; readonly state: State; readonly changes: Properties },
  platform: ResourceContext,
): Found {
  const work: Work = { steps: ["update"], inputs: { ...state, ...changes }, sets: Object.keys(changes) };
  return firstFailure(
    () => resource.preflight?.update?.(id, state, changes, platform),
    () => resource.permissions?.lacking(work, false, platform),
  );
}

export const deletionWouldFail = (resource: AnyResource, id: string, state: State, platform: ResourceContext): Found =>
  firstFailure(
    () => resource.preflight?.delete?.(id, state, platform),
    () => resource.permissions?.lacking(DELETION, false, platform),
  );

/**
 * Returns the reason why restoring the object would fail. Does not check the changes that follow the restore.
 *
 * @param from `snapshot` accepts lists that are at most a few seconds old, `platform` requires new requests.
 */
export const restoreWouldFail = (
  resource: AnyResource,
  { id, state, args }: { readonly id: string; readonly state: State; readonly args: Properties },
  platform: ResourceContext,
  from: "platform" | "snapshot",
): Found =>
  firstFailure(
    () => resource.restorable?.preflight(id, state, args, platform, from),
    () => resource.permissions?.lacking({ steps: ["restore"], inputs: args, sets: [] }, false, platform),
  );

/**
 * Does the work of a step. If the platform forbids a request, the error names every permission that the step and
 * reading the object require and that the credential lacks.
 *
 * @param step The arguments of a creation, the comparison before an update, or how else to work on the object.
 */
export function permitted<T>(
  resource: AnyResource,
  step: Step,
  { platform }: Context,
  work: () => Promise<T>,
): Promise<T> {
  return explainForbidden(() => resource.permissions?.lacking(workOf(resource, step), true, platform), work);
}

type Step =
  | "read"
  | "delete"
  | { readonly create: Properties }
  | { readonly replace: Properties }
  | { readonly update: Compared };

function workOf(resource: AnyResource, step: Step): Work {
  if (step === "read") return NOTHING;
  if (step === "delete") return DELETION;
  if ("create" in step) return creationOf(step.create);
  if ("replace" in step) return { ...creationOf(step.replace), steps: ["delete", "create"] };
  const { update } = step;
  const sets = Object.keys(changesInPlace(resource, update));
  return { steps: [isRestored(update) ? "restore" : "update"], inputs: update.news, sets };
}
