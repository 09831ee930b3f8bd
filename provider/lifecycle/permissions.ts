import type { AnyResource } from "../resource/definition";
import { operationsOf, type Step } from "../resource/permissions";
import { explainForbidden } from "../resource/preflight";
import { type Compared, changesInPlace, isRestored } from "./compare";
import type { Context } from "./context";
import type { Properties } from "./properties";

type Work<T> = () => Promise<T>;

/**
 * Runs the creation of an object. If a request is forbidden, the error names everything that the creation needs and the
 * credential lacks. The functions below treat other steps in the same way.
 */
export const withCreatePermissions = <T>(
  resource: AnyResource,
  inputs: Properties,
  context: Context,
  work: Work<T>,
): Promise<T> => explained(resource, ["create"], { inputs, sets: Object.keys(inputs) }, context, work);

/** Runs a request that shows an object. */
export const withReadPermissions = <T>(resource: AnyResource, context: Context, work: Work<T>): Promise<T> =>
  explained(resource, [], { inputs: {}, sets: [] }, context, work);

/** Runs an update, which may restore the object first. */
export function withUpdatePermissions<T>(
  resource: AnyResource,
  compared: Compared,
  context: Context,
  work: Work<T>,
): Promise<T> {
  const sets = Object.keys(changesInPlace(resource, compared));
  const step = isRestored(compared) ? "restore" : "update";
  return explained(resource, [step], { inputs: compared.news, sets }, context, work);
}

/** Runs a replacement, which deletes one object and creates another. */
export const withReplacePermissions = <T>(
  resource: AnyResource,
  inputs: Properties,
  context: Context,
  work: Work<T>,
): Promise<T> => explained(resource, ["delete", "create"], { inputs, sets: Object.keys(inputs) }, context, work);

/** Runs a deletion. */
export const withDeletePermissions = <T>(resource: AnyResource, context: Context, work: Work<T>): Promise<T> =>
  explained(resource, ["delete"], { inputs: {}, sets: [] }, context, work);

const explained = <T>(
  resource: AnyResource,
  steps: readonly Step[],
  { inputs, sets }: { readonly inputs: Properties; readonly sets: readonly string[] },
  { platform }: Context,
  work: Work<T>,
): Promise<T> => explainForbidden(operationsOf(resource, steps, { inputs, sets: new Set(sets) }), platform, work);
