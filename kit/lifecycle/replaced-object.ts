import { isDeepStrictEqual } from "node:util";
import type { AnyResource } from "../definition";
import { bringsOf, nounOf, titleOf } from "../phrases";
import type { Property } from "../property";
import { isRefusal, Refusal, unlessRefused } from "../refusal";
import { restorableAfterDeletion } from "../restorable";
import type { ResourceRecord, Run } from "../run";
import type { StackObject } from "../run-events";
import { type Comparison, compare } from "./comparison";
import type { Context } from "./context";
import {
  notDeleted,
  oneOfSeveralIsDeleted,
  replacedIsDeletedNow,
  replacedIsKept,
  replacedIsLeft,
  replacedIsTakenBack,
  replacementStillDeleted,
} from "./messages";
import { FILLED_IN, isFilledInArgument, isKnown, type Properties } from "./properties";

// A replacement that has created the new object, but could not delete the old one, leaves both in the state. With
// `refresh_before_update`, the engine reads the old object too, under the URN of the new one; it compares only the new
// one with the program. It deletes the old one after all creations, whatever the program says, and calls nothing for that
// in a preview.

/**
 * Returns whether an earlier replacement of the resource certainly could not delete the object. Without a comparison, any
 * of several objects could be the one that the resource manages.
 */
export const isReplacedEarlier = ({ inputs, compared }: ResourceRecord, id: string): boolean =>
  inputs !== undefined && compared !== undefined && compared.id !== id;

/** An object without a name is part of another object, or cannot be deleted, so no resource could manage it again. */
const canOutliveReplacement = ({ named }: AnyResource): boolean => named !== undefined;

/**
 * Returns whether the object could stay if the resource managed it, because no difference would replace it. A generated
 * name does not count, because each object has another one. `undefined` if that depends on values that are not known yet.
 */
function isDeclaredAgain(
  resource: AnyResource,
  held: StackObject,
  news: Properties,
  { urn, run }: { readonly urn: string; readonly run: Run },
): boolean | undefined {
  const { inputs: oldInputs, state } = held;
  if (resource.isSuperseded?.(held, run.resource(urn).compared?.state, news)) return false;
  const wanted = withNameOf(held, news, run.resource(urn));
  const live = { ...state, deletedAt: undefined };
  const replacing = compare(resource, { oldInputs, state: live, news: wanted }, run.names)
    .filter(({ property, replaces }) => replaces && !refersToReplaced(property, wanted[property.name], run))
    .map(({ property }) => property.name);
  if (replacing.some((property) => isKnown(wanted[property]))) return false;
  return replacing.length === 0 ? true : undefined;
}

/**
 * Returns whether a value refers to a container that this update created, and that may be another one only because the
 * engine has not read the old one: it deletes what is in a container before the container itself.
 */
function refersToReplaced({ references }: Property, value: unknown, run: Run): boolean {
  if (run.readsFirst || !references || typeof value !== "string") return false;
  return [run.object(references.type, value), ...run.named(references.type, value)].some(({ created }) => created);
}

/** If the program omits a name that it once gave, the resource keeps that name, which means no more than a generated one. */
const withNameOf = ({ inputs }: StackObject, news: Properties, { isNameOmitted }: ResourceRecord): Properties =>
  (isNameOmitted || isFilledInArgument(news, "name")) && isFilledInArgument(inputs, "name")
    ? { ...news, name: inputs.name }
    : news;

/**
 * Finds the old object of a replacement that could not delete it, if the program takes the replacement back. The update
 * then manages that object again instead of creating a third one.
 */
export function findTakenBack(comparison: Comparison, { platform, run }: Context): Comparison | undefined {
  const { resource, id, news } = comparison;
  const record = run.resource(platform.urn);
  if (!canOutliveReplacement(resource) || record.inputs === undefined) return undefined;
  const isLive = ({ state }: StackObject) => state.deletedAt === undefined;
  const candidates = [...record.objects.values()]
    .filter((held) => held !== undefined)
    .filter((held) => held.id !== id && !run.object(resource.type, held.id).isInUse)
    .filter((held) => isDeclaredAgain(resource, held, news, { urn: platform.urn, run }) === true);
  const held = candidates.find(isLive) ?? candidates[0];
  if (!held) return undefined;
  return comparison.with({ id: held.id, oldInputs: held.inputs, state: held.state });
}

/** Warns what the update does with the objects that earlier replacements of the resource could not delete. */
export async function warnOfReplacedEarlier(
  comparison: Comparison,
  isReplacing: boolean,
  context: Context,
): Promise<void> {
  const { platform, run } = context;
  const { resource } = comparison;
  const record = run.resource(platform.urn);
  for (const held of record.objects.values()) {
    if (!held || held.id === comparison.id) continue;
    const title = titleOf(resource, held.state);
    if (held.id === record.takenBack?.id) {
      const managed = { title: titleOf(resource, comparison.state), id: comparison.id };
      const restorableUntil = await restorableAfterDeletion(resource.softDeleted, platform);
      platform.warn(replacedIsTakenBack({ title, id: held.id, managed, restorableUntil }));
    } else if (
      held.state.deletedAt === undefined &&
      isDeclaredAgain(resource, held, comparison.news, { urn: platform.urn, run }) !== undefined
    )
      await warnOfReplacedDeletion(resource, held, isReplacing, context);
  }
}

/** Warns once that the update deletes an object which an earlier replacement of the resource could not delete. */
export async function warnOfReplacedDeletion(
  resource: AnyResource,
  held: StackObject,
  isReplacing: boolean,
  context: Context,
): Promise<void> {
  const { platform, run } = context;
  const record = run.resource(platform.urn);
  if (!canOutliveReplacement(resource) || !isReplacedEarlier(record, held.id)) return;
  if (run.object(resource.type, held.id).isInUse) return;
  if (isSpared(resource, held, isReplacing, context)) return;
  await run.once(`replaced ${resource.type} ${held.id}`, async () =>
    platform.warn(
      replacedIsDeletedNow({
        title: titleOf(resource, held.state),
        id: held.id,
        brings: bringsOf(resource),
        restorableUntil: await restorableAfterDeletion(resource.softDeleted, platform),
      }),
    ),
  );
}

/** Warns that the update deletes one of several objects of a resource that left the program: no preview names them. */
export async function warnOfOneOfSeveral(
  resource: AnyResource,
  { id, state }: StackObject,
  context: Context,
): Promise<void> {
  const { platform, run } = context;
  const { inputs, objects } = run.resource(platform.urn);
  const live = [...objects.values()].filter((held) => held && held.state.deletedAt === undefined) as StackObject[];
  if (!canOutliveReplacement(resource) || inputs !== undefined || live.length < 2) return;
  platform.warn(
    oneOfSeveralIsDeleted({
      title: titleOf(resource, state),
      id,
      brings: bringsOf(resource),
      restorableUntil: await restorableAfterDeletion(resource.softDeleted, platform),
    }),
  );
}

function isSpared(
  resource: AnyResource,
  held: StackObject,
  isReplacing: boolean,
  { platform, run }: Pick<Context, "platform" | "run">,
): boolean {
  const { inputs: news } = run.resource(platform.urn);
  if (news === undefined) return false;
  if (isReplacing) return isDeclaredAgain(resource, held, news, { urn: platform.urn, run }) === true;
  // An update that took the replacement back may have been killed before it came here. What has no data is not kept: it
  // may have been replaced for another reason than its inputs, for example because it has expired.
  return (
    resource.softDeleted !== undefined &&
    isDeepStrictEqual(inputsOf(held.inputs), inputsOf(withNameOf(held, news, run.resource(platform.urn))))
  );
}

const inputsOf = ({ [FILLED_IN]: _, ...inputs }: Properties): Properties => inputs;

/**
 * Explains that an object which an earlier replacement of the resource could not delete is kept, because the program
 * declares it again, but the resource already manages another one. `undefined` if the object may be deleted.
 */
export function explainReplacedKept(
  resource: AnyResource,
  held: StackObject,
  { platform, run }: Context,
): string | undefined {
  const record = run.resource(platform.urn);
  const { takeover, isInUse } = run.object(resource.type, held.id);
  if (!canOutliveReplacement(resource) || !isReplacedEarlier(record, held.id)) return undefined;
  if (takeover !== undefined || isInUse) return undefined;
  if (!isSpared(resource, held, record.hasOtherObject, { platform, run })) return undefined;
  return replacedIsKept({
    kind: nounOf(resource),
    title: titleOf(resource, held.state),
    id: held.id,
    brings: bringsOf(resource),
    isReplacing: record.hasOtherObject,
  });
}

/**
 * Refuses to delete an old object if the object that replaced it is deleted, and this update could not restore it: the
 * old one may be the only live copy. With `--continue-on-error`, the engine deletes although an update has failed.
 */
export function assertReplacementLive(
  resource: AnyResource,
  { id, state }: StackObject,
  { platform, run }: Context,
): void {
  const { comparisonUnlessReplaced: managed } = run.resource(platform.urn);
  if (!managed?.isRestored || managed.id === id || run.object(resource.type, managed.id).isLiveAgain) return;
  throw new Refusal("conflict", {
    tried: notDeleted({ title: titleOf(resource, state), id }),
    answer: replacementStillDeleted({ title: titleOf(resource, managed.state), id: managed.id }),
  });
}

/** Adds to the error of a failed deletion what becomes of the object, if it is the old object of a replacement. */
export async function explainReplacedLeft(
  resource: AnyResource,
  { id, state }: StackObject,
  failure: unknown,
  { platform, run }: Context,
): Promise<unknown> {
  const record = run.resource(platform.urn);
  const isOld = record.inputs !== undefined && (record.hasOtherObject || isReplacedEarlier(record, id));
  if (!isOld || !canOutliveReplacement(resource) || resource.unimportable || !isRefusal(failure)) return failure;
  const reading = await resource.read(id, platform, { known: state }).catch(unlessRefused);
  if (reading && reading.status !== "live") return failure;
  const { kind, status, code, uncertain, message: answer } = failure;
  const advice = replacedIsLeft({
    title: titleOf(resource, state),
    id,
    brings: bringsOf(resource),
    isRead: run.readsFirst,
  });
  return new Refusal(kind, { answer, advice, status, code, uncertain, cause: failure });
}
