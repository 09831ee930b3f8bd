import { type AnyResource, findByName } from "../definition";
import { nounOf, titleOf } from "../phrases";
import { isRefusal, Refusal, unlessRefused } from "../refusal";
import type { Run } from "../run";
import type { Comparison } from "./comparison";
import type { Context } from "./context";
import { operationImpossible, replacedIsDeleted, replacedIsGone } from "./messages";
import type { Properties } from "./properties";
import { newObjectPlanned } from "./restore/messages";
import { explainNameTaken } from "./taken/taken";

/**
 * Finds the old object of a replacement that was interrupted, or that could not delete it, if the program no longer
 * requires the replacement. The engine creates a replacement nevertheless, so the creation has to restore the object, or
 * to manage it again (docs/decisions/restore.md).
 */
export async function findObjectToTakeOver(
  resource: AnyResource,
  news: Properties,
  context: Context,
): Promise<Comparison | undefined> {
  const { platform, run } = context;
  const { takenBack } = run.resource(platform.urn);
  const old = takenBack ?? unreadComparison(resource, platform.urn, run);
  if (!old) return undefined;
  const { id, oldInputs, state } = old;
  const noteTakeover = () => run.note({ step: "take over", resource, urn: platform.urn, id });
  const reading = await resource.read(id, platform, { known: state }).catch((failure) => {
    noteTakeover();
    throw failure;
  });
  if (reading.status === "absent") return undefined;
  if (reading.status === "live" && !takenBack && !isWithdrawn(old, run)) return undefined;
  noteTakeover();
  const holder =
    reading.status === "deleted" ? await findByName(resource, news.name, platform).catch(unlessRefused) : undefined;
  if (holder !== undefined)
    throw new Refusal("conflict", {
      tried: operationImpossible({ operation: "restore", object: `${titleOf(resource, reading.state)} (${id})` }),
      ...(await explainNameTaken(resource, news, holder.id, context)),
    });
  return old.with({ state: resource.properties.record(reading.state, oldInputs, state), news });
}

/**
 * Returns the inputs that the last update recorded for the object that this update restores or manages again, because
 * the program no longer requires its replacement. The engine then checks the program's inputs as those of a new
 * resource, but the object keeps its generated name.
 */
export function inputsOfObjectToTakeOver(resource: AnyResource, urn: string, run: Run): Properties | undefined {
  const { takenBack } = run.resource(urn);
  if (takenBack) return takenBack.oldInputs;
  const old = unreadComparison(resource, urn, run);
  return old && isWithdrawn(old, run) ? old.oldInputs : undefined;
}

/** Returns the comparison of a resource that the program does not replace, and whose object the engine has not read. */
function unreadComparison({ type, softDeleted }: AnyResource, urn: string, run: Run): Comparison | undefined {
  const { comparisonUnlessReplaced: comparison } = run.resource(urn);
  if (!comparison || !softDeleted) return undefined;
  const { readUnder, observed, deleted } = run.object(type, comparison.id);
  if (deleted) return undefined;
  // Diff has found the deletion itself, because the state lacks the request to read the object.
  if (observed?.deletedAt !== undefined)
    return comparison.with({ state: { ...comparison.state, deletedAt: undefined } });
  // The last update recorded the deletion, so the program replaces the deleted object on purpose.
  if (comparison.state.deletedAt !== undefined) return undefined;
  // The engine reads every object except one that an interrupted replacement has deleted.
  return readUnder === undefined ? comparison : undefined;
}

/** Returns whether only an interrupted replacement can be the reason why the engine replaces the resource. */
const isWithdrawn = (comparison: Comparison, run: Run): boolean =>
  run.mayBeDeletedAlready(comparison.resource, comparison.id) || comparison.differencesGiven(run.names).length === 0;

/** Warns that the object which an interrupted replacement has deleted can no longer be restored. */
export async function warnOfObjectLostInReplacement(resource: AnyResource, { platform, run }: Context): Promise<void> {
  const { manages: replaced } = run.resource(platform.urn);
  if (!replaced || !resource.softDeleted || run.inStack(resource.type, replaced.id)) return;
  const reading = await resource.read(replaced.id, platform).catch(unlessRefused);
  if (reading?.status !== "absent") return;
  const lost = replacedIsGone({ title: replaced.title, id: replaced.id, isRestorable: true });
  platform.warn(`${lost}. ${newObjectPlanned({ kind: nounOf(resource), isRestorable: true, isDeclared: true })}`);
}

/** Adds to the error of a failed creation what became of the object that the creation replaces. */
export async function explainInterruptedReplacement(
  resource: AnyResource,
  failure: unknown,
  { platform, run }: Context,
): Promise<unknown> {
  const { manages: replaced } = run.resource(platform.urn);
  // The error about a taken name says itself what to do.
  if (!replaced || !resource.named || !isRefusal(failure) || isRefusal(failure.cause, "taken")) return failure;
  const reading = await resource.read(replaced.id, platform).catch(unlessRefused);
  if (reading?.status === "live" || (!reading && !run.object(resource.type, replaced.id).deleted)) return failure;
  const fate =
    reading?.status === "deleted"
      ? replacedIsDeleted({ deletion: reading.message })
      : replacedIsGone({ title: replaced.title, id: replaced.id, isRestorable: resource.softDeleted !== undefined });
  const { kind, status, code, uncertain, message: answer } = failure;
  return new Refusal(kind, { answer, advice: fate, status, code, uncertain, cause: failure });
}
