import { type Properties, UNKNOWN } from "../lifecycle/properties";

/** The text that stands for an unknown value in Pulumi's dynamic providers. */
const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Hidden properties of dynamic resources; the engine does not show names with this prefix. */
export const HIDDEN = {
  /** The reference to this host, defined by Pulumi. */
  provider: "__provider",
  /** The last inputs, recorded in the outputs because this protocol stores them nowhere else. */
  inputs: "__inputs",
  /** The resource's name in the program. */
  name: "__logicalName",
  /** The id given as `opts.import`. */
  import: "__import",
  /** The settings of an explicit `Provider`, as a secret; absent if the stack's settings apply. */
  settings: "__settings",
} as const;

/** Returns the properties that the program set, without the hidden ones. */
export const visible = (properties: Properties): Properties =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !Object.values<string>(HIDDEN).includes(name))
      .map(([name, value]) => [name, decode(value)]),
  );

export const hidden = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => Object.values<string>(HIDDEN).includes(name)));

export function decode(value: unknown): unknown {
  if (value === UNKNOWN_TEXT) return UNKNOWN;
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decode(inner)]));
}

export const encode = (properties: Properties): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === UNKNOWN ? UNKNOWN_TEXT : value]),
  );
