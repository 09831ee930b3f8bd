import type { Properties, State } from "./properties";

/**
 * The resource exists but does not have, or no longer has, the wanted properties. The engine records the resource and
 * updates it next.
 */
export class InitFailedError extends Error {
  override readonly name = "InitFailedError";

  constructor(
    readonly id: string,
    readonly state: State,
    /** The program's inputs; set only when the engine does not know them, as on import. */
    readonly inputs: Properties | undefined,
    readonly reasons: readonly string[],
  ) {
    super(reasons.join(" "));
  }
}
