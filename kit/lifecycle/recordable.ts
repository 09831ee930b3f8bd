import type { z } from "zod";
import type { AnyResource } from "../definition";
import { nounOf, titleOf } from "../phrases";
import { Refusal } from "../refusal";
import type { Context } from "./context";
import { InitFailedError } from "./init-failed";
import { idNotRecordable, idNotRecorded, valuesIgnored, valuesNotRecordable } from "./messages";
import type { Properties, State } from "./properties";

// What `isRecordableId`, `unrecordableProperties` and `recordableSecrets` say holds before the engine records a state,
// and is checked when the state comes back.

/** An object as the engine records it. */
export interface Recordable {
  readonly id: string;
  readonly state: State;
  readonly inputs?: Properties | undefined;
}

const isRecordableId = (id: unknown): id is string => typeof id === "string" && id.trim() !== "";

/** Returns the properties with a value that cannot be recorded, or that has another type than the resource declares. */
function unrecordableProperties(resource: AnyResource, values: Properties): string[] {
  return Object.keys(values).filter(
    (property) => !isRecordable(values[property]) || !hasRecordableType(resource, property, values[property]),
  );
}

/** Returns whether a value is known and JSON can express it. Any other value breaks the response or the state file. */
function isRecordable(value: unknown): boolean {
  if (value === undefined || value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.every(isRecordable);
  // A date, a map or bytes would become an object without properties, or with one for each byte.
  return Object.prototype.toString.call(value) === "[object Object]" && Object.values(value).every(isRecordable);
}

const DELETION_TIMES = ["deletedAt", "restorableUntil"];

/**
 * Returns whether a value has the declared type. Which values of the type are valid is for the platform to decide. `null`
 * counts as no value, because many platforms return it for a value that is missing.
 */
function hasRecordableType({ softDeleted, state }: AnyResource, property: string, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (softDeleted && DELETION_TIMES.includes(property))
    return typeof value === "string" && !Number.isNaN(Date.parse(value));
  const schema: z.ZodType | undefined = state.shape[property];
  // Most values are strings, which need no parser.
  if (typeof value === "string" && schema?.type === "string") return true;
  const issues = schema?.safeParse(value).error?.issues ?? [];
  return !issues.some(
    ({ code, path }) => code === "invalid_type" && (recordableValueAt(value, path) ?? undefined) !== undefined,
  );
}

const recordableValueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inside, key) => (inside as Readonly<Record<PropertyKey, unknown>>)[key], value);

/** Returns the properties that are always recorded as secrets, whoever has set them. */
export const recordableSecrets = ({ properties }: AnyResource, values: Properties): string[] =>
  Object.keys(values).filter((name) => properties.get(name).isSecret(values[name]));

const withoutUnrecordable = (values: Properties, wrong: readonly string[]): Properties =>
  Object.fromEntries(Object.entries(values).filter(([property]) => !wrong.includes(property)));

/**
 * Checks what the engine is about to record. Wrong values can only be a defect of the provider.
 *
 * @param completed Completes the state that is recorded without the wrong values.
 * @throws InitFailedError with everything else, because the stack must not lose an object that exists.
 */
export function assertRecordable(
  resource: AnyResource,
  recorded: Recordable & Partial<Pick<InitFailedError, "reasons">>,
  completed: (state: State) => State = (state) => state,
): void {
  const { id, state, inputs, reasons = [] } = recorded;
  const title = titleOf(resource, state);
  // The types exclude numbers, but platforms often have numeric ids.
  const usableId = typeof id === "number" ? String(id) : id;
  if (!isRecordableId(usableId)) throw new Error(idNotRecordable({ title }));
  const wrong = unrecordableProperties(resource, state);
  const properties = [...(usableId === id ? [] : ["id"]), ...wrong];
  if (properties.length === 0) return;
  throw new InitFailedError(
    usableId,
    completed(withoutUnrecordable(state, wrong)),
    inputs && withoutUnrecordable(inputs, unrecordableProperties(resource, inputs)),
    [...reasons, valuesNotRecordable({ title, id: usableId, properties })],
  );
}

/** Runs a step, and checks what the engine is about to record, also of an object that the step leaves incomplete. */
export async function runRecordable<R extends Recordable | undefined>(
  resource: AnyResource,
  step: () => Promise<R>,
): Promise<R> {
  try {
    const done = await step();
    if (done) assertRecordable(resource, done);
    return done;
  } catch (thrown) {
    if (thrown instanceof InitFailedError) assertRecordable(resource, thrown);
    throw thrown;
  }
}

/**
 * Returns a recorded state as the steps use it. A wrong value is left out with a warning, because an earlier version may
 * have recorded it, and the next read replaces it.
 *
 * @throws Refusal if the object has no id, so that no request is sent for another object.
 */
export function recordableState(
  resource: AnyResource,
  { id, state }: Recordable,
  { platform, run, home }: Pick<Context, "platform" | "run" | "home">,
): State {
  if (!isRecordableId(id)) throw new Refusal("conflict", idNotRecorded({ kind: nounOf(resource) }));
  // A wrong owner is never left out, because `assertSameAccount` refuses it.
  const properties = unrecordableProperties(resource, state).filter((property) => property !== home?.output);
  if (properties.length === 0) return state;
  const title = titleOf(resource, state);
  void run.once(`ignored ${resource.type} ${id}`, async () => platform.warn(valuesIgnored({ title, id, properties })));
  return withoutUnrecordable(state, properties);
}

/** Returns whether an update recorded the state. A program can also pass a state of its own, to look up an object. */
export const isRecordedState = (state: Properties, { home }: Pick<Context, "home">): boolean =>
  home === undefined || state[home.output] !== undefined;
