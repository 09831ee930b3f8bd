import type { AnyResource } from "../resource/definition";
import { operationsOf, type Step } from "../resource/permissions";
import { explainForbidden } from "../resource/preflight";
import { type Compared, changesInPlace, isRestored } from "./compare";
import type { Context } from "./context";
import type { Properties } from "./properties";

type ContextOfToken = Parameters<typeof explainForbidden>[1];

type Work<T> = () => Promise<T>;

/**
 * Runs `work`, which creates an object. If the platform forbids a request, the error names every permission that the
 * creation requires and the credential lacks.
 */
export const withCreatePermissions = <T>(
  resource: AnyResource,
  inputs: Properties,
  context: Context,
  work: Work<T>,
): Promise<T> => explained(resource, ["create"], { inputs, sets: Object.keys(inputs) }, context, work);

export const withReadPermissions = <T>(resource: AnyResource, context: Context, work: Work<T>): Promise<T> =>
  explained(resource, [], { inputs: {}, sets: [] }, context, work);

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

export const withReplacePermissions = <T>(
  resource: AnyResource,
  inputs: Properties,
  context: Context,
  work: Work<T>,
): Promise<T> => explained(resource, ["delete", "create"], { inputs, sets: Object.keys(inputs) }, context, work);

export const withDeletePermissions = <T>(resource: AnyResource, context: Context, work: Work<T>): Promise<T> =>
  explained(resource, ["delete"], { inputs: {}, sets: [] }, context, work);

const explained = <T>(
  resource: AnyResource,
  steps: readonly Step[],
  { inputs, sets }: { readonly inputs: Properties; readonly sets: readonly string[] },
  { platform }: Context,
  work: Work<T>,
): Promise<T> =>
  explainForbidden(operationsOf(resource, steps, { inputs, sets: new Set(sets) }), platform as ContextOfToken, work);
