import type { AnyResource } from "../definition";
import type { Facts } from "../facts";
import { timeAgo } from "../instant";
import { nounOf, titleOf, titlePhrase } from "../phrases";
import { unlessRefused } from "../refusal";
import { type ObjectRecord, ownerInRun, type Run } from "../run";
import type { Drift } from "../run-events";
import { type Comparison, compare, type Difference } from "./comparison";
import type { Context } from "./context";
import { changedOutside } from "./messages";
import { isIgnoredProperty, type Properties, type ShownDifference, type State } from "./properties";
import { differenceKept, nameOfAnother, referenceOutdated } from "./restore/messages";

/**
 * Finds the properties that matched the program after the last update but no longer do. A difference that a failed
 * update did not correct is not drift.
 */
export function driftOf(
  resource: AnyResource,
  inputs: Properties,
  states: Omit<Drift, "properties">,
): Drift | undefined {
  const differing = (state: State) => compare(resource, { oldInputs: inputs, state, news: inputs });
  const earlier = new Set(differing(states.before).map(({ property }) => property.name));
  const now = new Set(differing(states.observed).map(({ property }) => property.name));
  const properties = [...now].filter((property) => !earlier.has(property));
  return properties.length === 0 ? undefined : { ...states, properties };
}

/**
 * Returns messages that say who changed the properties that this update corrects, from what to what. Omits changes whose
 * author nobody knows.
 */
export async function describeDrift(
  { resource, id, news }: Comparison,
  differences: readonly Difference[],
  { platform, run, platformTime }: Context,
): Promise<string[]> {
  const { drift } = run.object(resource.type, id);
  // The engine may compare an object again.
  if (!drift || !resource.authorsOf || run.count(`drift ${resource.type} ${id}`) > 1) return [];
  const corrected = new Set(differences.map(({ property }) => property.name));
  const properties = drift.properties.filter((name) => corrected.has(name));
  if (properties.length === 0) return [];
  const { before, observed } = drift;
  // A failed lookup must not make the preview fail, because naming the authors of changes is optional.
  const find = await resource.authorsOf(id, drift, platform).catch(unlessRefused);
  if (!find) return [];
  const authors = new Map<
    string,
    Facts<"author" | "ago" | "isSetBack"> & { readonly changes: readonly ShownDifference[] }
  >();
  for (const name of properties) {
    const property = resource.properties.get(name);
    const found = await find(name, (value) => property.isEqual(value, observed));
    if (!found) continue;
    const isSetBack = property.onChange !== "replace" && property.isEqual(news[name], before);
    const by = { author: found.author, ago: timeAgo(found.at, await platformTime()), isSetBack };
    const key = JSON.stringify(by);
    const change = property.difference({ state: before, news: observed });
    authors.set(key, { ...by, changes: [...(authors.get(key)?.changes ?? []), change] });
  }
  const thing = driftedThing(resource, observed, run);
  return [...authors.values()].map((facts) => changedOutside({ thing, ...facts }));
}

/** Returns the phrase that names what has drifted: for a part of another object, that object. */
function driftedThing(resource: AnyResource, observed: State, run: Run): string {
  const owner = resource.inside?.isPart ? ownerInRun(resource, observed, run) : undefined;
  if (!owner) return titlePhrase(resource, observed);
  const managing = run.urnOf(owner.type, owner.id);
  return (managing && run.resource(managing).manages?.title) ?? `${nounOf(owner)} ${owner.id}`;
}

interface JudgedDrift {
  readonly differences: readonly Difference[];
  readonly warnings: readonly string[];
}

/**
 * Judges the drift that only a replacement could remove, because drift never causes a replacement. Such drift stays a
 * difference, with a warning. But a reference by a name that no object has any more is only a warning: the resource is
 * where the program has put it, so an update would change nothing.
 */
export async function judgeDrift(
  comparison: Comparison,
  differences: readonly Difference[],
  context: Context,
): Promise<JudgedDrift> {
  if (comparison.state.deletedAt !== undefined || differences.some(({ replaces }) => replaces))
    return { differences, warnings: [] };
  const judged = await Promise.all(
    differences.map((difference) => judgeDriftedProperty(comparison, difference, context)),
  );
  return {
    differences: judged.flatMap((one) => one.differences),
    warnings: judged.flatMap(({ warnings }) => warnings),
  };
}

async function judgeDriftedProperty(
  { resource, id, state, news }: Comparison,
  difference: Difference,
  { platform, run }: Context,
): Promise<JudgedDrift> {
  const { property } = difference;
  if (property.onChange !== "replace" || property.isLocal) return { differences: [difference], warnings: [] };
  const title = titleOf(resource, state);
  const wanted = String(news[property.name]);
  const target = property.references?.target(state);
  const shown = property.difference({ state, news });
  if (!property.references || !target)
    return { differences: [difference], warnings: [differenceKept({ title, id, difference: shown })] };

  const { type, find, isId } = property.references;
  const found = await find(wanted, platform);
  if (found === undefined && !undoesNameDrift(wanted, run.object(type, target.id), run))
    return {
      differences: [],
      warnings: [referenceOutdated({ title, id, referred: { kind: nounOf({ type }), ...target }, ...shown })],
    };
  if (found === undefined || found === target.id) return { differences: [], warnings: [] };
  const successor = isId(wanted)
    ? undefined
    : nameOfAnother({ kind: nounOf({ type }), name: wanted, id: found, own: target.id });
  return {
    differences: [difference],
    warnings: [differenceKept({ title, id, difference: shown, nameOfAnother: successor })],
  };
}

/**
 * Returns whether this update seems to give back to an object of the stack the name that it had before somebody renamed
 * it. Until the program has declared the object, this is assumed of every object whose name has drifted.
 */
function undoesNameDrift(name: string, object: ObjectRecord, run: Run): boolean {
  const managing = run.resourceOf(object);
  if (managing === undefined) return false;
  const { inputs, comparisonUnlessReplaced } = managing;
  if (!inputs) return Boolean(object.drift?.properties.includes("name"));
  return inputs.name === name && !isIgnoredProperty("name", comparisonUnlessReplaced?.ignored);
}
