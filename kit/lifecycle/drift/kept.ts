import type { AnyResource } from "../../definition";
import type { ObjectRecord, Run } from "../../run";
import { type Compared, type Difference, isIgnored } from "../compare";
import type { Context } from "../context";
import { isLocal, nounOf, shownDifference, titleOf, traitsOf } from "../properties";
import { differenceKept, nameOfAnother, referenceOutdated } from "../restore/messages";

interface Judged {
  readonly differences: readonly Difference[];
  readonly warnings: readonly string[];
}

/**
 * Judges the drift that only a replacement could remove, because drift never causes a replacement. Such drift stays a
 * difference, with a warning. But a reference by a name that no object has any more is only a warning: the resource is
 * where the program has put it, so an update would change nothing (decision 178).
 */
export async function judgeKept(
  resource: AnyResource,
  compared: Compared,
  differences: readonly Difference[],
  context: Context,
): Promise<Judged> {
  if (compared.state.deletedAt !== undefined || differences.some(({ replaces }) => replaces))
    return { differences, warnings: [] };
  const judged = await Promise.all(differences.map((difference) => judge(resource, compared, difference, context)));
  return {
    differences: judged.flatMap((one) => one.differences),
    warnings: judged.flatMap(({ warnings }) => warnings),
  };
}

async function judge(
  resource: AnyResource,
  { id, state, news }: Compared,
  difference: Difference,
  { platform, run }: Context,
): Promise<Judged> {
  const { property } = difference;
  const { requiresReplace, semantics } = traitsOf(resource, property);
  if (!requiresReplace || isLocal(resource, property)) return { differences: [difference], warnings: [] };
  const title = titleOf(resource, state);
  const wanted = String(news[property]);
  const target = semantics?.reference?.target(state);
  const shown = shownDifference(resource, property, { state, news });
  if (!semantics?.reference || !target)
    return { differences: [difference], warnings: [differenceKept({ title, id, difference: shown })] };

  const { type, find, isId } = semantics.reference;
  const found = await find(wanted, platform);
  if (found === undefined && !isRenamedTo(wanted, run.object(type, target.id), run))
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
function isRenamedTo(name: string, { type, id, urnNow }: ObjectRecord, run: Run): boolean {
  const managing = urnNow ?? run.urnOf(type, id);
  if (managing === undefined) return false;
  const { inputs, drift, matched } = run.resource(managing);
  if (!inputs) return Boolean(drift?.properties.includes("name"));
  return inputs.name === name && !isIgnored("name", matched?.ignored);
}
