import type { AnyResource } from "../definition";
import { assertSameAccount } from "../lifecycle/account";
import { applyToExisting } from "../lifecycle/apply";
import { Comparison, type Sides } from "../lifecycle/comparison";
import type { Context } from "../lifecycle/context";
import type { State } from "../lifecycle/properties";
import { runRecordable } from "../lifecycle/recordable";
import { seen } from "../run-events";

/** Restores the object if it is deleted, then changes the properties that differ. */
export async function update(resource: AnyResource, sides: Sides, context: Context): Promise<State> {
  const comparison = new Comparison(resource, sides);
  const { id, staysDeleted } = comparison;
  const { state } = await runRecordable(resource, async () => ({
    id,
    state: await (staysDeleted ? leaveDeleted(comparison, context) : applyToExisting(comparison, context)),
  }));
  return state;
}

async function leaveDeleted(comparison: Comparison, context: Context): Promise<State> {
  const { resource, state, news } = comparison;
  // The option `ignoreChanges` leaves the object deleted.
  await assertSameAccount(state, context);
  context.run.note({ step: "update", ...seen(comparison, context.platform.urn), name: undefined });
  return resource.properties.record(state, news, state);
}
