import { InitFailedError } from "../lifecycle/init-failed";
import type { Properties } from "../lifecycle/properties";
import { encode, HIDDEN, visible } from "./values";

/**
 * Returns the outputs that the engine stores for a resource: the state, and the inputs and settings that produced the
 * state.
 */
export const outputsOf = (state: Properties, inputs: Properties): Record<string, unknown> =>
  encode({ ...state, [HIDDEN.inputs]: visible(inputs), [HIDDEN.settings]: inputs[HIDDEN.settings] });

export function remembered(outputs: Properties): { inputs: Properties; state: Properties } {
  const inputs = outputs[HIDDEN.inputs];
  return { inputs: (inputs ?? {}) as Properties, state: visible(outputs) };
}

export function comparedOf(id: string, olds: Properties, news: Properties) {
  const { inputs, state } = remembered(olds);
  return { id, oldInputs: inputs, state, news: visible(news) };
}

/**
 * Runs an operation, and converts an InitFailedError to the form that Pulumi's dynamic provider process expects. The
 * converted error carries the properties that a later update needs.
 */
export async function recorded<T>(inputs: Properties, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof InitFailedError)) throw thrown;
    const properties = { ...outputsOf(thrown.state, inputs), [HIDDEN.provider]: inputs[HIDDEN.provider] };
    throw Object.assign(new Error(thrown.message, { cause: thrown }), {
      id: thrown.id,
      properties,
      reasons: [...thrown.reasons],
    });
  }
}
