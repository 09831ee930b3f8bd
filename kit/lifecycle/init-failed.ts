import type { Properties, State } from "./properties";

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
