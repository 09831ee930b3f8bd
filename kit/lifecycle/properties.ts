import type { DeletionTimes } from "../resource";

/** Represents a value that is not known until another resource has been created. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** Pulumi's string for an unknown value: in the plugin's protocol, in dynamic providers and in previews as JSON. */
export const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Pulumi's key that says what kind of value an object stands for: in the plugin's protocol and in states. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The signature of a secret. */
export const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** Values by property name, independent of any protocol. A property without a value has no key. */
export type Properties = Readonly<Record<string, unknown>>;

/** The state properties that the steps use for every resource type. */
interface ManagedState extends DeletionTimes {
  readonly name?: string;
}

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

export const knownOf = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => isKnown(value)));

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

export const isMissing = (value: unknown): value is undefined | null => value === undefined || value === null;

export const present = <P extends Properties>(properties: P): P =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as P;

/** Hidden input: the names of the arguments that the program omitted and the provider filled in. */
export const FILLED_IN = "__defaults";

/** Returns whether the program omitted the argument and the provider filled it in when these inputs were checked. */
export const isFilledInArgument = (inputs: Properties, property: string): boolean =>
  Array.isArray(inputs[FILLED_IN]) && inputs[FILLED_IN].includes(property);

/**
 * Returns whether `ignoreChanges` covers a property. The engine itself reverts the program's changes to such a
 * property, so the provider only has to ignore changes on the platform.
 */
export const isIgnoredProperty = (property: string, ignored: ReadonlySet<string> | undefined): boolean =>
  Boolean(ignored?.has(property) || ignored?.has("*"));
