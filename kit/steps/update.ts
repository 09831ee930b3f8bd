import type { AnyResource } from "../definition";
import { assertSameAccount } from "../lifecycle/account";
import { applyToExisting } from "../lifecycle/apply";
import { type Compared, isRestored } from "../lifecycle/compare";
import type { Context } from "../lifecycle/context";
import type { State } from "../lifecycle/properties";
import { recordKept } from "../run";

/** Restores the object if it is deleted, then changes the properties that differ. */
export async function update(resource: AnyResource, compared: Compared, context: Context): Promise<State> {
  const { id, state, news } = compared;
  if (state.deletedAt === undefined || isRestored(compared)) return applyToExisting(resource, compared, context);
  // The option `ignoreChanges` leaves the object deleted.
  await assertSameAccount(state, context);
  recordKept(resource, id, state, context.run);
  return resource.properties.record(state, news, state);
}
