import type { Properties } from "../../kit/lifecycle/properties";
import type { Program } from "./declared-program";
import type { Change } from "./engine-run";

/** A stack on which the laws play programs: on the fake engine, or on the real one. */
export interface Engine {
  run(program: Program, options: RunOptions): Promise<Ended>;
  /** Returns the resources in the stack's state, by logical name. */
  managed(): Promise<ReadonlyMap<string, Managed>>;
  /** Removes a resource from the stack without deleting it. */
  forget(slot: string): Promise<void>;
  close(): Promise<void>;
}

export interface RunOptions {
  readonly preview: boolean;
  /** Ends the run at once when it is aborted, as if the provider's process had been killed. */
  readonly killed?: AbortSignal;
  /** Whether the engine reads every resource before the program runs. Default: true. */
  readonly readsFirst?: boolean;
}

export interface Managed {
  readonly type: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

export interface Ended {
  readonly changes: readonly Change[];
  /** The reason why the run has failed. */
  readonly failure?: string;
  /** The messages that the user saw, without the error. */
  readonly said: readonly string[];
  /** After a preview, the expected outputs by logical name. Absent if the engine does not show them. */
  readonly planned?: ReadonlyMap<string, Properties>;
}
