import type { Program } from "../fake-engine/declared-program";
import type { CredentialKind } from "./sequence-fixture";

/** What one run came to. */
export interface Outcome {
  /** What it was refused with; none: it has succeeded. */
  readonly refusals: readonly string[];
  /** Whether nothing was to be done. */
  readonly empty: boolean;
  /** What it showed. */
  readonly output: string;
}

export interface Managed {
  readonly type: string;
  readonly id: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** What runs a program: the engine itself, or the `FakeEngine`. */
export interface Driver {
  up(program: Program, credential: CredentialKind): Promise<Outcome>;
  preview(program: Program, credential: CredentialKind): Promise<Outcome>;
  /** By logical name. */
  managed(): Promise<ReadonlyMap<string, Managed>>;
  /** The tokens in the state after a run that went through, by logical name. */
  tokens(): Promise<Readonly<Record<string, unknown>>>;
  /** How many objects wait for their deletion in a later run. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}
