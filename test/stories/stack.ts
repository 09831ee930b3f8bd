import type { Properties } from "../../kit/lifecycle/properties";
import type { Program } from "../fake-engine/declared-program";
import type { Ended, Managed } from "../fake-engine/engine";

/** A stack on which a story is played. */
export interface StoryStack {
  run(program: Program, options: { readonly preview: boolean }): Promise<Ended>;
  managed(): Promise<ReadonlyMap<string, Managed>>;
  /** Returns the outputs of each resource with their secrets, by logical name. */
  revealed(): Promise<ReadonlyMap<string, Properties>>;
  /** Uses this token from the next run on. */
  useToken(apiToken: string): void;
  /** Whether it is on the real engine, where runs are slow, and changes say which properties replace a resource. */
  readonly isReal: boolean;
}

export interface OpenedStack {
  readonly stack: StoryStack;
  close(): Promise<void>;
}

/** The settings of the provider that a story can choose. */
export interface StackSettings {
  readonly driftDetection?: "on-refresh";
}
