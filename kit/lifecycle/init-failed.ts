import type { AnyResource } from "../definition";
import { IMPORTED, type Properties, present, type State } from "./properties";

/**
 * Reports that a resource exists but does not yet match the program. The engine then records the resource, so that the
 * next update can correct the differences.
 */
export class InitFailedError extends Error {
  override readonly name = "InitFailedError";

  constructor(
    readonly id: string,
    readonly state: State,
    /** The program's inputs, set only if the engine does not know the inputs yet, for example after an import. */
    readonly inputs: Properties | undefined,
    readonly reasons: readonly string[],
  ) {
    super(reasons.join(" "));
  }
}

/** An object that a step has changed. */
export interface Changed {
  readonly id: string;
  /** The object as the platform shows it, as far as that is known. */
  readonly observed: State;
  readonly wanted: Properties;
  readonly prior: Properties;
}

/**
 * Reports an object that a step has changed before it failed. A function of the resource's author may be the reason, and
 * fail here again, so the state is recorded as far as possible.
 */
export function initFailed(resource: AnyResource, { id, ...values }: Changed, reason: string): InitFailedError {
  const { properties } = resource;
  const state = Object.entries(initFailedState(resource, values)).filter(([name, value]) => {
    if (!properties.has(name) && name !== IMPORTED) return false;
    try {
      properties.get(name).isSecret(value);
      return true;
    } catch {
      return false;
    }
  });
  return new InitFailedError(id, Object.fromEntries(state), undefined, [reason]);
}

/** Without an equality, no value is spelled as in the program, which the next read puts right. */
function initFailedState(resource: AnyResource, { observed, wanted, prior }: Omit<Changed, "id">): State {
  try {
    return resource.properties.record(observed, wanted, prior);
  } catch {
    const unseen = resource.properties.inputs.filter(({ isShown }) => !isShown);
    return present({ ...Object.fromEntries(unseen.map(({ name }) => [name, wanted[name]])), ...observed });
  }
}
