import { type AnyResource, findByName } from "../definition";
import { nounOf } from "../phrases";
import type { Ids, Made } from "../results";
import { eachUntilCallEnds } from "./call";
import { compare } from "./compare";
import type { Context } from "./context";
import { listCancelled } from "./messages";
import { isGeneratedName } from "./naming";
import type { Properties, State } from "./properties";
import { canonicalResourceKey, resourceKey } from "./taken/taken";

/**
 * Finds the object that a creation has made, by its name or key, or in the list if the author's code cannot make sense of
 * the object itself. Returns "none" if there is certainly no such object, and `undefined` if nobody knows.
 */
export async function findMade(
  resource: AnyResource,
  args: Properties,
  before: Ids | undefined,
  { platform, run, ends }: Context,
): Promise<Made<State> | "none" | undefined> {
  const { keyed, list } = resource;
  const isMade = (id: string) => !run.object(resource.type, id).kept && (keyed ? true : before?.has(id) === false);
  try {
    const found = await (keyed
      ? keyed.find(resourceKey(resource, args) ?? "", platform)
      : findByName(resource, args.name, platform));
    if (!found || before?.has(found.id)) return "none";
    return isMade(found.id) ? found : undefined;
  } catch {
    // The list shows the object by its id and name alone.
  }
  const wanted = keyed ? canonicalResourceKey(resource, resourceKey(resource, args) ?? "") : args.name;
  try {
    const all = list?.({ ...platform, deleted: false });
    if (!all) return undefined;
    for await (const { id, name } of eachUntilCallEnds(all, ends, listCancelled({ kind: nounOf(resource) })))
      if ((keyed ? canonicalResourceKey(resource, name) : name) === wanted && isMade(id))
        return { id, state: shownIn(args) };
  } catch {
    return undefined;
  }
  return undefined;

  function shownIn(inputs: Properties): State {
    return Object.fromEntries(Object.entries(inputs).filter(([property]) => resource.properties.hasInput(property)));
  }
}

/**
 * Returns whether an object has the requested values in all properties that can be set only when the object is created.
 */
export function isCreatedAsRequested(resource: AnyResource, args: Properties, state: State): boolean {
  if (resource.named?.madeWith?.(args, state) === false) return false;
  const differs = new Set(compare(resource, { oldInputs: args, state, news: args }).map(({ property }) => property));
  return resource.properties.inputs
    .filter(({ name, onChange }) => onChange === "replace" || isGeneratedName(resource, name))
    .filter(({ isShown }) => isShown)
    .every(({ name }) => !differs.has(name) && (args[name] === undefined) === (state[name] === undefined));
}
