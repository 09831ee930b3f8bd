import { isDeepStrictEqual } from "node:util";
import type { GivenNames } from "../context";
import type { AnyResource, ManagedState } from "../definition";
import type { PropertyTraits } from "../traits";

/** Represents a value that is not known until another resource has been created. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** Pulumi's string for an unknown value: in the plugin's protocol, in dynamic providers and in previews as JSON. */
export const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Values by property name, independent of any protocol. A property without a value has no key. */
export type Properties = Readonly<Record<string, unknown>>;

export type State = Properties & Partial<ManagedState>;

export function isKnown(value: unknown): boolean {
  if (value === UNKNOWN) return false;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isKnown);
}

/**
 * State key that marks an imported object, so that an interrupted import does not look like an interrupted replacement,
 * whose old object is deleted. The engine never shows this key to the user.
 */
export const IMPORTED = "__imported";

const NONE: GivenNames = { of: () => undefined, idsOf: () => [] };

export const knownOf = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => isKnown(value)));

export const propertyTraits = (resource: AnyResource, property: string): PropertyTraits =>
  resource.traits[property] ?? {};

/**
 * Returns whether only the provider uses the property. Such a property is never sent to the platform, so it cannot
 * drift.
 */
export function isLocalProperty(resource: AnyResource, property: string): boolean {
  const { local, trigger } = propertyTraits(resource, property);
  return Boolean(local || trigger);
}

/**
 * Returns whether the observed value is semantically equal to the wanted value. Neither value is normalized first.
 */
export function meansTheSame(
  resource: AnyResource,
  property: string,
  { wanted, observed, names = NONE }: { wanted: unknown; observed: Properties; names?: GivenNames | undefined },
): boolean {
  const { semantics, default: byItself } = propertyTraits(resource, property);
  const [value, found] = [wanted ?? byItself, observed[property] ?? byItself];
  if (value === undefined || value === null || semantics?.semanticallyEqual === undefined)
    return isDeepStrictEqual(value, found);
  return semantics.semanticallyEqual(value, found ?? undefined, observed as State, names);
}

/**
 * A property whose values in the state and in the program differ. `is` and `wanted` hold the values to show in
 * messages.
 */
export interface ShownDifference {
  readonly property: string;
  readonly is: unknown;
  readonly wanted: unknown;
  /**
   * Set if messages describe the values of the property instead of quoting them. Such a property is always optional, so
   * messages may advise removing it from the program.
   */
  readonly isDescribed?: true;
}

/** Returns whether the value must be hidden even if the program does not mark the argument as secret. */
export function isSecretProperty(resource: AnyResource, property: string, value: unknown): boolean {
  if (value === undefined || value === null || !isKnown(value)) return false;
  return propertyTraits(resource, property).semantics?.secret?.(value) ?? false;
}

/** Returns a value as messages show it. */
export const shownPropertyValue = (resource: AnyResource, property: string, value: unknown): unknown =>
  isSecretProperty(resource, property, value) ? "[secret]" : value;

/**
 * Returns the values of a property in the state and in the program, as messages show them. Values that the platform
 * never returns are described, not quoted.
 */
export function shownPropertyDifference(
  resource: AnyResource,
  property: string,
  { state, news }: { readonly state: State; readonly news: Properties },
): ShownDifference {
  const { writeOnly, semantics } = propertyTraits(resource, property);
  const reference = state.deletedAt === undefined ? semantics?.reference : undefined;
  const target = reference?.target(state);
  const referred = reference?.isId(String(news[property])) ? target?.id : target?.name;
  const shown = (value: unknown) =>
    writeOnly ? writeOnly.describe(value ?? undefined, state) : shownPropertyValue(resource, property, value);
  return {
    property,
    // A reference is shown as the program writes it, by id or by name.
    is: shown(referred ?? state[property]),
    wanted: shown(news[property]),
    ...(writeOnly ? { isDescribed: true } : {}),
  };
}

/** Returns whether the program gives a new object content of its own. */
export const hasContent = (resource: AnyResource, args: Properties): boolean =>
  Object.keys(resource.args.shape).some(
    (property) => propertyTraits(resource, property).content && args[property] !== undefined,
  );

/** Returns whether a value is absent or equal to the platform's default. */
export const isUnsetProperty = (resource: AnyResource, property: string, value: unknown): boolean =>
  value === undefined || isDeepStrictEqual(value, propertyTraits(resource, property).default);

/**
 * Returns whether nobody knows the object's value: the platform never shows it, and the object was imported. The first
 * value in the program then counts as the object's own, because another one would replace the object.
 */
export function isUnseenProperty(resource: AnyResource, property: string, state: State): boolean {
  const { writeOnly, requiresReplace, semantics } = propertyTraits(resource, property);
  if (!writeOnly || !requiresReplace || semantics?.semanticallyEqual) return false;
  return state[property] === undefined && state[IMPORTED] === true;
}

/**
 * Returns whether the program has not set a property that only the provider uses since the object was imported. Nobody
 * knows whether its first value then is a change, so the value does not replace the object.
 */
export const isFirstSinceImport = (
  resource: AnyResource,
  property: string,
  { oldInputs, state }: { readonly oldInputs: Properties; readonly state: State },
): boolean =>
  isLocalProperty(resource, property) &&
  state[IMPORTED] === true &&
  oldInputs[property] === undefined &&
  state[property] === undefined;

/**
 * Builds the state to record from the observed values. A value that is semantically equal to the value in the program
 * is spelled as in the program. A value that is recorded only if set, and is not set, is left out. Local properties get
 * the program's values. Create-only properties, and what the platform does not show, keep the values in `prior`.
 */
export function propertiesForState(
  resource: AnyResource,
  observed: State,
  wanted: Properties,
  prior: Properties,
): State {
  const state: Record<string, unknown> = { ...withoutUnrecordedProperties(resource, observed, wanted) };
  for (const property of Object.keys(resource.args.shape)) {
    const { createOnly, writeOnly, semantics } = propertyTraits(resource, property);
    const value = createOnly ? prior[property] : wanted[property];
    const kept = createOnly || isLocalProperty(resource, property);
    if (kept || keepsPropertySpelling(resource, property, { wanted: value, observed })) state[property] = value;
    else if (writeOnly && !semantics?.semanticallyEqual && value !== undefined)
      state[property] ??= isUnseenProperty(resource, property, prior) ? value : prior[property];
  }
  for (const property of [...resource.shownOnce, IMPORTED]) state[property] ??= prior[property];
  return present(state);
}

const isMissingProperty = (value: unknown): value is undefined | null => value === undefined || value === null;

/**
 * Returns whether the state does not say what the platform has, because the program has not set the property before, or
 * because an update that should have reset it has failed. An update then sends the wanted value.
 */
export const isUnreadProperty = (resource: AnyResource, property: string, state: Properties): boolean =>
  Boolean(propertyTraits(resource, property).recordedIfSet) && isMissingProperty(state[property]);

/** Removes the properties that the state holds only while the program sets them, and that it does not set. */
export const withoutUnrecordedProperties = (resource: AnyResource, state: Properties, wanted: Properties): Properties =>
  Object.fromEntries(
    Object.entries(state).filter(
      ([property]) => !propertyTraits(resource, property).recordedIfSet || !isMissingProperty(wanted[property]),
    ),
  );

const keepsPropertySpelling = (
  resource: AnyResource,
  property: string,
  { wanted, observed }: { wanted: unknown; observed: Properties },
): boolean =>
  wanted !== undefined &&
  wanted !== null &&
  !isUnreadProperty(resource, property, observed) &&
  meansTheSame(resource, property, { wanted, observed }) &&
  (propertyTraits(resource, property).semantics?.standsFor?.(wanted, observed[property] ?? undefined) ?? true);

export const present = <P extends Properties>(properties: P): P =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as P;

/**
 * Returns whether `ignoreChanges` covers a property. The engine itself reverts the program's changes to such a
 * property, so the provider only has to ignore changes on the platform.
 */
export const isIgnoredProperty = (property: string, ignored: ReadonlySet<string> | undefined): boolean =>
  Boolean(ignored?.has(property) || ignored?.has("*"));

/**
 * Returns whether the new value of a trigger is recorded without causing an action. A trigger causes an action when its
 * value changes, but not when the value is added (for example after an import) or removed.
 */
export const isOnlyRecordedProperty = (
  resource: AnyResource,
  property: string,
  { state, news }: { readonly state: Properties; readonly news: Properties },
): boolean =>
  Boolean(propertyTraits(resource, property).trigger) &&
  (isUnsetProperty(resource, property, state[property]) || isUnsetProperty(resource, property, news[property]));

export const isWhileDeletedProperty = ({ state }: Pick<AnyResource, "state">, property: string): boolean =>
  Boolean(state.shape[property]?.meta()?.whileDeleted);
