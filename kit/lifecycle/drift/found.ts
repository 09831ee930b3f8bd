import type { State } from "../properties";

/** The properties of an object that differ from the program because somebody changed them on the platform. */
export interface Drift {
  readonly properties: readonly string[];
  /** The object's state as recorded by the last update. */
  readonly before: State;
  readonly observed: State;
}
