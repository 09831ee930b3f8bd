import { failedContradictionCheck, firstFailedCheck } from "../../checks";
import { nounOf, titleOf } from "../../phrases";
import { isRefusal, messageOf, Refusal, unlessRefused } from "../../refusal";
import type { Comparison } from "../comparison";
import type { Context } from "../context";
import { operationImpossible } from "../messages";
import type { State } from "../properties";
import { notRestorable, restored, restoredElsewhere, restoredWithDifference, restoreUnanswered } from "./messages";

export async function restoreDeleted(comparison: Comparison, context: Context): Promise<State> {
  const { platform, run } = context;
  const { resource, id, state, news } = comparison;
  const { softDeleted } = resource;
  const about = { resource, urn: platform.urn, id };
  // The checks bypass values that were cached earlier in this update, because the values may be outdated.
  const now = { ...platform, run: { ...platform.run, once: <T>(_: string, load: () => Promise<T>) => load() } };
  const failure = () =>
    firstFailedCheck("restoreFailed", resource, { news, existing: comparison }, { ...context, platform: now }).catch(
      unlessRefused,
    );
  const contradiction = failedContradictionCheck(comparison, context);
  if (contradiction) {
    run.note({ step: "restore refused", ...about });
    const obstacle = await failure();
    // Read last: the obstacle means nothing if the object has been restored meanwhile, for example with its container.
    const isLive = obstacle !== undefined && (await resource.read(id, platform)).status === "live";
    const { reason } = (isLive ? undefined : obstacle) ?? contradiction;
    const tried = operationImpossible({ operation: "restore", object: `${titleOf(resource, state)} (${id})` });
    throw new Refusal("conflict", { tried, answer: reason });
  }
  const { deletedAt, restorableUntil } = state;
  run.note({ step: "restore", ...about, deletedAt, restorableUntil });
  try {
    if (!softDeleted) throw new Refusal("conflict", { answer: notRestorable({ kind: nounOf(resource) }) });
    const live = await softDeleted.restore(id, news, { ...platform, now: state });
    platform.inform(restored({ title: titleOf(resource, live), brings: softDeleted.brings }));
    return live;
  } catch (cause) {
    // After an error, checks whether the object is live nevertheless: the response may have been lost, or the object
    // may have been restored by another user or together with its container.
    const isUncertain = isRefusal(cause) && cause.uncertain;
    const isWorthReading = isUncertain || isRefusal(cause, "absent", "unavailable");
    const reading = isWorthReading ? await resource.read(id, platform).catch(unlessRefused) : undefined;
    if (reading?.status === "live") {
      const owner = softDeleted?.alsoRestores?.(state);
      // An object that was restored together with its container is part of the message about the container.
      if (!owner || !run.restoresWith(owner))
        platform.inform(restoredElsewhere({ title: titleOf(resource, reading.state) }));
      return reading.state;
    }
    if (!isUncertain) run.note({ step: "restore refused", ...about });
    const why = await failure();
    if (why) throw new Refusal("conflict", { tried: messageOf(cause), answer: why.reason, cause });
    if (!isUncertain) throw cause;
    const tried = operationImpossible({ operation: "restore", object: `${titleOf(resource, state)} (${id})` });
    const unanswered = restoreUnanswered({
      cause: cause.message,
      kind: nounOf(resource),
      isStillDeleted: reading?.status === "deleted",
    });
    throw new Refusal("unavailable", { tried, ...unanswered, cause });
  }
}

/**
 * Returns one message for each property of a restored object that differs from the program but can only be changed by a
 * replacement. Such a difference does not make the update fail, because the engine keeps the old inputs after a failed
 * update. The next update would then mistake the difference for a change in the program and replace the object.
 */
export function differencesAfterRestore(comparison: Comparison, { run }: Context): string[] {
  const { resource, id, state } = comparison;
  return comparison
    .differencesGiven(run.names)
    .filter(({ property }) => property.onChange === "replace")
    .map(({ property }) =>
      restoredWithDifference({ title: titleOf(resource, state), id, difference: property.difference(comparison) }),
    );
}
