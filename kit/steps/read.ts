import { isDeepStrictEqual } from "node:util";
import { type AnyResource, findByName } from "../definition";
import { explainForbiddenStep } from "../explain";
import type { IdOrReason } from "../facts";
import { assertSameAccount } from "../lifecycle/account";
import { argumentsFromState } from "../lifecycle/arguments";
import type { Context } from "../lifecycle/context";
import { driftOf } from "../lifecycle/drift";
import { InitFailedError } from "../lifecycle/init-failed";
import { lookUp, lookUpImported, type ReadAnswer } from "../lifecycle/look-up";
import { checkRecordedSettings } from "../lifecycle/messages";
import { IMPORTED, type Properties, type State } from "../lifecycle/properties";
import { isRecordedState, runRecordable } from "../lifecycle/recordable";
import {
  CHECK_ID,
  deletedObject,
  doesNotExist,
  importElsewhere,
  importedTwice,
  importOverLive,
  nameOfAnother,
  newObjectPlanned,
  noLongerExists,
  noSuchObject,
} from "../lifecycle/restore/messages";
import { describeRestorability, isRestorationAnnounced } from "../lifecycle/warnings";
import { nounOf, titleOf } from "../phrases";
import { isUnreachable, mayComeFromSettings, Refusal, unlessRefused } from "../refusal";
import type { ReadResult } from "../results";
import { isPartOfRestored } from "../run";
import { seen } from "../run-events";

interface ManagedObject extends ReadAnswer {
  readonly id: string;
}

/**
 * A read request from the engine. An import sends no state; `.get` and `pulumi do … read` send a state that no update
 * has recorded.
 */
interface ReadRequest {
  readonly id: string;
  readonly inputs: Properties;
  readonly state: State | undefined;
}

/**
 * Reads an object that the stack manages, the engine imports or the program only looks up. Returns `undefined` if the
 * object does not exist.
 */
export const read = (
  resource: AnyResource,
  request: ReadRequest,
  context: Context,
): Promise<(ReadAnswer & { readonly id: string }) | undefined> =>
  runRecordable(resource, async () => {
    const found = await readUnchecked(resource, request, context);
    return found && { id: request.id, ...found };
  });

async function readUnchecked(
  resource: AnyResource,
  { id, inputs, state }: ReadRequest,
  context: Context,
): Promise<ReadAnswer | undefined> {
  if (state === undefined) {
    const imported = await readImported(resource, id, context);
    const { platform, run } = context;
    run.note({ step: "kept", ...seen({ resource, id, state: imported.state }, platform.urn) });
    return imported;
  }
  return isRecordedState(state, context)
    ? readManaged(resource, { id, inputs, state }, context)
    : readUnmanaged(resource, id, context);
}

/**
 * Reads an object that the engine imports. For a deleted object, throws `InitFailedError`, so that the next update
 * restores the object.
 *
 * @throws Refusal if the resource manages another live object, which the engine would replace.
 */
export async function readImported(resource: AnyResource, id: string, context: Context): Promise<ReadAnswer> {
  const { platform, run } = context;
  const { manages: held } = run.resource(platform.urn);
  if (held && held.id !== id) {
    const problem = await resource.identify(id, platform);
    throw new Refusal("conflict", {
      answer: importOverLive({ managed: held, id }),
      advice: problem ?? importElsewhere({ id }),
    });
  }
  const other = run.claim(platform.urn, "import", `${resource.type} import ${id}`);
  if (other !== undefined) throw new Refusal("conflict", importedTwice({ urn: other, id }));
  const about = { resource, urn: platform.urn, id };
  run.note({ step: "import", ...about });
  const imported = (state: State): State => {
    run.note({ step: "imported", ...about, importedName: state.name });
    return { ...state, [IMPORTED]: true };
  };
  try {
    const read = await lookUpImported(resource, id, context);
    return { ...read, state: imported(read.state) };
  } catch (found) {
    if (!(found instanceof InitFailedError)) throw found;
    throw new InitFailedError(found.id, imported(found.state), found.inputs, found.reasons);
  }
}

/** The name in the URN of a call to Pulumi's `exists()`. */
const EXISTS = "__exists__";

/**
 * Reads an object that the program only looks up (`.get`, `exists()`, `pulumi do … read`). Returns `undefined` only if
 * the object certainly does not exist. A deleted object is an error, because `pulumi up` would not restore it.
 */
async function readUnmanaged(resource: AnyResource, id: string, context: Context): Promise<ReadAnswer | undefined> {
  const { platform } = context;
  const reading = await lookUp(resource, id, context);
  if (reading.status === "absent") {
    const { message, advice = CHECK_ID, isHidden } = reading;
    if (isHidden) throw new Refusal("absent", { answer: message, advice });
    // The engine reports for `.get` only that the object does not exist. For `exists()`, this is a valid answer.
    if (!platform.urn.endsWith(`::${EXISTS}`))
      platform.warn(doesNotExist({ kind: nounOf(resource), advice, ...readIdOrReason(resource, id, message) }));
    return undefined;
  }
  const { status, state } = reading;
  if (status === "live") return { state, inputs: argumentsFromState(resource, state) };
  const restorable = await describeRestorability(resource, String(state.restorableUntil), platform);
  const deleted = { deletedAt: String(state.deletedAt), restorable };
  throw new Refusal(
    "absent",
    deletedObject({ kind: nounOf(resource), title: titleOf(resource, state), id, ...deleted }),
  );
}

/**
 * Reads an object that the stack already manages. Returns `undefined` if the object no longer exists. The inputs stay
 * unchanged, so that properties which the program omits stay unmanaged. For a deleted object, the state contains
 * `deletedAt`, which makes Diff plan a restore.
 */
export async function readManaged(
  resource: AnyResource,
  { id, inputs, state }: ManagedObject,
  context: Context,
): Promise<ReadAnswer | undefined> {
  const { platform, run } = context;
  const about = { resource, urn: platform.urn, id };
  run.note({ step: "read", ...about, inputs, state });
  // No read is needed if the update applies all managed properties again.
  if (isPartOfRestored(resource, state, context.run)) return { state, inputs };
  const reading = await readExplainingRefusal(resource, id, state, context);
  if (reading.status === "live") {
    const recorded = resource.properties.record(reading.state, inputs, state);
    // The run holds an equal state only once.
    const observed = isDeepStrictEqual(recorded, state) ? state : recorded;
    const { deletedOwner } = reading;
    const drift = observed === state ? undefined : driftOf(resource, inputs, { before: state, observed });
    run.note({ step: "found", ...about, inputs, state: observed, deletedOwner, drift });
    if (reading.message) platform.warn(reading.message);
    return { state: observed, inputs };
  }
  if (reading.status === "absent") {
    run.note({ step: "found absent", ...about });
    const successor = await successorMessage(resource, id, state, context);
    const isDeclared = run.resource(platform.urn).inputs !== undefined;
    const isRestorable = resource.softDeleted !== undefined;
    const next = successor ?? newObjectPlanned({ kind: nounOf(resource), isRestorable, isDeclared });
    const title = titleOf(resource, state);
    platform.warn(`${noLongerExists({ title, ...readIdOrReason(resource, id, reading.message) })} ${next}`);
    return undefined;
  }
  const deleted = resource.properties.record(reading.state, inputs, state);
  run.note({ step: "found deleted", ...about, inputs, state: deleted });
  const successor = await successorMessage(resource, id, state, context);
  if (!isRestorationAnnounced(resource, id, context)) {
    const isReported = await isReportedByOwner(resource, reading.state, context);
    const lines = [...(isReported ? [] : [reading.message]), successor];
    const message = lines.filter((line) => line !== undefined).join("\n");
    if (message) platform.warn(message);
  }
  return { state: deleted, inputs };
}

/** Returns the id instead of a reason that says only that the object does not exist. */
const readIdOrReason = (resource: AnyResource, id: string, reason: string): IdOrReason =>
  reason === noSuchObject({ kind: nounOf(resource), id }) ? { id } : { reason };

/**
 * Returns whether the object was deleted by the last deletion of an object that the stack manages and that is still
 * deleted, such as a note with its notebook. The message about the notebook then names the note.
 */
async function isReportedByOwner(
  { softDeleted }: AnyResource,
  state: State,
  { platform, run }: Context,
): Promise<boolean> {
  const owner = softDeleted?.alsoRestores?.(state);
  return owner !== undefined && run.inStack(owner.type, owner.id) && (await owner.isStillDeletedWithIt(platform));
}

async function readExplainingRefusal(
  resource: AnyResource,
  id: string,
  state: Properties,
  context: Context,
): Promise<ReadResult<Properties>> {
  try {
    await assertSameAccount(state, context);
    return await explainForbiddenStep(resource, "read", context, () =>
      resource.read(id, context.platform, { known: state, maxAge: "seconds" }),
    );
  } catch (cause) {
    if (!context.provider.isRecorded || !mayComeFromSettings(cause)) throw cause;
    const { kind, status, message: answer } = cause;
    // Settings that are never recorded are no address.
    const unrecorded = isUnreachable(cause) ? undefined : context.provider.unrecorded;
    throw new Refusal(kind, { answer, advice: checkRecordedSettings({ unrecorded }), status, cause });
  }
}

/**
 * Returns a message if another object now has the recorded name, so that the user does not mistake the new object for
 * the old one.
 */
async function successorMessage(
  resource: AnyResource,
  id: string,
  state: State,
  { platform }: Context,
): Promise<string | undefined> {
  if (state.name === undefined) return undefined;
  const holder = await findByName(resource, state.name, platform, { maxAge: "seconds" }).catch(unlessRefused);
  return holder && nameOfAnother({ kind: nounOf(resource), name: state.name, id: holder.id, own: id });
}
