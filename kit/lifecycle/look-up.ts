import type { AnyResource } from "../definition";
import { explainForbiddenStep } from "../explain";
import { nounOf } from "../phrases";
import { Refusal } from "../refusal";
import type { ReadResult } from "../results";
import { argumentsFromState } from "./arguments";
import type { Context } from "./context";
import { InitFailedError } from "./init-failed";
import type { Properties, State } from "./properties";
import { createInstead, importedWithoutSecret } from "./restore/messages";
import { isRestorationAnnounced } from "./warnings";

export interface ReadAnswer {
  readonly state: State;
  /**
   * The inputs to record. For an import, these are the arguments that would declare the object; otherwise, the inputs
   * stay unchanged.
   */
  readonly inputs: Properties;
}

/**
 * Reads an object for an import. If the object is deleted, throws `InitFailedError`, so that the next update restores
 * it.
 */
export async function lookUpImported(resource: AnyResource, id: string, context: Context): Promise<ReadAnswer> {
  const { platform } = context;
  const reading = await lookUp(resource, id, context);
  if (reading.status === "absent") {
    const advice = createInstead({ kind: nounOf(resource), isRestorable: resource.softDeleted !== undefined });
    throw new Refusal("absent", { answer: reading.message, advice: reading.advice ?? advice });
  }
  const inputs = argumentsFromState(resource, reading.state);
  for (const property of resource.properties.shownOnce)
    platform.warn(importedWithoutSecret({ kind: nounOf(resource), property }));
  if (reading.status === "deleted") {
    // The message is also shown as a warning, because the engine does not show why an import failed.
    if (!isRestorationAnnounced(resource, id, context)) platform.warn(reading.message);
    throw new InitFailedError(id, reading.state, inputs, [reading.message]);
  }
  return { state: reading.state, inputs };
}

/** Reads an object for an import, also if it is deleted. */
export async function lookUpLiveOrDeleted(resource: AnyResource, id: string, context: Context): Promise<ReadAnswer> {
  try {
    return await lookUpImported(resource, id, context);
  } catch (found) {
    if (!(found instanceof InitFailedError)) throw found;
    return { state: found.state, inputs: found.inputs ?? {} };
  }
}

/** Reads an object of which only the id is known. */
export function lookUp(resource: AnyResource, id: string, context: Context): Promise<ReadResult<Properties>> {
  const { platform } = context;
  return explainForbiddenStep(resource, "read", context, async () => {
    const problem = await resource.identify(id, platform);
    if (problem) throw new Refusal("invalid", { answer: problem });
    return resource.read(id, platform);
  });
}
