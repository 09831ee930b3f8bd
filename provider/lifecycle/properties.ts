import { isDeepStrictEqual } from "node:util";
import type { GivenNames } from "../resource/context";
import type { AnyResource, ManagedState } from "../resource/definition";
import type { PropertyTraits } from "../resource/traits";

/** Stands for a value that is known only once something else was created. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** Values by property name, free of any protocol: an absent key is an absent value. */
export type Properties = Readonly<Record<string, unknown>>;

/** The state of an object of any kind. */
export type State = Properties & Partial<ManagedState>;

/** Whether a value is known, with everything in it. */
export function isKnown(value: unknown): boolean {
  if (value === UNKNOWN) return false;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isKnown);
}

/** Key in the state of something imported, which the engine never shows (decision 92). */
export const IMPORTED = "__imported";

const NONE: GivenNames = new Map();

/** What is known of these, with everything in it. */
export const knownOf = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => isKnown(value)));

export const traitsOf = (resource: AnyResource, property: string): PropertyTraits<unknown, State> =>
  resource.traits[property] ?? {};

/** Ours alone: the platform never hears of it, and cannot have changed it. */
export function isLocal(resource: AnyResource, property: string): boolean {
  const { local, trigger } = traitsOf(resource, property);
  return Boolean(local || trigger);
}

/** Whether what is observed is what was meant. Neither is ever brought into another form (decision 3). */
export function met(
  resource: AnyResource,
  property: string,
  { wanted, observed, names = NONE }: { wanted: unknown; observed: Properties; names?: GivenNames | undefined },
): boolean {
  const { semantics, default: byItself } = traitsOf(resource, property);
  const [value, found] = [wanted ?? byItself, observed[property] ?? byItself];
  if (value === undefined || value === null || semantics?.semanticallyEqual === undefined)
    return isDeepStrictEqual(value, found);
  return semantics.semanticallyEqual(value, found ?? undefined, observed as State, names);
}

/** Whether a property has no other value than it has where nothing was ever set. */
export const isUnset = (resource: AnyResource, property: string, value: unknown): boolean =>
  value === undefined || isDeepStrictEqual(value, traitsOf(resource, property).default);

/**
 * What to remember: what was observed, in the program's own spelling where that means the same, and what is ours alone,
 * was shown only once or said how to make it.
 */
export function remember(resource: AnyResource, observed: State, wanted: Properties, prior: Properties): State {
  const state: Record<string, unknown> = { ...observed };
  for (const property of Object.keys(resource.args.shape)) {
    const { createOnly } = traitsOf(resource, property);
    const value = createOnly ? prior[property] : wanted[property];
    const kept = createOnly || isLocal(resource, property);
    if (kept || standsFor(resource, property, { wanted: value, observed })) state[property] = value;
  }
  for (const property of [...resource.shownOnce, IMPORTED]) state[property] ??= prior[property];
  return present(state);
}

const standsFor = (
  resource: AnyResource,
  property: string,
  { wanted, observed }: { wanted: unknown; observed: Properties },
): boolean =>
  wanted !== undefined &&
  wanted !== null &&
  met(resource, property, { wanted, observed }) &&
  (traitsOf(resource, property).semantics?.standsFor?.(wanted, observed[property] ?? undefined) ?? true);

/** Without the keys that have no value. */
export const present = <P extends Properties>(properties: P): P =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as P;

/** `database "orders"`, or what it is alone where it has no name. */
export const titleOf = (resource: AnyResource, { name }: Properties): string =>
  typeof name === "string" ? `${nounOf(resource)} "${name}"` : nounOf(resource);

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `ApiToken` → "API token", for sentences. */
export const nounOf = ({ type }: Pick<AnyResource, "type">): string =>
  type
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^Api\b/, "API")
    .replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
