import { isDeepStrictEqual } from "node:util";
import { isRefusal, messageOf, Refusal } from "../../platform/client/refusal";
import type { AnyResource } from "../resources/resource";
import { type Context, mustBeSameOrganization } from "./context";
import { type Compared, changeable, changesInPlace, compare, isAppliedAgain, isIgnored, noteGivenName } from "./diff";
import { Incomplete } from "./incomplete";
import { isKnown, knownOf, markOf, nounOf, type Properties, remember, titleOf } from "./properties";
import { noteName } from "./run";

/** Brings something back if it is deleted, then changes what differs. */
export async function update(resource: AnyResource, compared: Compared, context: Context): Promise<Properties> {
  const { id, state, news } = compared;
  await mustBeSameOrganization(state, context);
  context.run.noteKept(resource, id, state);
  noteGivenName(resource, compared, context.run);
  const restored =
    state.deletedAt === undefined ? undefined : await context.run.restoring(() => revive(resource, compared, context));
  if (restored) {
    noteName(resource, id, restored, context.run);
    for (const message of keptDifferences(resource, { ...compared, state: restored }, context))
      context.platform.warn(message);
  }
  const observed = restored ?? state;
  const changes = isAppliedAgain(resource, state, context)
    ? managed(resource, compared)
    : changesInPlace(resource, { ...compared, state: observed });
  if (Object.keys(changes).length === 0 || !resource.update) return remember(resource, observed, news, state);
  await tellConsequence(resource, { id, observed, changes }, context);
  try {
    return remember(resource, await resource.update(id, observed, changes, context.platform), news, state);
  } catch (refused) {
    const cause = isRefusal(refused, "taken") ? await nameTaken(resource, news, refused, context) : refused;
    throw await halfDone(resource, { ...compared, state: observed }, { cause, restored }, context);
  }
}

async function nameTaken(resource: AnyResource, news: Properties, cause: Refusal, { platform }: Context) {
  const holder = await resource.holder(news, platform).catch(() => undefined);
  if (!holder) return cause;
  return new Refusal("conflict", {
    tried: cause.message,
    answer: `the name "${news.name}" is taken by another ${nounOf(resource)} (${holder.id})`,
    advice: "Give another `name`, or rename or delete that one first",
    cause,
  });
}

/** Everything that the program says and that can be sent. */
const managed = (resource: AnyResource, { news, ignored }: Compared): Properties =>
  Object.fromEntries(
    changeable(resource)
      .filter((property) => news[property] !== undefined && !isIgnored(property, ignored))
      .map((property) => [property, news[property]]),
  );

/** What was done before the failure is recorded; where nothing was, the failure stands alone. */
async function halfDone(
  resource: AnyResource,
  { id, state, news }: Compared,
  { cause, restored }: { readonly cause: unknown; readonly restored: Properties | undefined },
  { platform }: Context,
): Promise<unknown> {
  const reading = await resource.read(id, state, "platform", platform).catch(() => undefined);
  const observed = reading?.found === "live" ? reading.state : state;
  const known = Object.fromEntries(Object.keys(observed).map((property) => [property, state[property]]));
  if (!restored && isDeepStrictEqual(remember(resource, observed, news, {}), remember(resource, known, news, {})))
    return cause;
  return new Incomplete(id, remember(resource, observed, news, state), undefined, [
    `not yet as wanted: ${messageOf(cause)}`,
  ]);
}

async function revive(resource: AnyResource, compared: Compared, { platform, run }: Context): Promise<Properties> {
  const { id, state, news } = compared;
  mustBeRestorable(resource, compared);
  run.noteRestored(id);
  try {
    if (!resource.restore) throw new Refusal("conflict", { answer: `a ${nounOf(resource)} cannot be restored` });
    return await resource.restore(id, state, news, platform);
  } catch (cause) {
    // Found live, it counts as restored: by a request whose answer was lost, with its group, or by somebody else.
    if (isRefusal(cause, "absent", "unavailable") || (isRefusal(cause) && cause.uncertain)) {
      const reading = await resource.read(id, undefined, "platform", platform);
      if (reading.found === "live") return reading.state;
    }
    const why = await resource.refusal?.restore?.(id, state, news, platform).catch(() => undefined);
    throw why ? new Refusal("conflict", { tried: messageOf(cause), answer: why, cause }) : cause;
  }
}

/**
 * What a restored object has that only a replacement could change. It is no failure: the engine keeps the old inputs of
 * an update that failed, so the next run would take the difference for a change of the program and replace the object.
 */
export function keptDifferences(resource: AnyResource, restored: Compared, { run }: Context): string[] {
  const { id, state, news } = restored;
  return compare(resource, restored, run.names)
    .filter(({ property }) => markOf(resource, property).replaces)
    .map(({ property }) => {
      const is = `${property}: ${JSON.stringify(state[property])}`;
      return `Restored ${titleOf(resource, state)} (${id}) as it was deleted, with ${is}; the program says ${JSON.stringify(news[property])}. Later updates do not replace it because of that. To end the difference, write ${is}.`;
    });
}

interface Changing {
  readonly id: string;
  readonly observed: Properties;
  readonly changes: Properties;
}

async function tellConsequence(resource: AnyResource, { id, observed, changes }: Changing, { platform }: Context) {
  const consequence = await resource.consequence?.(id, observed, changes, platform);
  if (consequence) platform.warn(consequence);
}

/** Refuses, reading only, what an update would fail at, and tells what it would do beyond its changes. */
export async function mustBeUpdatable(resource: AnyResource, compared: Compared, context: Context): Promise<void> {
  const { id, state, news } = compared;
  if (state.deletedAt === undefined) return mustBeChangeable(resource, compared, context);
  await mustBeSameOrganization(state, context);
  mustBeRestorable(resource, compared);
  const why = await resource.refusal?.restore?.(id, state, knownOf(news), context.platform);
  if (why) throw new Refusal("conflict", { tried: `${titleOf(resource, state)} cannot be restored`, answer: why });
}

async function mustBeChangeable(resource: AnyResource, compared: Compared, context: Context): Promise<void> {
  const { id, state } = compared;
  const changes = changesInPlace(resource, compared);
  if (Object.keys(changes).length === 0 || !(resource.refusal?.update || resource.consequence)) return;
  await mustBeSameOrganization(state, context);
  const why = await resource.refusal?.update?.(id, state, knownOf(changes), context.platform);
  if (why) throw new Refusal("conflict", { tried: `${titleOf(resource, state)} cannot be updated`, answer: why });
  await tellConsequence(resource, { id, observed: state, changes: knownOf(changes) }, context);
}

/** What is deleted comes back as it was; little can be given anew with it. */
function mustBeRestorable(resource: AnyResource, compared: Compared): void {
  const { state, news } = compared;
  const live = { ...state, deletedAt: undefined };
  for (const { property, replaces } of compare(resource, { ...compared, state: live })) {
    const { restores } = markOf(resource, property);
    // What a record of something deleted does not say cannot contradict the program.
    if (!replaces || restores || state[property] === undefined || !isKnown(news[property])) continue;
    throw new Refusal("conflict", {
      tried: `${titleOf(resource, state)} cannot be restored`,
      answer: `it was deleted with ${property}: ${JSON.stringify(state[property])}, and the program says ${JSON.stringify(news[property])}`,
      advice: `Restore it as it was; \`${property}\` can be changed by a replacement afterwards`,
    });
  }
}
