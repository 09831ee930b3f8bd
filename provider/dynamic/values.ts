import { type Properties, UNKNOWN } from "../lifecycle/properties";

/** How Pulumi's dynamic providers see a value that is not known yet. */
const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What is ours alone in a dynamic resource's properties; the engine shows no name that begins so. */
export const HIDDEN = {
  /** The reference to this host: Pulumi's own. */
  provider: "__provider",
  /** The last inputs, in the outputs: this protocol has no other place for them. */
  inputs: "__inputs",
  /** The resource's name in the program. */
  name: "__logicalName",
  /** The id given as `opts.import`. */
  import: "__import",
  /** The settings of an explicit `Provider`, a secret; without one, those of the stack count. */
  settings: "__settings",
} as const;

/** What the program gave, without what is hidden. */
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
