import type { AnyResource } from "../definition";
import { assertSameAccount } from "../lifecycle/account";
import { applyToExisting } from "../lifecycle/apply";
import { Comparison, type Sides } from "../lifecycle/comparison";
import type { Context } from "../lifecycle/context";
import type { State } from "../lifecycle/properties";
import { recordKept } from "../run";

/** Restores the object if it is deleted, then changes the properties that differ. */
export async function update(resource: AnyResource, sides: Sides, context: Context): Promise<State> {
  const comparison = new Comparison(resource, sides);
  if (!comparison.staysDeleted) return applyToExisting(comparison, context);
  const { id, state, news } = comparison;
  // The option `ignoreChanges` leaves the object deleted.
  await assertSameAccount(state, context);
  recordKept(resource, id, state, context.run);
  return resource.properties.record(state, news, state);
}
