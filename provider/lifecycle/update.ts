import { isRefusal, messageOf, Refusal, unlessRefused } from "../../platform/client/refusal";
import type { AnyResource } from "../resource/definition";
import { type Compared, changesInPlace, compare, isRestored, managed } from "./compare";
import { assertSameOrganization, type Context } from "./context";
import { isAppliedAgain, noteGivenName } from "./diff";
import { InitFailedError } from "./init-failed";
import { contradictionOf } from "./preflight";
import {
  capitalized,
  meansTheSame,
  nounOf,
  type Properties,
  remember,
  type State,
  titleOf,
  traitsOf,
} from "./properties";
import { noteName } from "./session";
import { warnLeftDeleted, warnOfConsequence } from "./warnings";

/** Restores an object if it is deleted, then changes the properties that differ. */
export async function update(resource: AnyResource, compared: Compared, context: Context): Promise<State> {
  const { id, state, news } = compared;
  await assertSameOrganization(state, context);
  context.session.noteKept(resource, id, state);
  if (state.deletedAt !== undefined && !isRestored(compared)) {
    warnLeftDeleted(resource, compared, context);
    return remember(resource, state, news, state);
  }
  noteGivenName(resource, compared, context.session);
  const restored = isRestored(compared)
    ? await context.session.restorations.run(() => revive(resource, compared, context))
    : undefined;
  if (restored) {
    noteName(resource, id, restored, context.session);
    for (const message of keptDifferences(resource, { ...compared, state: restored }, context))
      context.platform.warn(message);
  }
  const observed = restored ?? state;
  const appliedAgain = isAppliedAgain(resource, state, context);
  const changes = appliedAgain
    ? managed(resource, compared)
    : changesInPlace(resource, { ...compared, state: observed });
  if (Object.keys(changes).length === 0 || !resource.update) return remember(resource, observed, news, state);
  await warnOfConsequence(resource, { id, observed, changes }, context);
  // A failure to apply a part again is recorded too, because the next update no longer knows about the restore.
  let completed = restored ?? (appliedAgain ? state : undefined);
  const note = (step: Properties) => {
    completed = { ...observed, ...completed, ...step };
  };
  try {
    return remember(resource, await resource.update(id, observed, changes, context.platform, note), news, state);
  } catch (refused) {
    const cause = isRefusal(refused, "taken") ? await nameTaken(resource, news, refused, context) : refused;
    const done = await stateAfter(cause, resource, { id, observed, completed }, context);
    if (!done) throw cause;
    const reason = `not yet as wanted: ${messageOf(cause)}`;
    throw new InitFailedError(id, remember(resource, done, news, state), undefined, [reason]);
  }
}

async function nameTaken(resource: AnyResource, news: Properties, cause: Refusal, { platform }: Context) {
  const found = await resource.named?.findByName({ name: String(news.name) }, platform).catch(unlessRefused);
  if (!found) return cause;
  return new Refusal("conflict", {
    tried: cause.message,
    answer: `the name "${news.name}" is in use by ${nounOf(resource)} ${found.id}`,
    advice: `Choose another \`name\`, or give that ${nounOf(resource)} another one first`,
    cause,
  });
}

interface Failed {
  readonly id: string;
  /** The state before the update. */
  readonly observed: State;
  /** The state after the completed steps; `undefined` if no step was completed. */
  readonly completed: State | undefined;
}

/**
 * Returns the state after a failed update: as read, or as the completed steps report it if the read fails. Returns
 * `undefined` if nothing changed as far as can be known: a step whose response was lost counts only if the read shows a
 * change.
 */
async function stateAfter(
  cause: unknown,
  resource: AnyResource,
  { id, observed, completed }: Failed,
  { platform }: Context,
): Promise<State | undefined> {
  if (!completed && !(isRefusal(cause) && cause.uncertain)) return undefined;
  const reading = await resource.read(id, completed ?? observed, "platform", platform).catch(unlessRefused);
  if (reading?.status !== "live") return completed;
  const now = reading.state;
  const isChanged = (property: string) =>
    !meansTheSame(resource, property, { wanted: observed[property], observed: now });
  return completed || Object.keys(now).some(isChanged) ? now : undefined;
}

async function revive(resource: AnyResource, compared: Compared, { platform, session }: Context): Promise<State> {
  const { id, state, news } = compared;
  const { restorable } = resource;
  // Bypasses values cached in this run, because they may be outdated.
  const now = { ...platform, once: <T>(_: string, load: () => Promise<T>) => load() };
  const failure = () => restorable?.preflight(id, state, news, now).catch(unlessRefused);
  const contradiction = contradictionOf(resource, compared);
  if (contradiction) {
    const isLive = (await resource.read(id, undefined, "platform", platform)).status === "live";
    const { reason } = (isLive ? undefined : await failure()) ?? contradiction;
    throw new Refusal("conflict", { tried: `cannot restore ${titleOf(resource, state)} (${id})`, answer: reason });
  }
  session.noteRestored(id);
  session.noteImported(platform.urn, id);
  try {
    if (!restorable) throw new Refusal("conflict", { answer: `a ${nounOf(resource)} cannot be restored` });
    const restored = await restorable.restore(id, state, news, platform);
    platform.inform(`Restored ${titleOf(resource, restored)} (${id}) ${restorable.brings}.`);
    return restored;
  } catch (cause) {
    // A live object counts as restored, whether by a request whose response was lost, together with its group, or by
    // another user.
    if (isRefusal(cause, "absent", "unavailable") || (isRefusal(cause) && cause.uncertain)) {
      const reading = await resource.read(id, undefined, "platform", platform);
      if (reading.status === "live") {
        platform.inform(
          `${capitalized(titleOf(resource, reading.state))} (${id}) was restored ${restorable?.brings ?? ""}.`,
        );
        return reading.state;
      }
    }
    const why = await failure();
    throw why ? new Refusal("conflict", { tried: messageOf(cause), answer: why.reason, cause }) : cause;
  }
}

/**
 * Describes the differences of a restored object that only a replacement could remove. The differences are not a
 * failure: after a failed update the engine keeps the old inputs, so the next run would mistake a difference for a
 * change of the program and replace the object (decision 72).
 */
export function keptDifferences(resource: AnyResource, restored: Compared, { session }: Context): string[] {
  const { id, state, news } = restored;
  return compare(resource, restored, session.names)
    .filter(({ property }) => traitsOf(resource, property).requiresReplace)
    .map(({ property }) => {
      const is = `${property}: ${JSON.stringify(state[property])}`;
      return `Restored ${titleOf(resource, state)} (${id}) as it was deleted, with ${is}; the program says ${JSON.stringify(news[property])}. Later updates do not replace it because of that. To end the difference, write ${is}.`;
    });
}
