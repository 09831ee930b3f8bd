import type { Properties, State } from "./properties";

/** The resource exists, but is not (or no longer) as wanted. The engine keeps it, and its next step is an update. */
export class InitFailedError extends Error {
  override readonly name = "InitFailedError";

  constructor(
    readonly id: string,
    readonly state: State,
    /** What the program wanted: only where it has to be said, as on import. */
    readonly inputs: Properties | undefined,
    readonly reasons: readonly string[],
  ) {
    super(reasons.join("; "));
  }
}
