import type { Properties } from "../../kit/lifecycle/properties";
import type { ReferenceApi } from "../../platform/reference/server";
import type { Program } from "./declared-program";
import type { Change } from "./engine-run";

/** A stack on which declared programs run: on the fake engine, or on the real one. */
export interface DeclaredStack {
  run(program: Program, options: RunOptions): Promise<Ended>;
  /** Returns the resources in the stack's state with their secrets, by logical name. */
  managed(): Promise<ReadonlyMap<string, Managed>>;
  /** Removes a resource from the stack without deleting it. */
  forget(slot: string): Promise<void>;
  /** Uses this token from the next run on. */
  useToken(apiToken: string): void;
  /** Whether it is on the real engine, where runs are slow. */
  readonly isReal: boolean;
  close(): Promise<void>;
}

/** How the provider of a stack reaches its platform. */
export interface StackOptions {
  readonly api: ReferenceApi;
  /** Address to which the provider sends its requests. Default: that of the reference API. */
  readonly baseUrl?: string;
  /** Settings of the provider, besides the platform and the credential. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface RunOptions {
  readonly preview: boolean;
  /** Ends the run at once when it is aborted, as if the provider's process had been killed. */
  readonly killed?: AbortSignal;
  /** Asks the provider to end its work, as Ctrl-C does. Only on the fake engine. */
  readonly cancelled?: AbortSignal;
  /** Whether the engine reads every resource before the program runs. Default: unless the stack detects no drift. */
  readonly readsFirst?: boolean;
  /** Whether an update continues after an error, as with `--continue-on-error`. */
  readonly continuesOnError?: boolean;
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
