import { InitFailedError } from "../lifecycle/init-failed";
import { type Properties, UNKNOWN, UNKNOWN_TEXT } from "../lifecycle/properties";

/** Hidden properties of dynamic resources. Pulumi does not show properties whose names begin with `__`. */
export const HIDDEN = {
  /** The code that loads the dynamic provider. Set by Pulumi, not by this package. */
  provider: "__provider",
  /**
   * The inputs of the last update, stored in the outputs because Pulumi's dynamic provider protocol has no other place
   * for them.
   */
  inputs: "__inputs",
  name: "__logicalName",
  /** URN of the parent. Absent if the resource has none. */
  parent: "__parent",
  import: "__import",
  /**
   * The settings of an explicit `Provider`, marked as secret. Absent if the resource uses the settings of the stack.
   */
  settings: "__settings",
  /**
   * Digests of the settings that the program's process finds in its environment. Only Check gets them. Absent if the
   * resource has an explicit `Provider`.
   */
  environment: "__environment",
} as const;

/** Returns the properties that the program set, without the hidden properties. */
export const visibleDynamicValues = (properties: Properties): Properties =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !Object.values<string>(HIDDEN).includes(name))
      .map(([name, value]) => [name, decodeDynamic(value)]),
  );

export const hiddenDynamicValues = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => Object.values<string>(HIDDEN).includes(name)));

export function decodeDynamic(value: unknown): unknown {
  if (value === UNKNOWN_TEXT) return UNKNOWN;
  if (Array.isArray(value)) return value.map(decodeDynamic);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decodeDynamic(inner)]));
}

export const encodeDynamic = (properties: Properties): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === UNKNOWN ? UNKNOWN_TEXT : value]),
  );

/**
 * Returns the id from the resource option `import`. Dynamic providers have no import operation, so Create and Update
 * import the object.
 */
export const dynamicImportIdOf = (inputs: Properties): unknown => inputs[HIDDEN.import];

/**
 * Returns the outputs that the engine stores for a resource: the state, the inputs and settings that produced the state,
 * and the resource's place in the program, because Delete gets nothing but outputs.
 */
export const dynamicOutputsOf = (state: Properties, inputs: Properties): Record<string, unknown> =>
  encodeDynamic({
    ...state,
    [HIDDEN.inputs]: visibleDynamicValues(inputs),
    [HIDDEN.settings]: inputs[HIDDEN.settings],
    [HIDDEN.name]: inputs[HIDDEN.name],
    [HIDDEN.parent]: inputs[HIDDEN.parent],
  });

export function recordedDynamicValues(outputs: Properties): {
  inputs: Properties | undefined;
  state: Properties;
} {
  const inputs = outputs[HIDDEN.inputs];
  return { inputs: inputs as Properties | undefined, state: visibleDynamicValues(outputs) };
}

/**
 * Runs an operation, and converts an InitFailedError to the form that Pulumi's dynamic provider process expects. The
 * converted error carries the properties that a later update needs.
 */
export async function encodeDynamicInitFailed<T>(inputs: Properties, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof InitFailedError)) throw thrown;
    const properties = { ...dynamicOutputsOf(thrown.state, inputs), [HIDDEN.provider]: inputs[HIDDEN.provider] };
    throw Object.assign(new Error(thrown.message, { cause: thrown }), {
      id: thrown.id,
      properties,
      reasons: [...thrown.reasons],
    });
  }
}
