import type { AnyResource } from "../definition";
import type { Facts } from "../facts";
import { timeAgo } from "../instant";
import { unlessRefused } from "../refusal";
import type { Drift } from "../run";
import { compare, type Difference } from "./compare";
import type { Context } from "./context";
import { changedOutside } from "./messages";
import { meansTheSame, type Properties, type State, thingOf } from "./properties";

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
 * Returns messages that say who changed the properties that this update corrects. Omits changes whose author
 * nobody knows.
 */
export async function authorMessages(
  resource: AnyResource,
  id: string,
  differences: readonly Difference[],
  { platform, run, now }: Context,
): Promise<string[]> {
  // With an alias, the engine has read the object under another URN.
  const read = run.resource(run.object(resource.type, id).urn ?? platform.urn);
  const { drift } = read;
  read.drift = undefined;
  const corrected = new Set(differences.map(({ property }) => property));
  const properties = drift?.properties.filter((property) => corrected.has(property)) ?? [];
  if (!drift || !resource.authorsOf || properties.length === 0) return [];
  const { observed } = drift;
  // A failed lookup must not make the preview fail, because naming the authors of changes is optional.
  const find = await resource.authorsOf(id, drift, platform).catch(unlessRefused);
  if (!find) return [];
  const authors = new Map<string, { readonly by: Facts<"author" | "ago">; readonly properties: string[] }>();
  for (const property of properties) {
    const found = await find(property, (value) => meansTheSame(resource, property, { wanted: value, observed }));
    if (!found) continue;
    const by = { author: found.author, ago: timeAgo(found.at, await now()) };
    const key = JSON.stringify(by);
    authors.set(key, { by, properties: [...(authors.get(key)?.properties ?? []), property] });
  }
  const thing = thingOf(resource, observed);
  return [...authors.values()].map(({ by, properties: changed }) =>
    changedOutside({ properties: changed, thing, ...by }),
  );
}
