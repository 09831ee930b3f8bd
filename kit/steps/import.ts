import type { AnyResource } from "../definition";
import { applyToExisting } from "../lifecycle/apply";
import { Comparison } from "../lifecycle/comparison";
import type { Context } from "../lifecycle/context";
import { InitFailedError } from "../lifecycle/init-failed";
import { lookUpLiveOrDeleted } from "../lifecycle/look-up";
import type { Properties, State } from "../lifecycle/properties";
import { runRecordable } from "../lifecycle/recordable";
import { importContradiction } from "../lifecycle/restore/messages";
import { differencesAfterRestore } from "../lifecycle/restore/restore";
import { titleOf } from "../phrases";
import { Refusal } from "../refusal";
import type { Made } from "../results";
import { seen } from "../run-events";

/**
 * Imports an object in one step, because dynamic providers have no import operation. A deleted object is restored. A
 * live object is adopted and updated to the program's properties. An unknown id is an error.
 */
export async function createByImport(
  resource: AnyResource,
  id: string,
  args: Properties,
  context: Context,
): Promise<Made<State>> {
  try {
    return await runRecordable(resource, () => restoreOrAdopt(resource, id, args, context));
  } catch (failure) {
    const { platform, run } = context;
    // The engine records an incomplete object.
    if (!(failure instanceof InitFailedError)) run.note({ step: "import failed", resource, urn: platform.urn, id });
    throw failure;
  }
}

async function restoreOrAdopt(
  resource: AnyResource,
  id: string,
  args: Properties,
  context: Context,
): Promise<Made<State>> {
  const { state, inputs } = await lookUpLiveOrDeleted(resource, id, context);
  // What only the provider uses cannot contradict an object that another program may have created.
  const found = new Comparison(resource, { id, oldInputs: inputs, state, news: args });
  const replacing = found.differences.find(({ property, replaces }) => replaces && !property.isLocal);
  if (replacing) {
    const difference = replacing.property.difference(found);
    throw new Refusal("conflict", importContradiction({ title: titleOf(resource, state), id, difference }));
  }
  const { platform, run } = context;
  if (found.isRestored) run.note({ step: "import deleted", resource, urn: platform.urn, id });
  const imported = await applyToExisting(found, context);
  run.note({ step: "kept", ...seen({ resource, id, state: imported }, platform.urn) });
  // Differences that remain after the import are reported as an error, because dynamic providers cannot show warnings.
  // The error contains no inputs, because Pulumi records the program's inputs even if Create fails.
  const kept = differencesAfterRestore(found.with({ oldInputs: args, state: imported }), context);
  if (kept.length > 0) throw new InitFailedError(id, imported, undefined, kept);
  return { id, state: imported };
}
