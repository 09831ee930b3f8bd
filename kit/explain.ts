import { firstFailedCheck } from "./checks";
import type { AnyResource } from "./definition";
import type { Comparison } from "./lifecycle/comparison";
import type { Context } from "./lifecycle/context";
import type { Properties } from "./lifecycle/properties";
import { DELETION, type PreflightFailure, preflightWorkOfCreation, type Work } from "./preflight";
import { explainedRefusal, explainForbiddenRefusal, isRefusal, Refusal, unlessRefused } from "./refusal";

type StepToExplain =
  | "read"
  | "delete"
  | { readonly create: Properties }
  | { readonly replace: Properties }
  | { readonly update: Comparison };

const NOTHING: Work = { steps: [], inputs: {}, sets: [] };

function explainedWork(step: StepToExplain): Work {
  if (step === "read") return NOTHING;
  if (step === "delete") return DELETION;
  if ("create" in step) return preflightWorkOfCreation(step.create);
  if ("replace" in step) return { ...preflightWorkOfCreation(step.replace), steps: ["delete", "create"] };
  const { isRestored, news, changes } = step.update;
  return { steps: [isRestored ? "restore" : "update"], inputs: news, sets: Object.keys(changes) };
}

/** Returns everything that the credential lacks for a step and for reading the object. */
const explainLack = (
  resource: AnyResource,
  step: StepToExplain,
  platform: Context["platform"],
): PreflightFailure | undefined => resource.permissions?.lacking(explainedWork(step), true, platform);

/**
 * Does the work of a step. If the platform forbids a request, the error names every permission that the step and
 * reading the object require and that the credential lacks.
 *
 * @param step The arguments of a creation, the comparison before an update, or how else to work on the object.
 */
export const explainForbiddenStep = <T>(
  resource: AnyResource,
  step: StepToExplain,
  { platform }: Context,
  work: () => Promise<T>,
): Promise<T> => explainForbiddenRefusal(() => explainLack(resource, step, platform), work);

/**
 * Sends read requests to find out why a creation failed. Returns a more precise error, or the error itself if the
 * reason remains unknown.
 */
export async function explainFailedCreation(
  resource: AnyResource,
  args: Properties,
  failure: unknown,
  context: Context,
): Promise<unknown> {
  const byPlatform = isRefusal(failure, "absent", "invalid") && failure.status !== undefined;
  if (!byPlatform && !isRefusal(failure, "forbidden")) return failure;
  const why = await firstFailedCheck("createFailed", resource, { news: args }, context).catch(unlessRefused);
  const cause = why
    ? new Refusal(failure.kind, { tried: failure.message, answer: why.reason, cause: failure })
    : failure;
  return explainedRefusal(cause, () => explainLack(resource, { create: args }, context.platform));
}
