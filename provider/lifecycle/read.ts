import { isRefusal, Refusal, unlessRefused } from "../../platform/client/refusal";
import { readableInstant } from "../../platform/values/instant";
import type { AnyResource } from "../resource/definition";
import type { ReadResult } from "../resource/results";
import { inputsOfImport } from "./check";
import { compare } from "./compare";
import { assertSameOrganization, type Context, REMEMBERED_SETTINGS } from "./context";
import { isAppliedAgain } from "./diff";
import { InitFailedError } from "./init-failed";
import { capitalized, IMPORTED, nounOf, type Properties, remember, type State, titleOf, traitsOf } from "./properties";

export interface Read {
  readonly state: State;
  /** On import, the arguments that would declare the object; otherwise the inputs of the request. */
  readonly inputs: Properties;
}

interface Managed extends Read {
  readonly id: string;
}

/**
 * A read request of the engine. An import sends no state; `.get` and `pulumi do … read` send a state that no update has
 * recorded.
 */
interface ReadRequest {
  readonly id: string;
  readonly inputs: Properties;
  readonly state: State | undefined;
}

/**
 * Reads an object that the program manages, imports or only looks up. Returns `undefined` if the object no longer
 * exists.
 */
export async function read(
  resource: AnyResource,
  { id, inputs, state }: ReadRequest,
  context: Context,
): Promise<Read | undefined> {
  if (state === undefined) {
    const imported = await readImported(resource, id, context);
    context.session.noteKept(resource, id, imported.state);
    return imported;
  }
  const isRecorded = state.organizationId !== undefined;
  return isRecorded ? readManaged(resource, { id, inputs, state }, context) : readUnmanaged(resource, id, context);
}

/** Returns advice for an import that would replace the object that the resource manages. */
export const importElsewhere = (id: unknown): string =>
  `To import ${id}, declare a second resource with another logical name and another \`name\`, and set \`import\` there; remove \`import\` here`;

/**
 * Reads an object for an import by the engine. A deleted object is thrown as `InitFailedError`, so that the next update
 * restores it.
 *
 * @throws Refusal if the resource manages another live object, because the engine would replace that object.
 */
export async function readImported(resource: AnyResource, id: string, context: Context): Promise<Read> {
  const { platform, session } = context;
  const held = session.managedUnder(platform.urn);
  if (held && held.id !== id) {
    const problem = await resource.identify(id, platform);
    throw new Refusal("conflict", {
      answer: `this resource manages ${held.title} (${held.id}), which is live, and \`import\` says "${id}"`,
      advice: problem ?? importElsewhere(id),
    });
  }
  const other = session.claim(platform.urn, "import", `${resource.type} import ${id}`);
  if (other !== undefined)
    throw new Refusal("conflict", {
      answer: `${other} imports ${id} as well`,
      advice: "One object belongs to one resource: remove `import` from one of them",
    });
  session.noteNewImport(resource, id);
  session.noteInStack(resource.type, id);
  const imported = (state: State): State => {
    session.noteImported(platform.urn, id);
    session.noteNewImport(resource, id, state.name);
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

/**
 * Reads an object to import it. A deleted object is thrown as `InitFailedError`, so that the next update restores it.
 */
export async function lookUpImported(resource: AnyResource, id: string, context: Context): Promise<Read> {
  const { platform } = context;
  const reading = await lookUp(resource, id, context, "To create a new, empty one, remove `import`");
  const inputs = inputsOfImport(resource, reading.state);
  for (const property of resource.shownOnce)
    platform.warn(`The platform shows \`${property}\` only at creation, so an imported ${nounOf(resource)} lacks it.`);
  if (reading.status === "deleted") {
    // The engine does not show the reasons of a failed import.
    platform.warn(reading.message);
    throw new InitFailedError(id, reading.state, inputs, [reading.message]);
  }
  return { state: reading.state, inputs };
}

/** Reads an object that the program does not manage (`.get`, `pulumi do … read`) and therefore would not restore. */
async function readUnmanaged(resource: AnyResource, id: string, context: Context): Promise<Read> {
  const { status, state } = await lookUp(resource, id, context, "Check the id");
  if (status === "live") return { state, inputs: inputsOfImport(resource, state) };
  throw new Refusal("absent", {
    answer: `${titleOf(resource, state)} (${id}) was deleted on ${readableInstant(String(state.deletedAt))} and can be restored until ${readableInstant(String(state.restorableUntil))}`,
    advice: `To restore it, declare it with the option \`import: "${id}"\``,
  });
}

async function lookUp(resource: AnyResource, id: string, { platform }: Context, advice: string) {
  const problem = await resource.identify(id, platform);
  if (problem) throw new Refusal("invalid", { answer: problem });
  const reading = await resource.read(id, undefined, "platform", platform);
  if (reading.status === "absent")
    throw new Refusal("absent", { answer: reading.message, advice: reading.advice ?? advice });
  return reading;
}

/**
 * Reads an object that is already managed. Returns `undefined` if the object no longer exists. The inputs stay
 * unchanged, so that properties omitted from the program stay unmanaged.
 */
export async function readManaged(
  resource: AnyResource,
  { id, inputs, state }: Managed,
  context: Context,
): Promise<Read | undefined> {
  const { platform, session } = context;
  session.noteInStack(resource.type, id);
  // Objects that an import has replaced must not be deleted in later updates either.
  if (state[IMPORTED] === true) session.noteImported(platform.urn, id);
  // The update overwrites the object anyway, so no read is needed.
  if (isAppliedAgain(resource, state, context)) return { state, inputs };
  const reading = await observe(resource, id, state, context);
  if (reading.status === "live") {
    session.noteManaged(platform.urn, { type: resource.type, id, title: titleOf(resource, reading.state) });
    if (reading.deletedOwner) session.noteDeletedOwner(platform.urn, reading.deletedOwner);
    const observed = remember(resource, reading.state, inputs, state);
    if (reading.message) platform.warn(reading.message);
    warnOfKeptDifferences(resource, { id, inputs, state: observed }, context);
    return { state: observed, inputs };
  }
  const successor = await madeAnew(resource, state, context);
  if (reading.status === "absent") {
    platform.warn(
      `${capitalized(titleOf(resource, state))} is gone: ${reading.message}. ${successor ?? `The next \`pulumi up\` creates a new one.`}`,
    );
    return undefined;
  }
  const reasons = [reading.message, ...(successor ? [successor] : [])];
  throw new InitFailedError(id, remember(resource, reading.state, inputs, state), inputs, reasons);
}

async function observe(
  resource: AnyResource,
  id: string,
  state: Properties,
  context: Context,
): Promise<ReadResult<Properties>> {
  try {
    await assertSameOrganization(state, context);
    return await resource.read(id, state, "snapshot", context.platform);
  } catch (cause) {
    if (!isRefusal(cause, "unauthenticated", "unseen")) throw cause;
    throw new Refusal(cause.kind, {
      answer: cause.message,
      advice: `A token in DBPLATFORM_API_TOKEN is never recorded. ${REMEMBERED_SETTINGS}`,
      cause,
    });
  }
}

/** Reports another object that now has the recorded name. Such an object is never mistaken for the old one. */
async function madeAnew(resource: AnyResource, state: State, { platform }: Context): Promise<string | undefined> {
  if (state.name === undefined) return undefined;
  const holder = await resource.named
    ?.findByName({ name: String(state.name) }, platform, "snapshot")
    .catch(unlessRefused);
  return holder && `Its name "${state.name}" now belongs to another ${nounOf(resource)} (${holder.id}).`;
}

/** Warns about differences that only a replacement could remove; such differences are kept. */
function warnOfKeptDifferences(resource: AnyResource, { id, inputs, state }: Managed, { platform }: Context): void {
  for (const { property } of compare(resource, { oldInputs: inputs, state, news: inputs })) {
    if (!traitsOf(resource, property).requiresReplace) continue;
    platform.warn(
      `\`${property}\` of ${titleOf(resource, state)} (${id}) differs: the platform has ${JSON.stringify(state[property])}, the program says ${JSON.stringify(inputs[property])}. The provider replaces nothing because of it; to accept the difference, write ${property}: ${JSON.stringify(state[property])}.`,
    );
  }
}
