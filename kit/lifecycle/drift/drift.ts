import { setterOf } from "../../../provider/client/audit-log/authors";
import type { Authorship } from "../../../provider/permissions/messages";
import { timeAgo } from "../../instant";
import { unlessRefused } from "../../refusal";
import type { AnyResource } from "../../resource/definition";
import { compare, type Difference } from "../compare";
import type { Context } from "../context";
import { meansTheSame, type Properties, type State, thingOf } from "../properties";
import type { Drift } from "./found";
import { changedOutside } from "./messages";

/**
 * Finds the properties that matched the program after the last update but no longer do. A difference that a failed
 * update did not correct is not drift.
 */
export function driftOf(resource: AnyResource, inputs: Properties, states: Omit<Drift, "properties">): Drift {
  const differing = (state: State) => compare(resource, { oldInputs: inputs, state, news: inputs });
  const earlier = new Set(differing(states.before).map(({ property }) => property));
  const properties = new Set(differing(states.observed).map(({ property }) => property));
  return { ...states, properties: [...properties].filter((property) => !earlier.has(property)) };
}

/**
 * Returns messages that say who changed the properties that this update corrects. Omits changes whose author the audit
 * log does not show.
 */
export async function authorMessages(
  resource: AnyResource,
  id: string,
  differences: readonly Difference[],
  { platform, run }: Context,
): Promise<string[]> {
  // With an alias, the engine has read the object under another URN.
  const read = run.resource(run.object(resource.type, id).urn ?? platform.urn);
  const { drift } = read;
  read.drift = undefined;
  const corrected = new Set(differences.map(({ property }) => property));
  const properties = drift?.properties.filter((property) => corrected.has(property)) ?? [];
  const { audited } = resource;
  if (!drift || !audited || properties.length === 0) return [];
  // A failed lookup must not make the preview fail, because naming the authors of changes is optional.
  const subject = await audited.subject(id, drift.observed, platform).catch(unlessRefused);
  if (!subject) return [];
  const authors = new Map<string, { readonly by: Authorship; readonly properties: string[] }>();
  for (const property of properties) {
    const isNow = (value: unknown) => meansTheSame(resource, property, { wanted: value, observed: drift.observed });
    const settings = audited.settings(property, drift.observed, drift.before) ?? {};
    const search = setterOf(subject, typeof settings === "string" ? { [settings]: isNow } : settings);
    const deed = await platform.platform.authorOf(search);
    if (!deed) continue;
    const by = { author: deed.author, origin: deed.origin, ago: timeAgo(deed.at, platform.platform.clock.now()) };
    const key = JSON.stringify(by);
    authors.set(key, { by, properties: [...(authors.get(key)?.properties ?? []), property] });
  }
  const thing = thingOf(resource, drift.observed);
  return [...authors.values()].map(({ by, properties: changed }) => changedOutside(changed, thing, by));
}
