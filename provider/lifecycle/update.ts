import { isRefusal, messageOf, Refusal } from "../../platform/client/refusal";
import type { AnyResource } from "../resources/resource";
import { type Context, mustBeSameOrganization } from "./context";
import { type Compared, changesInPlace, compare } from "./diff";
import { Incomplete } from "./incomplete";
import { markOf, nounOf, type Properties, remember } from "./properties";

/** Brings something back if it is deleted, then changes what differs. */
export async function update(resource: AnyResource, compared: Compared, context: Context): Promise<Properties> {
  const { id, state, news } = compared;
  await mustBeSameOrganization(state, context);
  const restored = state.deletedAt === undefined ? undefined : await revive(resource, compared, context);
  const observed = restored ?? state;
  const changes = changesInPlace(resource, { ...compared, state: observed });
  if (Object.keys(changes).length === 0 || !resource.update) return remember(resource, observed, news, state);
  try {
    return remember(resource, await resource.update(observed, changes, context.platform), news, state);
  } catch (cause) {
    if (!restored) throw cause;
    throw new Incomplete(id, remember(resource, observed, news, state), undefined, [
      `restored, but not yet as wanted: ${messageOf(cause)}`,
    ]);
  }
}

async function revive(resource: AnyResource, compared: Compared, { platform }: Context): Promise<Properties> {
  const { id, state, news } = compared;
  mustBeRestorable(resource, compared);
  try {
    if (!resource.restore) throw new Refusal("conflict", { answer: `a ${nounOf(resource)} cannot be restored` });
    return await resource.restore(state, news, platform);
  } catch (cause) {
    // Found live, it counts as restored: by a request whose answer was lost, with its group, or by somebody else.
    if (isRefusal(cause, "absent") || (isRefusal(cause) && cause.uncertain)) {
      const reading = await resource.read(id, undefined, "platform", platform);
      if (reading.found === "live") return reading.state;
    }
    const why = await resource.refusal?.restore?.(state, news, platform).catch(() => undefined);
    throw why ? new Refusal("conflict", { tried: messageOf(cause), answer: why, cause }) : cause;
  }
}

/** Refuses, reading only, what an update would fail at. */
export async function mustBeUpdatable(resource: AnyResource, compared: Compared, context: Context): Promise<void> {
  const { state, news } = compared;
  if (state.deletedAt === undefined) return;
  await mustBeSameOrganization(state, context);
  mustBeRestorable(resource, compared);
  const why = await resource.refusal?.restore?.(state, news, context.platform);
  if (why)
    throw new Refusal("conflict", { tried: `${nounOf(resource)} "${state.name}" cannot be restored`, answer: why });
}

/** What is deleted comes back as it was; little can be given anew with it. */
function mustBeRestorable(resource: AnyResource, { oldInputs, state, news }: Compared): void {
  const live = { ...state, deletedAt: undefined };
  for (const { property } of compare(resource, { oldInputs, state: live, news })) {
    const { replaces, restores } = markOf(resource, property);
    if (!replaces || restores) continue;
    throw new Refusal("conflict", {
      tried: `${nounOf(resource)} "${state.name}" cannot be restored`,
      answer: `it was deleted with ${property}: ${JSON.stringify(state[property])}, and the program says ${JSON.stringify(news[property])}`,
      advice: `Restore it as it was; \`${property}\` can be changed by a replacement afterwards`,
    });
  }
}
